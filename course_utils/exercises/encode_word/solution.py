def encode_word(word, pairs):
    ids = list(word.encode())
    for k, pair in enumerate(pairs):  # the first learned is joined first
        ids = merge_pair(ids, pair, 256 + k)
    return ids
