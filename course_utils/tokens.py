"""Text as tokens: byte-pair encoding, learned and used.

A text is cut into words (`words`). The bytes of a word are its first tokens; pairs of neighbours
are joined (`merge_pair`), in the order in which `learn` found them. Sources: Sennrich, Haddow and
Birch 2016, section 3.2; on bytes, and where a text is cut: Radford et al. 2019, section 2.2.
"""

import functools
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from course_utils.arguments import as_count, as_text
from course_utils.checks import check_ids, check_merge, check_tokenizer

Pair = tuple[int, int]

WHITE_SPACE = (
    "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000"  # Unicode's, not Python's
    + "".join(map(chr, range(0x2000, 0x200B)))
)
CONTRACTION = re.compile("'(?:s|t|re|ve|m|ll|d)")
# One letter for each character's kind: L letter, N number, _ a space, s other white space, o the
# rest. A word takes the space before it along; of white space before a word the last goes its own
# way; before a number or the end it stays together.
WORD = re.compile(r"N|_?L+|_?o+|[_s]+(?=N|\Z)|[_s]+(?=[_s])|[_s]")


def words(text: str) -> list[str]:
    """A text cut where no pair is ever joined: words with the space before them, digits, marks.

    As GPT-2 cuts it, with single digits as in SmolLM2: of a run of digits each is cut off first,
    then the rest is cut into words. Source: Radford et al. 2019, section 2.2.

    Parameters:
        text: a text.
    Returns:
        Its pieces, which put together are the text.
    Raises:
        ArgumentError: for what is no text.
    Example:
        >>> words("It's 42 bears!")
        ['It', "'s", ' ', '4', '2', ' bears', '!']
    """
    text = as_text(text, "text")
    kinds = "".join(map(_kind, text))
    found, at = [], 0
    while at < len(text):
        match = CONTRACTION.match(text, at) or WORD.match(kinds, at)
        end = match.end()  # type: ignore[union-attr]               # every kind begins a word
        found.append(text[at:end])
        at = end
    return found


@functools.lru_cache(4096)
def _kind(character: str) -> str:
    if character in WHITE_SPACE:
        return "_" if character == " " else "s"
    kind = unicodedata.category(character)[0]
    return kind if kind in "LN" else "o"


