"""What the tokeniser is held against: the published file, and texts, the same on every machine: by
hand, and from a seed."""

import hashlib
import json
import random

import numpy as np

from course_utils.data import merges

# GPT-2's letter for each byte: itself where it prints, else one from 256 on (a space is Ġ).
PRINTS = [*range(33, 127), *range(161, 173), *range(174, 256)]
LETTERS = {byte: chr(byte) for byte in PRINTS} | {
    byte: chr(256 + i) for i, byte in enumerate(b for b in range(256) if b not in PRINTS)
}

BY_HAND = [
    "",
    " ",
    "  ",
    "\n",
    "a",
    " a",
    "  a",
    "a ",
    "a  ",
    "\n\n a",
    " \n",
    "\t\tx = 1",
    "x  1",
    "x   12",
    "1",
    " 1",
    "1 2",
    "1  2",
    "12345",
    "3.14",
    "1,000",
    "17 + 25 = 42",
    "½ ² Ⅳ ٣ ४ 一二三 ①",
    "don't",
    "DON'T",
    "they'll've",
    "'s",
    " 's",
    "''s",
    "it's 'tis",
    "o'clock",
    "rock'n'roll",
    "’s it’s",
    "<|im_start|>user\nhello<|im_end|>\n",
    "<|im_start",
    "a<|im_end|>b",
    "a <|im_end|> b",
    "<|im_end|><|im_end|>",
    "<repo_name><reponame>",
    "<|IM_END|>",
    "strawberry",
    " strawberry",
    "Strawberry",
    "SolidGoldMagikarp",
    "antidisestablishmentarianism",
    "https://example.org/a?b=c&d=%20#e",
    "def softmax(x):\n    return np.exp(x) / np.exp(x).sum()\n",
    'if (a[i] != b->c) { x += "\\n"; }  // end\r\n',
    "\r\n\r\n",
    "a\u00a0b",
    "a\u3000b",
    "a\x85b",
    "a\x1cb\x1db\x1e\x1fb",
    "a\u200bb\u200db\ufeffc",
    "\u2028\u2029",
    "\x00\x01\x04\x06\x13\x7f",
    "🐻💤❄️🫐🍂",
    "👩‍👩‍👧‍👦 👍🏽 🇩🇪🇫🇷 1️⃣",
    "e\u0301 é n\u0303",
    "\U000e0001\U00040000 \U000fffff",
    "The bears sleep in winter and eat berries in autumn.",
    "Die Bären schlafen im Winter und fressen im Herbst Beeren.",
    "Οι αρκούδες κοιμούνται το χειμώνα.",
    "Медведи спят зимой и едят ягоды осенью.",
    "भालू सर्दियों में सोते हैं और पतझड़ में जामुन खाते हैं।",
    "熊冬天睡觉，秋天吃浆果。",
    "熊は冬に眠り、秋にベリーを食べる。",
    "곰은 겨울에 잔다.",
    "الدببة تنام في الشتاء.",
    "หมีนอนหลับในฤดูหนาว",
    "a" * 300,
    " " * 77,
    "=" * 100,
    "ab" * 150,
    "!?" * 40,
    "\n" * 33,
    "0" * 50,
    "the " * 60,
]
# Characters that every version of Unicode since the tenth has in the same class: (first, last) of
# each stretch.
SCRIPTS = {
    "ASCII": [(0x20, 0x7E)],
    "letters": [(0x61, 0x7A), (0x41, 0x5A), (0x20, 0x20)],
    "digits": [(0x30, 0x39), (0x20, 0x20), (0x2E, 0x2E)],
    "white": [
        (0x9, 0xD),
        (0x20, 0x20),
        (0x20, 0x20),
        (0x85, 0x85),
        (0xA0, 0xA0),
        (0x2000, 0x200A),
        (0x2028, 0x2029),
        (0x3000, 0x3000),
        (0x61, 0x63),
        (0x31, 0x32),
    ],
    "spaces": [(0x20, 0x20), (0xA, 0xA), (0x61, 0x62), (0x31, 0x31), (0x3D, 0x3D)],
    "quotes": [(0x27, 0x27), (0x72, 0x76), (0x64, 0x65), (0x6C, 0x6D), (0x20, 0x20)],
    "control": [(0, 0x1F), (0x7F, 0x9F), (0x61, 0x62)],
    "marks": [(0x21, 0x2F), (0x3A, 0x40), (0x5B, 0x60), (0x7B, 0x7E), (0x20, 0x20)],
    "Latin": [(0xA1, 0x17F), (0x61, 0x7A), (0x20, 0x20)],
    "Greek": [(0x391, 0x3A1), (0x3A3, 0x3C9), (0x20, 0x20)],
    "Cyrillic": [(0x400, 0x45F), (0x20, 0x20)],
    "Hebrew": [(0x5D0, 0x5EA), (0x5B0, 0x5BD), (0x20, 0x20)],
    "Arabic": [(0x627, 0x63A), (0x641, 0x652), (0x660, 0x669), (0x20, 0x20)],
    "Devanagari": [(0x904, 0x939), (0x93E, 0x94D), (0x964, 0x96F), (0x20, 0x20)],
    "Thai": [(0xE01, 0xE3A), (0xE40, 0xE4E), (0xE50, 0xE59), (0x20, 0x20)],
    "Chinese": [(0x4E00, 0x9FA5), (0x3000, 0x3002)],
    "Japanese": [(0x3041, 0x3096), (0x30A1, 0x30FA), (0x4E00, 0x5000)],
    "Korean": [(0xAC00, 0xD7A3), (0x20, 0x20)],
    "emoji": [
        (0x1F300, 0x1F5FF),
        (0x1F600, 0x1F64F),
        (0x1F3FB, 0x1F3FF),
        (0x200D, 0x200D),
        (0xFE0F, 0xFE0F),
        (0x1F1E6, 0x1F1FF),
        (0x20, 0x20),
    ],
    "signs": [(0x2010, 0x2027), (0x2030, 0x205E), (0x2190, 0x23F3), (0x2500, 0x27BF)],
    "numbers": [(0x2070, 0x2071), (0x2074, 0x208E), (0x2150, 0x2188), (0x2460, 0x249B)],
    "combining": [(0x300, 0x36F), (0x61, 0x7A)],
    "mathematics": [(0x1D400, 0x1D454), (0x1D7CE, 0x1D7FF), (0x20, 0x20)],
    "private": [(0xE000, 0xE0FF), (0xF0000, 0xF00FF)],
}
CODE = [
    "def ",
    "return",
    "    ",
    "\n",
    "\t",
    "np.",
    "softmax",
    "(x, axis=-1)",
    "for i in range(10):",
    "==",
    "!=",
    "->",
    "{",
    "}",
    "[0]",
    "'s",
    '"""',
    "# why\n",
    "self.",
    "_name",
    "camelCase",
    "0x1F",
    "1e-5",
    ";",
    "//",
    "/*",
    "*/",
    "<|im_end|>",
    "<|im_start|>",
    "<file_sep>",
    "\r\n",
    " += ",
    "lambda x: x",
    "%d",
    "\\n",
    "$",
    "&&",
    "::",
]


