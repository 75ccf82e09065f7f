"""Attempts at the exercise of notebook 00: row_sums."""

from attempts import Attempt

ATTEMPTS = [
    Attempt("row_sums", "", """
def my_row_sums(A):
    sums = np.zeros(len(A))
    for i in range(len(A)):
        for j in range(len(A[i])):
            sums[i] += A[i, j]
    return sums
"""),
    Attempt("row_sums", "", """
def my_row_sums(A):
    return A @ np.ones(A.shape[1])
"""),
    Attempt("row_sums", "", """
def my_row_sums(A):
    sums = []
    for row in A:
        sums.append(sum(row))
    return np.array(sums)
"""),
    Attempt("row_sums", "sums the columns: axis 0", """
def my_row_sums(A):
    sums = np.sum(A, axis=0)
    return sums
"""),
    Attempt("row_sums", "sums the columns: Python's sum adds the rows up", """
def my_row_sums(A):
    return sum(A)
"""),
    Attempt("row_sums", "one number for the whole table: axis forgotten", """
def my_row_sums(A):
    sums = A.sum()
    return sums
"""),
    Attempt("row_sums", "a column (T, 1) instead of (T,): keepdims=True", """
def my_row_sums(A):
    return np.sum(A, axis=1, keepdims=True)
"""),
    Attempt("row_sums", "prints instead of returning", """
def my_row_sums(A):
    sums = A.sum(axis=1)
    print(sums)
"""),
    Attempt("row_sums", "returns inside the loop: only the first row's sum", """
def my_row_sums(A):
    for row in A:
        sums = 0
        for number in row:
            sums = sums + number
        return sums
"""),
    Attempt("row_sums", "the total is not set back to 0: running totals over the rows", """
def my_row_sums(A):
    T, n = A.shape
    sums = np.zeros(T)
    total = 0
    for t in range(T):
        for k in range(n):
            total += A[t][k]
        sums[t] = total
    return sums
"""),
]
