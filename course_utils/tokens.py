"""Text as tokens: byte-pair encoding, learned and used.

A text is cut into words (`words`). The bytes of a word are its first tokens; pairs of neighbours are joined (`merge_pair`), in the order in
which `learn` found them. Sources: Sennrich, Haddow and Birch 2016, section 3.2; on bytes, and where a text is cut: Radford et al. 2019, section 2.2.
"""

import functools
import re
import unicodedata
from collections import Counter

from course_utils.arguments import as_count, as_text
from course_utils.checks import check_ids, check_merge, check_tokenizer

WHITE_SPACE = "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))      # Unicode's, not Python's
CONTRACTION = re.compile("'(?:s|t|re|ve|m|ll|d)")
# One letter for each character's kind: L letter, N number, _ a space, s other white space, o the rest. A word takes the space before it along;
# of white space before a word the last goes its own way; before a number or the end it stays together.
WORD = re.compile(r"N|_?L+|_?o+|[_s]+(?=N|\Z)|[_s]+(?=[_s])|[_s]")


def words(text):
    """A text cut where no pair is ever joined: words with the space before them, single digits, marks, white space. Returns a list of texts.

    As GPT-2 cuts it, with single digits as in SmolLM2: of a run of digits each is cut off first, then the rest is cut into words.
    """
    text = as_text(text, "text")
    kinds = "".join(map(_kind, text))
    found, at = [], 0
    while at < len(text):
        end = (CONTRACTION.match(text, at) or WORD.match(kinds, at)).end()
        found.append(text[at:end])
        at = end
    return found


@functools.lru_cache(4096)
def _kind(character):
    if character in WHITE_SPACE:
        return "_" if character == " " else "s"
    kind = unicodedata.category(character)[0]
    return kind if kind in "LN" else "o"


def merge_pair(ids, pair, new):
    """The tokens `ids` (T,) with every occurrence of the pair, from left to right, replaced by the token `new`. Returns a list, never longer.

    A token is used once: of three equal ones, (a, a) joins the first two.
    """
    ids, (left, right) = check_merge(ids, pair)
    merged, i = [], 0
    while i < len(ids):
        if i + 1 < len(ids) and ids[i] == left and ids[i + 1] == right:
            merged.append(new)
            i += 2
        else:
            merged.append(ids[i])
            i += 1
    return merged


def learn(text, n_merges, merge_pair=merge_pair):
    """The n_merges pairs that byte-pair encoding finds in a text: a list of (left, right), fewer where no pair is left to join.

    Tokens 0 to 255 are the bytes, token 256 + k is the k-th pair. Each step takes the pair that occurs most often inside the words of the text;
    of equals the one with the smallest numbers. merge_pair: a function of your own may stand in, called as merge_pair(ids, pair, new).
    """
    text, n_merges = as_text(text, "text"), as_count(n_merges, "n_merges")
    times = Counter(words(text))
    cut = {word: list(word.encode()) for word in times}
    counts, pairs = Counter(), []
    for word, ids in cut.items():
        _count(counts, ids, times[word])
    for new in range(256, 256 + n_merges):
        most = max(counts.values(), default=0)
        if not most:
            break
        best = min(pair for pair, n in counts.items() if n == most)
        pairs.append(best)
        for word, ids in cut.items():
            if best[0] in ids and best[1] in ids:
                cut[word] = list(merge_pair(list(ids), best, new))
                _count(counts, ids, -times[word])
                _count(counts, cut[word], times[word])
    return pairs


def _count(counts, ids, times):
    for pair in zip(ids, ids[1:], strict=False):
        counts[pair] += times


class Tokenizer:
    """Text to numbers and back, by pairs in the order in which they were learned.

    pairs: (left, right) by their numbers, each of a token that stands before it. first: the single bytes that have a token, in the order of their
    numbers; all 256 where none are given. special: texts that are a token each and are never cut, such as "<|im_end|>".
    Numbers count the special tokens first, then the single bytes, then the pairs. A byte without a token is left out.

    pieces: the bytes of each token. joined: {(left, right): number}; pairs, the way back; bytes: {byte: number}; special: {text: number}.
    """

    def __init__(self, pairs, first=range(256), special=()):
        pairs, first, special = check_tokenizer(pairs, first, special)
        self.special = {text: i for i, text in enumerate(special)}
        self.pieces = [*(text.encode() for text in special), *(bytes([byte]) for byte in first)]
        self.joined = {}
        for new, (left, right) in enumerate(pairs, start=len(self.pieces)):
            self.joined[left, right] = new
            self.pieces.append(self.pieces[left] + self.pieces[right])
        self.pairs = dict(zip(self.joined.values(), self.joined, strict=True))
        self.bytes = {byte: i for i, byte in enumerate(first, start=len(special))}
        longest_first = sorted(map(re.escape, special), key=len, reverse=True)
        self._special = re.compile("|".join(longest_first) or r"(?!)")
        self._word = functools.lru_cache(50_000)(self._encode_word)

    def __len__(self):
        return len(self.pieces)

    def encode(self, text, special=True):
        """The numbers of a text's tokens, a list. With special=False "<|im_end|>" in it is a text like any other, not a special token."""
        text = as_text(text, "text")
        ids, at = [], 0
        for found in self._special.finditer(text) if special else ():
            ids += [i for word in words(text[at:found.start()]) for i in self._word(word)]
            ids.append(self.special[found[0]])
            at = found.end()
        return ids + [i for word in words(text[at:]) for i in self._word(word)]

    def _encode_word(self, word):
        ids = [self.bytes[byte] for byte in word.encode() if byte in self.bytes]
        while True:
            found = [self.joined[pair] for pair in zip(ids, ids[1:], strict=False) if pair in self.joined]
            if not found:
                return ids
            first = min(found)                   # of all pairs that could be joined, the one that was learned first
            ids = merge_pair(ids, self.pairs[first], first)

    def decode(self, ids):
        """The text of tokens. What is no text in UTF-8, such as half a character, becomes \ufffd."""
        return b"".join(self.pieces[i] for i in check_ids(ids, len(self))).decode(errors="replace")

    def cut(self, text, special=True):
        """The texts of a text's tokens, a list; a part of a character shows as \ufffd."""
        return [self.decode([i]) for i in self.encode(text, special)]