def texts(n=12_000, seed=12):
    """n texts, those by hand first."""
    rng = random.Random(seed)
    scripts, found = list(SCRIPTS.values()), list(BY_HAND)
    while len(found) < n:
        kind = len(found) % 4
        if kind == 0:  # many scripts in one text
            found.append(
                "".join(
                    _character(rng, scripts[_below(rng, len(scripts))])
                    for _ in range(_below(rng, 60))
                )
            )
        elif kind == 1:  # code
            found.append("".join(CODE[_below(rng, len(CODE))] for _ in range(_below(rng, 25))))
        else:  # one script, and now and then another
            own = scripts[_below(rng, len(scripts))]
            found.append(
                "".join(
                    _character(rng, own if rng.random() < 0.95 else scripts[0])
                    for _ in range(_below(rng, 120))
                )
            )
    return found


def _below(rng, n):
    return int(
        rng.random() * n
    )  # random() is the same in every Python; choice and randrange need not be


def _character(rng, stretches):
    first, last = stretches[_below(rng, len(stretches))]
    return chr(first + _below(rng, last - first + 1))


def digest(ids, text):
    """Two bytes that tell one result from another."""
    said = np.array(ids, dtype="<u2").tobytes() + text.encode()
    return int.from_bytes(hashlib.sha256(said).digest()[:2], "little")


def published():
    """tokenizer.json as the model's makers publish it, put together from what the course ships."""
    smol = merges.load()

    def written(piece):
        return "".join(LETTERS[byte] for byte in piece)

    special = [
        {
            "id": i,
            "content": text,
            "single_word": False,
            "lstrip": False,
            "rstrip": False,
            "normalized": False,
            "special": True,
        }
        for text, i in smol.special.items()
    ]
    by_bytes = {
        "type": "ByteLevel",
        "add_prefix_space": False,
        "trim_offsets": True,
        "use_regex": True,
    }
    digits = {"type": "Digits", "individual_digits": True}
    names = [*smol.special, *map(written, smol.pieces[len(smol.special) :])]
    model = {
        "type": "BPE",
        "dropout": None,
        "unk_token": None,
        "continuing_subword_prefix": None,
        "end_of_word_suffix": None,
        "fuse_unk": False,
        "byte_fallback": False,
        "ignore_merges": False,
        "vocab": {name: i for i, name in enumerate(names)},
        "merges": [f"{names[left]} {names[right]}" for left, right in smol.joined],
    }
    recipe = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": special,
        "normalizer": None,
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [digits, by_bytes]},
        "post_processor": None,
        "decoder": by_bytes | {"add_prefix_space": True},
        "model": model,
    }
    return json.dumps(recipe, indent=2, ensure_ascii=False)