def merge_pair(ids: Sequence[int], pair: Pair, new: int) -> list[int]:
    """The tokens with every occurrence of a pair, from left to right, replaced by a new token.

    A token is used once: of three equal ones, (a, a) joins the first two. Source: Sennrich, Haddow
    and Birch 2016, algorithm 1.

    Parameters:
        ids: the numbers of the tokens (T,).
        pair: two numbers.
        new: the number of the new token.
    Returns:
        A new list, never longer.
    Raises:
        ArgumentError: for what are no numbers of tokens, or no pair.
    Example:
        >>> merge_pair([1, 1, 1, 2], (1, 1), 9)
        [9, 1, 2]
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


def learn(
    text: str, n_merges: int, merge_pair: Callable[[list[int], Pair, int], list[int]] = merge_pair
) -> list[Pair]:
    """The pairs that byte-pair encoding finds in a text.

    Tokens 0 to 255 are the bytes, token 256 + k is the k-th pair. Each step takes the pair that
    occurs most often inside the words of the text; of equals the one with the smallest numbers.
    Source: Sennrich, Haddow and Birch 2016, algorithm 1.

    Parameters:
        text: what is learned from.
        n_merges: how many pairs are wanted.
        merge_pair: a function of your own may stand in, called as merge_pair(ids, pair, new).
    Returns:
        Pairs (left, right), fewer than wanted where no pair is left to join.
    Raises:
        ArgumentError: for what is no text, or no number.
    Example:
        >>> learn("low lower lowest", 2)                  # l and o, then lo and w
        [(108, 111), (256, 119)]
    """
    text, n_merges = as_text(text, "text"), as_count(n_merges, "n_merges")
    times = Counter(words(text))
    cut = {word: list(word.encode()) for word in times}
    counts: Counter[Pair] = Counter()
    pairs: list[Pair] = []
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


def _count(counts: Counter[Pair], ids: list[int], times: int) -> None:
    for pair in zip(ids, ids[1:], strict=False):
        counts[pair] += times


class Tokenizer:
    r"""Text to numbers and back, by pairs in the order in which they were learned.

    Numbers count the special tokens first, then the single bytes, then the pairs. A byte without a
    token is left out. Source: Radford et al. 2019, section 2.2.

    Parameters:
        pairs: (left, right) by their numbers, each of a token that stands before it.
        first: the single bytes that have a token, in the order of their numbers; all 256 where none
            are given.
        special: texts that are a token each and are never cut, such as ``<|im_end|>``.
    Attributes:
        pieces: the bytes of each token.
        joined: {(left, right): number}; pairs is the way back.
        bytes: {byte: number}.
        special: {text: number}.
    Raises:
        ArgumentError: for pairs of later tokens, and bytes or special texts that are there twice.
    Example:
        >>> tokenizer = Tokenizer(learn("low lower lowest", 2))
        >>> tokenizer.encode("slow")
        [115, 257]
        >>> tokenizer.decode([115, 257]), len(tokenizer)
        ('slow', 258)
    """

    def __init__(
        self, pairs: Iterable[Pair], first: Iterable[int] = range(256), special: Iterable[str] = ()
    ) -> None:
        pairs, first, special = check_tokenizer(pairs, first, special)
        self.special = {text: i for i, text in enumerate(special)}
        self.pieces = [*(text.encode() for text in special), *(bytes([byte]) for byte in first)]
        self.joined: dict[Pair, int] = {}
        for new, (left, right) in enumerate(pairs, start=len(self.pieces)):
            self.joined[left, right] = new
            self.pieces.append(self.pieces[left] + self.pieces[right])
        self.pairs = dict(zip(self.joined.values(), self.joined, strict=True))
        self.bytes = {byte: i for i, byte in enumerate(first, start=len(special))}
        longest_first = sorted(map(re.escape, special), key=len, reverse=True)
        self._special = re.compile("|".join(longest_first) or r"(?!)")
        self._word = functools.lru_cache(50_000)(self._encode_word)

    def __len__(self) -> int:
        return len(self.pieces)

    def encode(self, text: str, special: bool = True) -> list[int]:
        """The numbers of a text's tokens.

        Parameters:
            text: a text.
            special: with False ``<|im_end|>`` in it is a text like any other, not a special token.
        Returns:
            Numbers from 0 to len(tokenizer) - 1.
        Raises:
            ArgumentError: for what is no text.
        Example:
            >>> tokenizer = Tokenizer([], special=["<end>"])
            >>> tokenizer.encode("A<end>")
            [66, 0]
        """
        text = as_text(text, "text")
        ids, at = [], 0
        for found in self._special.finditer(text) if special else ():
            ids += [i for word in words(text[at : found.start()]) for i in self._word(word)]
            ids.append(self.special[found[0]])
            at = found.end()
        return ids + [i for word in words(text[at:]) for i in self._word(word)]

    def _encode_word(self, word: str) -> list[int]:
        ids = [self.bytes[byte] for byte in word.encode() if byte in self.bytes]
        while True:
            neighbours = zip(ids, ids[1:], strict=False)
            found = [self.joined[pair] for pair in neighbours if pair in self.joined]
            if not found:
                return ids
            first = min(found)  # of all pairs that could be joined, the one learned first
            ids = merge_pair(ids, self.pairs[first], first)

    def decode(self, ids: Sequence[int]) -> str:
        r"""The text of tokens. What is no text in UTF-8, such as half a character, becomes \ufffd.

        Parameters:
            ids: numbers of tokens.
        Returns:
            A text.
        Raises:
            ArgumentError: for numbers that no token has.
        Example:
            >>> Tokenizer([]).decode([72, 105])
            'Hi'
        """
        return b"".join(self.pieces[i] for i in check_ids(ids, len(self))).decode(errors="replace")

    def cut(self, text: str, special: bool = True) -> list[str]:
        r"""The texts of a text's tokens; a part of a character shows as \ufffd.

        Parameters:
            text, special: as in encode.
        Returns:
            A text for each token.
        Raises:
            ArgumentError: for what is no text.
        Example:
            >>> Tokenizer(learn("low lower lowest", 2)).cut("slow")
            ['s', 'low']
        """
        return [self.decode([i]) for i in self.encode(text, special)]
