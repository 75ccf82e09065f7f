def row_sums(A):
    return A.sum(axis=1)
