def merge_pair(ids, pair, new):
    merged, i = [], 0
    while i < len(ids):
        if i + 1 < len(ids) and (ids[i], ids[i + 1]) == tuple(pair):
            merged.append(new)
            i += 2  # both are used up
        else:
            merged.append(ids[i])
            i += 1
    return merged
