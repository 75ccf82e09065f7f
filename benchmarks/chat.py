"""How fast the model of notebook 15 writes, and how much memory that takes: ours beside
transformers and PyTorch, on one thread.

    python benchmarks/chat.py [--tokens 60]          PyTorch takes part where it is installed:
    torch==2.13.0 transformers==5.23.0
                                                     accelerate==1.15.0 gguf==0.19.0

Every contestant runs in a process of its own, one after the other, on the same prompt, with a
cache, always the likeliest token. Printed are tokens a second after the prompt was read, the
seconds until the first token (loading left out) and the peak of the whole process's memory.
Nothing here is asserted: other computers, other numbers.
"""

import argparse
import json
import resource
import subprocess
import sys
import time

NAMES = {
    "ours": "ours, float32",
    "lean": "ours, packed as in the file",
    "parts": "ours, by the exercises' functions",
    "torch": "transformers and PyTorch",
}


def ours(n_tokens, lean=False, parts=None):
    from course_utils.data.speech import conversation
    from course_utils.models.chat_model import load_chat_model, speak

    model = load_chat_model(lean=lean)
    prompt = model.tokenizer.encode(
        conversation("Tell me a story about a bear who could not sleep.")
    )
    return prompt, speak(model, prompt, n_tokens, parts=parts)


def by_parts(n_tokens):
    from course_utils.exercises import EXERCISES

    class Parts:
        """The exercises' references by name, as `mine` gives a student's."""

        def __getattr__(self, name):
            return EXERCISES[name].reference

    return ours(n_tokens, parts=Parts())


def theirs(n_tokens):
    import torch
    from transformers import AutoModelForCausalLM

    from course_utils.data.merges import load
    from course_utils.data.speech import conversation
    from course_utils.models.chat_model import find_weights

    torch.set_num_threads(1)
    path = find_weights()
    model = AutoModelForCausalLM.from_pretrained(
        path.parent, gguf_file=path.name, dtype=torch.float32
    ).eval()
    prompt = load().encode(conversation("Tell me a story about a bear who could not sleep."))

    def tokens():
        new, past = prompt, None
        with torch.no_grad():
            for _ in range(n_tokens):
                said = model(
                    torch.tensor([new]), past_key_values=past, use_cache=True, logits_to_keep=1
                )
                past, new = said.past_key_values, [int(said.logits[0, -1].argmax())]
                yield new[0]

    return prompt, tokens()


def measure(name, n_tokens):
    contestant = {
        "ours": ours,
        "lean": lambda n: ours(n, lean=True),
        "parts": by_parts,
        "torch": theirs,
    }[name]
    prompt, tokens = contestant(n_tokens)
    start = time.perf_counter()
    next(tokens)
    first, n = time.perf_counter(), sum(1 for _ in tokens)
    last = time.perf_counter()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"prompt": len(prompt), "first": first - start, "rate": n / (last - first), "peak": peak}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tokens", type=int, default=60)
    parser.add_argument("--one", choices=NAMES, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.one:
        print(json.dumps(measure(chosen.one, chosen.tokens)))
        sys.exit()
    for name, words in NAMES.items():
        done = subprocess.run(
            [sys.executable, __file__, "--one", name, "--tokens", str(chosen.tokens)],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            print(f"{words:36} does not run here: {done.stderr.strip().splitlines()[-1]}")
            continue
        found = json.loads(done.stdout.splitlines()[-1])
        print(
            f"{words:36} {found['rate']:6.1f} tokens a second; first after {found['first']:.2f} s"
            f" (prompt of {found['prompt']}); peak {found['peak']:.0f} MiB"
        )
