"""`note_12` with other numbers: the answer follows from the same idea."""



from course_utils.diagnosis.questions import Numbers
from course_utils.tokens import merge_pair


def variant(rng):
    starts = rng.choice(["Bär", "café", "naïv", "çat", "über", "smör", "ñan"], 2, replace=False)
    word = "".join([*starts, rng.choice(["ing", "ist", "lich"])])
    ids, pairs = list(word.encode()), []
    for k in range(int(rng.integers(3, 6))):
        i = int(rng.integers(len(ids) - 1))
        pairs.append((ids[i], ids[i + 1]))
        ids = merge_pair(ids, pairs[-1], 256 + k)
    return Numbers(f"The bytes of “{word}” are {list(word.encode())}. A vocabulary has joined these pairs, in this order, as 256, 257, …: {pairs}. "
                   "How many letters has the word, how many bytes, and of how many tokens is it made? And which is its first token?",
                   [len(word), len(word.encode()), len(ids), ids[0]])
