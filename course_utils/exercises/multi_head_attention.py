"""The exercises of notebook 05: splitting and merging heads, and all of multi-head attention."""

import numpy as np

from course_utils import attention as course
from course_utils.attention import scaled_dot_product_attention, softmax
from course_utils.cards.look import table
from course_utils.diagnosis.exercise import Catch, Exercise, Reading

RNG = np.random.default_rng(5)
LARGE = "scores of several thousand"
WIDTHS = "keys and values whose widths are not D / H"


def split_heads(X, n_heads):
    return course.split_heads(X, n_heads)


SPLIT = Exercise(
    "split_heads", split_heads,
    inputs=[
        (RNG.normal(size=(5, 6)), 2),                      # T, D, H and d all different
        (RNG.normal(size=(4, 4)), 2),
        (RNG.normal(size=(6, 6)), 3),
        (RNG.normal(size=(3, 12)), 3),
        (RNG.normal(size=(5, 3)), 1),
    ],
    minutes=8, difficulty=2,
    nudge="Two steps: cut each row into pieces of d features, which gives (T, H, d); then let two axes change places. Which two?",
    skeleton="""
def my_split_heads(X, n_heads):        # (T, D)
    T, D = X.shape
    pieces = ...                       # (T, H, d)  each row cut into H pieces
    return ...                         # (H, T, d)  heads in front
""")


@SPLIT.mistake("reshaped without a transpose",
               "reshape fills row after row, so heads and tokens get mixed. Split the features first, then bring the heads to the front.")
def reshaped_only(X, n_heads):
    return X.reshape(n_heads, len(X), -1)


@SPLIT.mistake("heads split over tokens", "Here each head gets some of the tokens. Every head sees all tokens, and some of the features.")
def some_tokens_each(X, n_heads):
    return np.stack(np.split(X, n_heads))


@SPLIT.mistake("heads in the middle", "The features are split, but the axes stand as (T, H, d). Bring the heads to the front: (H, T, d).")
def tokens_first(X, n_heads):
    return X.reshape(len(X), n_heads, -1)


@SPLIT.mistake("every second feature", "Head 0 gets the first d features, not every H-th of them.")
def interleaved(X, n_heads):
    return X.reshape(len(X), -1, n_heads).transpose(2, 0, 1)


@SPLIT.mistake("tokens and features swapped", "Each head should be (T, d), tokens as rows. Here it is (d, T).")
def transposed_heads(X, n_heads):
    return X.T.reshape(n_heads, -1, len(X))


@SPLIT.mistake("all three axes turned round", "`.T` of three axes turns all of them round. Only two should change places.")
def all_turned(X, n_heads):
    return X.reshape(len(X), n_heads, -1).T


@SPLIT.mistake("the number of heads as their width", "Each piece is as wide as there are heads. There should be H pieces, each D / H wide.")
def heads_of_width_n(X, n_heads):
    return X.reshape(len(X), -1, n_heads).transpose(1, 0, 2)


@SPLIT.mistake("reshaped, then turned", "The axes are in order only after the second step; the first one has mixed tokens and features already. "
               "Which shape keeps each row together?")
def reshaped_then_turned(X, n_heads):
    return X.reshape(n_heads, len(X), -1).transpose(1, 0, 2)


@SPLIT.mistake("all features in each head", "Each head got a copy of everything. The features are shared out: each head gets some of them.")
def copies(X, n_heads):
    return np.stack([X] * n_heads)


@SPLIT.mistake("the first head only", "Only the first head came back. Asked are all of them, one below the other: (H, T, d).")
def first_head(X, n_heads):
    return X[:, :X.shape[1] // n_heads]


@SPLIT.mistake("heads in reverse order", "The last features became head 0. Head 0 gets the first d of them.")
def reversed_heads(X, n_heads):
    return course.split_heads(X, n_heads)[::-1]


CATCH_SPLIT = Catch(
    "catch_split_heads", SPLIT, "law",
    planted=["reshaped without a transpose", "heads split over tokens", "heads in the middle", "every second feature", "tokens and features swapped",
             "heads in reverse order"],
    enough=5, minutes=7, difficulty=2,
    task="Write a law that every right split_heads keeps, and as many wrong ones as possible break.",
    nudge="Which numbers of X are the first token's in head 0? A table whose numbers say where they stand, such as 0, 1, 2, …, helps.",
    skeleton="""
def my_catch_split_heads(split_heads):      # a function of X and n_heads -> True or False
    X = ...                                 # a table in which no two numbers are alike
    heads = split_heads(X, 3)
    first, last = ..., ...                  # what head 0 and the last head must be: columns of X
    return np.array_equal(heads[0], first) and np.array_equal(heads[-1], last)
""")


@SPLIT.mistake("heads below each other",
               "The pieces are right, but glued into one table. Heads are tables of their own, one behind the other: (H, T, d).")
def glued_below(X, n_heads):
    return np.concatenate(np.split(X, n_heads, axis=1))


@SPLIT.mistake("slices that overlap",
               "Each slice begins only one feature after the one before. Head h begins where the d features of the heads before it end.")
def overlapping(X, n_heads):
    d = X.shape[1] // n_heads
    return np.stack([X[:, h:h + d] for h in range(n_heads)])


@SPLIT.mistake("the same head again and again", "Every head got the first d features. Each head gets features of its own.")
def same_head(X, n_heads):
    return np.stack([X[:, :X.shape[1] // n_heads]] * n_heads)


@SPLIT.mistake("the axes asked of reshape alone",
               "reshape fills row after row, whatever the sizes are called. It does not turn anything: (H, d, T) is not what it makes.")
def reshaped_to_turned(X, n_heads):
    return X.reshape(n_heads, -1, len(X))


@SPLIT.mistake("rows taken for features", "The first axis of X counts tokens. What is shared out among the heads are the features, the second.")
def rows_interleaved(X, n_heads):
    return np.stack([X[h::n_heads] for h in range(n_heads)])


def merge_heads(X):
    return course.merge_heads(X)


MERGE = Exercise(
    "merge_heads", merge_heads,
    inputs=[(RNG.normal(size=(2, 5, 3)),), (RNG.normal(size=(3, 3, 3)),), (RNG.normal(size=(3, 4, 2)),), (RNG.normal(size=(2, 4, 2)),)],
    minutes=5, difficulty=2,
    nudge="The way back of split_heads: the same two steps, in the other order. Which axis must stand first before rows are filled?",
    skeleton="""
def my_merge_heads(X):                 # (H, T, d)
    H, T, d = X.shape
    pieces = ...                       # (T, H, d)  all pieces of a token together
    return ...                         # (T, H * d)
""")


@MERGE.mistake("merged without the transpose",
               "reshape fills row after row, so a row gets pieces of several tokens. Put the token axis first, then merge.")
def reshaped_back(X):
    H, T, d = X.shape
    return X.reshape(T, H * d)


@MERGE.mistake("heads averaged", "An average throws away what makes heads different. Lay them side by side.")
def averaged(X):
    return X.mean(axis=0)


@MERGE.mistake("heads added",
               "A sum throws away what makes heads different. Lay them side by side; W_O does the adding, each head by its own matrix.")
def added(X):
    return X.sum(axis=0)


@MERGE.mistake("heads below each other", "Here the table has H times as many rows. Heads stand side by side: each token keeps one row.")
def stacked(X):
    return np.concatenate(list(X), axis=0)


@MERGE.mistake("features interleaved", "A token's row holds all of head 0, then all of head 1. Here their features take turns.")
def taking_turns(X):
    return X.transpose(1, 2, 0).reshape(X.shape[1], -1)


@MERGE.mistake("not merged yet", "The tokens stand first, but the heads are still apart: (T, H, d). One step is left.")
def still_apart(X):
    return X.transpose(1, 0, 2)


@MERGE.mistake("one row a head", "Each head became one long row. Each token should: (T, H * d).")
def row_of_a_head(X):
    return X.reshape(len(X), -1)


@MERGE.mistake("tokens as columns", "The numbers are right, but each token is a column. Tokens are rows.")
def tokens_as_columns(X):
    return course.merge_heads(X).T


@MERGE.mistake("all three axes turned round", "`.T` of three axes turns all of them round. Only two should change places.")
def all_turned_back(X):
    H, T, d = X.shape
    return X.T.reshape(T, H * d)


@MERGE.mistake("features before heads", "The last two axes changed places, so features and tokens get mixed. Heads and tokens should change places.")
def features_first(X):
    H, T, d = X.shape
    return X.transpose(0, 2, 1).reshape(T, H * d)


@MERGE.mistake("the first head only", "Only the first head came back. All of them stand side by side.")
def head_zero(X):
    return X[0]


@MERGE.mistake("one long row", "Everything became one row. Each token keeps a row of its own: (T, H * d).")
def flat(X):
    return X.reshape(-1)


@MERGE.mistake("slices that overlap",
               "Each head was put only one column after the one before, and covers most of it. Head h begins after the h * d columns of the others.")
def overlapping_slices(X):
    H, T, d = X.shape
    merged = np.zeros((T, H * d))
    for h in range(H):
        merged[:, h:h + d] = X[h]
    return merged


@MERGE.mistake("the first two heads only", "Two heads stand side by side, however many came. All of them do.")
def first_two(X):
    return np.hstack([X[0], X[1]])


@MERGE.mistake("heads in reverse order", "The last head stands first. Head 0 has the first d columns.")
def reversed_merge(X):
    return course.merge_heads(X[::-1])


@MERGE.mistake("features first", "The features were brought to the front, so a row gets pieces of several tokens. The tokens belong there.")
def features_to_the_front(X):
    H, T, d = X.shape
    return X.transpose(2, 0, 1).reshape(T, H * d)


@MERGE.mistake("heads multiplied", "The heads were multiplied. Lay them side by side.")
def multiplied_heads(X):
    return X.prod(axis=0)


@MERGE.mistake("the largest of the heads", "Of each number the largest head was kept. Lay them side by side: nothing is thrown away.")
def largest_heads(X):
    return X.max(axis=0)


@MERGE.mistake("the first head again and again", "Every place holds the first head. Each head has columns of its own.")
def first_head_repeated(X):
    return np.hstack([X[0]] * len(X))


def multi_head_attention(X, W_Q, W_K, W_V, W_O, n_heads):
    return course.multi_head_attention(X, W_Q, W_K, W_V, W_O, n_heads)[0]


def _given(T, d_k, H, D=None, d_v=None, length=1):
    """X, the four matrices and the number of heads; unless told, D is H * d_k, and values are as wide as keys, as they mostly are."""
    D, d_v = D or H * d_k, d_v or d_k
    X, *matrices = (RNG.normal(size=shape) for shape in [(T, D), (D, H * d_k), (D, H * d_k), (D, H * d_v), (H * d_v, D)])
    return length * X, *matrices, H


MULTI = Exercise(
    "multi_head_attention", multi_head_attention,
    inputs=[
        _given(5, 3, 2),                                   # T, D, d_k and H all different
        _given(4, 2, 2),                                   # as many tokens as features
        _given(3, 2, 3),
        _given(7, 3, 2),
        _given(4, 5, 2),
        _given(2, 2, 2),
    ],
    traps={LARGE: _given(5, 3, 2, length=50), WIDTHS: _given(7, 5, 2, D=8, d_v=3)},
    parts=("softmax", "split_heads", "merge_heads"),
    minutes=18, difficulty=3,
    nudge="Five steps, and you have written three of them: project, split, attend within each head, merge, mix. "
          "How wide is what one head's dot product adds up?",
    skeleton="""
def my_multi_head_attention(X, W_Q, W_K, W_V, W_O, n_heads):     # (T, D)
    Q = mine.split_heads(..., n_heads)     # (H, T, d_k)
    K = ...                                # (H, T, d_k)
    V = ...                                # (H, T, d_v)
    S = ...                                # (H, T, T)    each head by itself, scaled
    heads = np.zeros(V.shape)              # (H, T, d_v)
    for h in range(n_heads):
        heads[h] = ...                     # (T, d_v)     this head's average of its values
    return ...                             # (T, D)       side by side, then mixed
""")


def _project(X, W_Q, W_K, W_V):
    return X @ W_Q, X @ W_K, X @ W_V


def _attend(Q, K, V, n_heads, scale=None):
    """Heads of what was projected: (H, T, d_v)."""
    return scaled_dot_product_attention(*(course.split_heads(P, n_heads) for P in (Q, K, V)), scale=scale)[0]


def _scaled(X, W_Q, W_K, W_V, W_O, n_heads, scale):
    return course.merge_heads(_attend(*_project(X, W_Q, W_K, W_V), n_heads, scale)) @ W_O


@MULTI.mistake("one scale √D", "Each head's dot products run over its own d_k features. Scale by their root, not by that of the whole width.")
def scaled_by_the_whole_width(X, W_Q, W_K, W_V, W_O, n_heads):
    return _scaled(X, W_Q, W_K, W_V, W_O, n_heads, 1 / np.sqrt(X.shape[1]))


@MULTI.mistake("one scale for all heads together",
               "The queries of all heads side by side are H * d_k wide. Each head's dot products run over its own d_k features: scale by their root.")
def scaled_by_all_heads(X, W_Q, W_K, W_V, W_O, n_heads):
    return _scaled(X, W_Q, W_K, W_V, W_O, n_heads, 1 / np.sqrt(W_Q.shape[1]))


@MULTI.mistake("divided by √(D/H)",
               "D / H is the width only if the heads share D. A dot product adds up d_k numbers: the columns of one head's queries.", trap=WIDTHS)
def scaled_by_a_share_of_the_width(X, W_Q, W_K, W_V, W_O, n_heads):
    return _scaled(X, W_Q, W_K, W_V, W_O, n_heads, 1 / np.sqrt(X.shape[1] / n_heads))


@MULTI.mistake("divided by √d_v",
               "d_v is the width of what is sent. A dot product adds up d_k numbers: the columns of one head's queries.", trap=WIDTHS)
def scaled_by_the_width_of_values(X, W_Q, W_K, W_V, W_O, n_heads):
    return _scaled(X, W_Q, W_K, W_V, W_O, n_heads, 1 / np.sqrt(W_V.shape[1] / n_heads))


def _cut(P, d, n_heads):
    """The columns of P in pieces of d, as slices give them: the last are narrower where P is too narrow."""
    return [P[:, h * d:(h + 1) * d] for h in range(n_heads)]


def _by_slices(X, W_Q, W_K, W_V, W_O, n_heads, d):
    pieces = zip(*(_cut(P, d, n_heads) for P in _project(X, W_Q, W_K, W_V)), strict=True)
    return np.hstack([softmax(Q @ K.T / np.sqrt(d)) @ V for Q, K, V in pieces]) @ W_O


@MULTI.mistake("values cut where keys are",
               "Values have a width of their own, d_v: the columns of W_V, shared out among the heads. Here they were cut after d_k columns.",
               trap=WIDTHS)
def values_as_wide_as_keys(X, W_Q, W_K, W_V, W_O, n_heads):
    return _by_slices(X, W_Q, W_K, W_V, W_O, n_heads, W_Q.shape[1] // n_heads)


@MULTI.mistake("heads cut D / H wide",
               "The heads need not share D. How wide they are the matrices say: the columns of W_Q, shared out among the heads, and those of W_V.",
               trap=WIDTHS)
def heads_share_D(X, W_Q, W_K, W_V, W_O, n_heads):
    return _by_slices(X, W_Q, W_K, W_V, W_O, n_heads, X.shape[1] // n_heads)


@MULTI.mistake("not scaled", "The scores are not divided by the square root of d_k, the width of a head.")
def unscaled(X, W_Q, W_K, W_V, W_O, n_heads):
    return _scaled(X, W_Q, W_K, W_V, W_O, n_heads, 1)


@MULTI.mistake("scaled twice", "The root is right, but it divides two times over: that is a division by d_k. Once is enough.", requires="a root")
def root_twice(X, W_Q, W_K, W_V, W_O, n_heads):
    return _scaled(X, W_Q / np.sqrt(W_Q.shape[1] / n_heads), W_K, W_V, W_O, n_heads, None)


@MULTI.mistake("divided by d_k", "The scores are divided by d_k, the width of a head. Where is the root?")
def divided_by_width(X, W_Q, W_K, W_V, W_O, n_heads):
    return _scaled(X, W_Q, W_K, W_V, W_O, n_heads, n_heads / W_Q.shape[1])


@MULTI.mistake("divided by D",
               "The scores are divided by the whole width. Each head's dot products run over its own d_k features, and there is a root.")
def divided_by_whole_width(X, W_Q, W_K, W_V, W_O, n_heads):
    return _scaled(X, W_Q, W_K, W_V, W_O, n_heads, 1 / X.shape[1])


@MULTI.mistake("divided by √T", "T is how many tokens there are. A score is a sum over the d_k features of a head: scale by those.")
def divided_by_root_of_tokens(X, W_Q, W_K, W_V, W_O, n_heads):
    return _scaled(X, W_Q, W_K, W_V, W_O, n_heads, 1 / np.sqrt(len(X)))


@MULTI.mistake("divided by √H", "H is how many heads there are. A score is a sum over the d_k features of a head: scale by those.")
def divided_by_root_of_heads(X, W_Q, W_K, W_V, W_O, n_heads):
    return _scaled(X, W_Q, W_K, W_V, W_O, n_heads, 1 / np.sqrt(n_heads))


@MULTI.mistake("half the width in place of its root",
               "In Python `d ** 1/2` is half of d: the power comes before the division. Where do the brackets belong?")
def divided_by_half_the_width(X, W_Q, W_K, W_V, W_O, n_heads):
    return _scaled(X, W_Q, W_K, W_V, W_O, n_heads, 2 * n_heads / W_Q.shape[1])


@MULTI.mistake("twice the width in place of its root",
               "In Python `S / d ** 1/2` divides by d, then by 2: the power comes first. Where do brackets belong?")
def divided_by_twice_the_width(X, W_Q, W_K, W_V, W_O, n_heads):
    return _scaled(X, W_Q, W_K, W_V, W_O, n_heads, n_heads / W_Q.shape[1] / 2)


@MULTI.mistake("multiplied instead of divided", "The scores grow with d_k already. Multiplying makes it worse: divide.")
def multiplied_by_root(X, W_Q, W_K, W_V, W_O, n_heads):
    return _scaled(X, W_Q, W_K, W_V, W_O, n_heads, np.sqrt(W_Q.shape[1] / n_heads))


@MULTI.mistake("scaled after softmax", "Scaled weights no longer sum to 1. The scale belongs to the scores, before the softmax.")
def scaled_weights(X, W_Q, W_K, W_V, W_O, n_heads):
    return unscaled(X, W_Q, W_K, W_V, W_O, n_heads) / np.sqrt(W_Q.shape[1] / n_heads)


@MULTI.mistake("heads merged without the transpose",
               "The heads are right, but put together so that rows mix tokens. (H, T, d) becomes (T, H, d) before it becomes (T, H*d).")
def merged_wrongly(X, W_Q, W_K, W_V, W_O, n_heads):
    return _attend(*_project(X, W_Q, W_K, W_V), n_heads).reshape(len(X), -1) @ W_O


@MULTI.mistake("heads split over tokens",
               "A plain reshape to (H, T, d) mixes tokens and features. Split the features first, then bring the heads to the front.")
def split_wrongly(X, W_Q, W_K, W_V, W_O, n_heads):
    Q, K, V = (P.reshape(n_heads, len(X), -1) for P in _project(X, W_Q, W_K, W_V))
    return course.merge_heads(scaled_dot_product_attention(Q, K, V)[0]) @ W_O


@MULTI.mistake("split and merged without a transpose", "Plain reshapes mix tokens and features on the way in and on the way out. "
               "Split the features first, then bring the heads to the front; and back in the other order.")
def split_and_merged_wrongly(X, W_Q, W_K, W_V, W_O, n_heads):
    Q, K, V = (P.reshape(n_heads, len(X), -1) for P in _project(X, W_Q, W_K, W_V))
    return scaled_dot_product_attention(Q, K, V)[0].reshape(len(X), -1) @ W_O


@MULTI.mistake("heads attend to heads",
               "With the axes (T, H, d) each token's heads look at each other. Tokens should look at tokens: bring the heads to the front.")
def heads_as_tokens(X, W_Q, W_K, W_V, W_O, n_heads):
    Q, K, V = (P.reshape(len(X), n_heads, -1) for P in _project(X, W_Q, W_K, W_V))
    return scaled_dot_product_attention(Q, K, V)[0].reshape(len(X), -1) @ W_O


@MULTI.mistake("every second feature", "Head 0 gets the first d features, not every H-th of them.")
def interleaved_heads(X, W_Q, W_K, W_V, W_O, n_heads):
    Q, K, V = (interleaved(P, n_heads) for P in _project(X, W_Q, W_K, W_V))
    return course.merge_heads(scaled_dot_product_attention(Q, K, V)[0]) @ W_O


@MULTI.mistake("heads averaged", "The blocks of W_O add the heads up. Nothing is divided by their number.")
def mean_of_heads(X, W_Q, W_K, W_V, W_O, n_heads):
    return multi_head_attention(X, W_Q, W_K, W_V, W_O, n_heads) / n_heads


@MULTI.mistake("heads summed before W_O",
               "The heads were added up, and what makes them different is gone. Side by side, each meets rows of W_O of its own.")
def summed_heads(X, W_Q, W_K, W_V, W_O, n_heads):
    return _attend(*_project(X, W_Q, W_K, W_V), n_heads).sum(axis=0)


@MULTI.mistake("heads averaged before W_O",
               "The heads were averaged, and what makes them different is gone. Side by side, each meets rows of W_O of its own.")
def averaged_heads(X, W_Q, W_K, W_V, W_O, n_heads):
    return _attend(*_project(X, W_Q, W_K, W_V), n_heads).mean(axis=0)


@MULTI.mistake("heads not added up", "Each head went through its rows of W_O, and they are still apart: (H, T, D). One sum is left.")
def heads_apart(X, W_Q, W_K, W_V, W_O, n_heads):
    return _attend(*_project(X, W_Q, W_K, W_V), n_heads) @ W_O.reshape(n_heads, -1, W_O.shape[1])


@MULTI.mistake("one head only", "This is a single head of full width. Split queries, keys and values into n_heads first.")
def single_head(X, W_Q, W_K, W_V, W_O, n_heads):
    return scaled_dot_product_attention(X @ W_Q, X @ W_K, X @ W_V)[0] @ W_O


@MULTI.mistake("W_O forgotten", "The heads stand side by side. One matrix is left, which mixes them back into the model's width.",
               unused_arguments="W_O")
def not_mixed(X, W_Q, W_K, W_V, W_O, n_heads):
    return course.merge_heads(_attend(*_project(X, W_Q, W_K, W_V), n_heads))


@MULTI.mistake("W_O transposed", "W_O has a row for each feature that goes in and a column for each that comes out. It needs no transpose.")
def turned_W_O(X, W_Q, W_K, W_V, W_O, n_heads):
    return not_mixed(X, W_Q, W_K, W_V, W_O, n_heads) @ W_O.T


@MULTI.mistake("queries not projected", "The heads' queries are pieces of X itself. W_Q makes queries of X first.")
def raw_queries(X, W_Q, W_K, W_V, W_O, n_heads):
    return course.merge_heads(_attend(X, X @ W_K, X @ W_V, n_heads)) @ W_O


@MULTI.mistake("keys not projected", "The heads' keys are pieces of X itself. W_K makes keys of X first.")
def raw_keys(X, W_Q, W_K, W_V, W_O, n_heads):
    return course.merge_heads(_attend(X @ W_Q, X, X @ W_V, n_heads)) @ W_O


@MULTI.mistake("values not projected", "The heads' values are pieces of X itself. W_V makes values of X first.")
def raw_values(X, W_Q, W_K, W_V, W_O, n_heads):
    return course.merge_heads(_attend(X @ W_Q, X @ W_K, X, n_heads)) @ W_O


@MULTI.mistake("nothing projected", "The heads are pieces of X itself. Queries, keys and values have a matrix each.")
def raw(X, W_Q, W_K, W_V, W_O, n_heads):
    return course.merge_heads(_attend(X, X, X, n_heads)) @ W_O


@MULTI.mistake("one matrix for all three", "Asking, answering and sending are three jobs with a matrix each.")
def same_matrix(X, W_Q, W_K, W_V, W_O, n_heads):
    return course.merge_heads(_attend(X @ W_Q, X @ W_Q, X @ W_Q, n_heads)) @ W_O


@MULTI.mistake("keys and values swapped", "Queries meet keys; values are what is averaged. Here it is the other way round.")
def keys_sent(X, W_Q, W_K, W_V, W_O, n_heads):
    return course.merge_heads(_attend(X @ W_Q, X @ W_V, X @ W_K, n_heads)) @ W_O


@MULTI.mistake("keys and queries swapped", "Queries are the rows of the scores, keys the columns. Here each key asks.")
def keys_ask(X, W_Q, W_K, W_V, W_O, n_heads):
    return course.merge_heads(_attend(X @ W_K, X @ W_Q, X @ W_V, n_heads)) @ W_O


@MULTI.mistake("weights @ K", "Keys only decide how much; what is averaged are the values.")
def averages_keys(X, W_Q, W_K, W_V, W_O, n_heads):
    return course.merge_heads(_attend(X @ W_Q, X @ W_K, X @ W_K, n_heads)) @ W_O


@MULTI.mistake("one head only, divided by √(D/H)",
               "All columns make one table of weights, as wide as they are. Each head has its own columns, scores and weights.")
def one_wide_head_by_the_narrow_root(X, W_Q, W_K, W_V, W_O, n_heads):
    Q, K, V = _project(X, W_Q, W_K, W_V)
    return softmax(Q @ K.T / np.sqrt(Q.shape[1] / n_heads)) @ V @ W_O


@MULTI.mistake("softmax over queries", "For each query the weights over the keys sum to 1: along which axis do the keys run? "
               "(Your softmax of notebook 01 may sum along axis 1, which is the keys' in one table. In (H, T, T) it is the queries'.)")
def keys_share_out(X, W_Q, W_K, W_V, W_O, n_heads):
    Q, K, V = (course.split_heads(P, n_heads) for P in _project(X, W_Q, W_K, W_V))
    return course.merge_heads(softmax(course.attention_scores(Q, K), axis=-2) @ V) @ W_O


@MULTI.mistake("softmax over heads",
               "The first axis counts heads, and here they share out 1 among them. Each head shares out its own 1, over the keys.")
def heads_share_out(X, W_Q, W_K, W_V, W_O, n_heads):
    Q, K, V = (course.split_heads(P, n_heads) for P in _project(X, W_Q, W_K, W_V))
    return course.merge_heads(softmax(course.attention_scores(Q, K), axis=0) @ V) @ W_O


@MULTI.mistake("softmax missing", "The scores are used as they are. They must become weights that sum to 1 in each row.")
def no_softmax(X, W_Q, W_K, W_V, W_O, n_heads):
    Q, K, V = (course.split_heads(P, n_heads) for P in _project(X, W_Q, W_K, W_V))
    return course.merge_heads(course.attention_scores(Q, K) @ V) @ W_O


@MULTI.mistake("keepdims forgotten", "The sums have lost an axis, (H, T), so NumPy lays them along the wrong one. "
               "Keep the axis: then each sum divides its own row.")
def sums_along_the_wrong_side(X, W_Q, W_K, W_V, W_O, n_heads):
    Q, K, V = (course.split_heads(P, n_heads) for P in _project(X, W_Q, W_K, W_V))
    S = course.attention_scores(Q, K)
    e = np.exp(S - S.max(axis=-1, keepdims=True))
    return course.merge_heads(e / e.sum(axis=-1) @ V) @ W_O


@MULTI.mistake("X + heads", "X itself is added to what the heads bring. That comes in notebook 06; here the heads stand alone.")
def with_a_skip(X, W_Q, W_K, W_V, W_O, n_heads):
    return X + multi_head_attention(X, W_Q, W_K, W_V, W_O, n_heads)


@MULTI.mistake("weights returned as well", "The output is right. Asked is the output alone, without the weights.")
def both_returned(X, W_Q, W_K, W_V, W_O, n_heads):
    return course.multi_head_attention(X, W_Q, W_K, W_V, W_O, n_heads)


@MULTI.mistake("a causal mask added", "Each token sees only what comes before it. No mask is asked here.")
def masked(X, W_Q, W_K, W_V, W_O, n_heads):
    return course.multi_head_attention(X, W_Q, W_K, W_V, W_O, n_heads, course.causal_mask(len(X)))[0]


@MULTI.mistake("heads not side by side before W_O", "What meets W_O is as wide as one head. Were the heads added up, or is only one kept? "
               "Side by side they are H times as wide.")
def summed_before_mixing(X, W_Q, W_K, W_V, W_O, n_heads):
    total = _attend(*_project(X, W_Q, W_K, W_V), n_heads).sum(axis=0)
    return total @ W_O


@MULTI.mistake("X split before it is projected", "X was cut into pieces, and each piece is narrower than the matrices. Project first, then split.")
def split_before_projecting(X, W_Q, W_K, W_V, W_O, n_heads):
    heads = course.split_heads(X, n_heads)
    Q, K, V = heads @ W_Q, heads @ W_K, heads @ W_V
    return course.merge_heads(scaled_dot_product_attention(Q, K, V)[0]) @ W_O


@MULTI.mistake("rows of the matrices instead of columns",
               "A head has some of the columns of W_Q. Here it got some of the rows: those are features that go in.")
def rows_of_the_matrices(X, W_Q, W_K, W_V, W_O, n_heads):
    d = W_Q.shape[1] // n_heads
    return X @ W_Q[:d]


@MULTI.mistake("the first head only", "Only the first head is heard. All of them stand side by side before they are mixed.")
def first_head_only(X, W_Q, W_K, W_V, W_O, n_heads):
    heads = _attend(*_project(X, W_Q, W_K, W_V), n_heads)
    return heads[0] @ W_O[:heads.shape[2]]


@MULTI.mistake("the same head again and again", "Every head uses the columns of the first. Each has columns of its own.")
def same_head_again(X, W_Q, W_K, W_V, W_O, n_heads):
    heads = _attend(*_project(X, W_Q, W_K, W_V), n_heads)
    return np.hstack([heads[0]] * n_heads) @ W_O


@MULTI.mistake("the last head again and again", "Every place holds the last head. Has each head's result a place of its own?")
def last_head_again(X, W_Q, W_K, W_V, W_O, n_heads):
    heads = _attend(*_project(X, W_Q, W_K, W_V), n_heads)
    return np.hstack([heads[-1]] * n_heads) @ W_O


@MULTI.mistake("heads in reverse order", "The last head stands first, and meets rows of W_O that belong to another. Head 0 has the first d columns.")
def reversed_before_mixing(X, W_Q, W_K, W_V, W_O, n_heads):
    return course.merge_heads(_attend(*_project(X, W_Q, W_K, W_V), n_heads)[::-1]) @ W_O


@MULTI.mistake("features interleaved", "Merged, a token's row holds all of head 0, then all of head 1. Here their features take turns.")
def taking_turns_before_mixing(X, W_Q, W_K, W_V, W_O, n_heads):
    return taking_turns(_attend(*_project(X, W_Q, W_K, W_V), n_heads)) @ W_O


@MULTI.mistake("W times X", "Tokens are rows, so the matrices belong on the other side: where they stand now they mix tokens.")
def matrices_on_the_left(X, W_Q, W_K, W_V, W_O, n_heads):
    return course.merge_heads(_attend(W_Q @ X, W_K @ X, W_V @ X, n_heads)) @ W_O


@MULTI.mistake("W_O on the left", "Tokens are rows here, too, so W_O belongs on the other side: where it stands now it mixes tokens.")
def W_O_on_the_left(X, W_Q, W_K, W_V, W_O, n_heads):
    return W_O @ course.merge_heads(_attend(*_project(X, W_Q, W_K, W_V), n_heads))


@MULTI.mistake("matrices transposed",
               "Each matrix has a row for each feature that goes in and a column for each that comes out. It needs no transpose.")
def turned_matrices(X, W_Q, W_K, W_V, W_O, n_heads):
    return multi_head_attention(X, W_Q.T, W_K.T, W_V.T, W_O, n_heads)


@MULTI.mistake("no transpose", "Each score is the dot product of a query with a key. In `@` the keys must stand as columns.")
def keys_not_transposed(X, W_Q, W_K, W_V, W_O, n_heads):
    Q, K, V = (course.split_heads(P, n_heads) for P in _project(X, W_Q, W_K, W_V))
    return course.merge_heads(softmax(Q @ K / np.sqrt(Q.shape[2])) @ V) @ W_O


@MULTI.mistake("not divided by the sum", "exp makes the scores positive. Weights sum to 1 in each row as well: a division is missing.")
def exponentials_average(X, W_Q, W_K, W_V, W_O, n_heads):
    Q, K, V = (course.split_heads(P, n_heads) for P in _project(X, W_Q, W_K, W_V))
    return course.merge_heads(np.exp(course.attention_scores(Q, K)) @ V) @ W_O


@MULTI.mistake("one softmax for each head's table",
               "All weights of a head together sum to 1. Each query shares out a whole 1 of its own: row by row.")
def one_competition(X, W_Q, W_K, W_V, W_O, n_heads):
    Q, K, V = (course.split_heads(P, n_heads) for P in _project(X, W_Q, W_K, W_V))
    e = np.exp(course.attention_scores(Q, K))
    return course.merge_heads(e / e.sum(axis=(1, 2), keepdims=True) @ V) @ W_O


@MULTI.mistake("softmax taken twice", "The weights went through softmax once more, which flattens them. Once is enough.")
def softmax_twice(X, W_Q, W_K, W_V, W_O, n_heads):
    Q, K, V = (course.split_heads(P, n_heads) for P in _project(X, W_Q, W_K, W_V))
    return course.merge_heads(softmax(softmax(course.attention_scores(Q, K))) @ V) @ W_O


@MULTI.mistake("one matrix for queries and keys",
               "Keys went through the matrix of the queries. Asking and answering are two jobs with a matrix each.")
def same_for_queries_and_keys(X, W_Q, W_K, W_V, W_O, n_heads):
    return multi_head_attention(X, W_Q, W_Q, W_V, W_O, n_heads)


@MULTI.mistake("one matrix for keys and values", "Keys went through the matrix of the values. Answering and sending are two jobs with a matrix each.")
def same_for_keys_and_values(X, W_Q, W_K, W_V, W_O, n_heads):
    return multi_head_attention(X, W_Q, W_V, W_V, W_O, n_heads)


@MULTI.mistake("no max-subtraction", "exp of a large score overflows and gives NaN. Use a softmax that shifts each row first.", trap=LARGE)
def overflowing(X, W_Q, W_K, W_V, W_O, n_heads):
    Q, K, V = (course.split_heads(P, n_heads) for P in _project(X, W_Q, W_K, W_V))
    e = np.exp(course.attention_scores(Q, K))
    return course.merge_heads(e / e.sum(axis=-1, keepdims=True) @ V) @ W_O


COUNTED = {H: (4 * 64 * 64, H * 512 * 512) for H in (1, 8)}          # parameters, weights of attention, at D = 64 and T = 512
NOTE = Reading(
    "note_05",
    "A lecture note says: “Eight heads let a layer store eight times as many weights, one table for each head, at no extra cost.” "
    "Below is what was counted for 64 features and a text of 512 tokens. Which sentence mends the note?",
    options=[
        ("Eight heads keep the number of parameters, but hold eight tables of attention weights, which cost memory.",
         f"The matrices are cut, not added: {COUNTED[8][0]:,} parameters either way. The tables are {COUNTED[8][1]:,} numbers instead of "
         f"{COUNTED[1][1]:,}, and each of them goes through exp."),
        ("Eight heads have eight times as many parameters, and so they store more, which costs time in every training step.",
         "The parameters are the same. Each head has an eighth of the columns of W_Q, W_K and W_V."),
        ("Eight heads keep the number of parameters and of attention weights, since each of the heads is an eighth as wide.",
         "Width is saved in the matrices. A table of weights has T rows and T columns, however narrow its head is."),
        ("Eight heads share one table of attention weights, so they cost the same and differ in what they send only.",
         "Each head has queries and keys of its own, and so a table of its own: that is what heads are for."),
    ],
    right="A", minutes=4, difficulty=2,
    picture=table([(str(H), f"{parameters:,}", f"{weights:,}") for H, (parameters, weights) in COUNTED.items()],
                  ["heads", "parameters", "attention weights"]))

TWO_TOKENS = np.arange(1, 9).reshape(2, 4)
WHICH_RESHAPE = Reading(
    "which_reshape_05",
    "`X` is the table below: two tokens, four features. What is `X.reshape(2, 2, 2)[0]`, and is it head 0 of two?",
    options=[
        ("`[[1 2] [5 6]]`, and it is head 0", "That would be head 0: both tokens, the first two features. But reshape takes 1, 2, 3, 4 first."),
        ("`[[1 2] [3 4]]`, and it is head 0", "Those are its numbers. But 3 and 4 are features of the first token, too: the second is missing."),
        ("`[[1 2] [3 4]]`, and it is not head 0", "reshape fills row after row: the first token alone, cut in two. Head 0 holds 1, 2 and 5, 6."),
        ("`[[1 3] [5 7]]`, and it is not head 0", "That takes every second feature. reshape takes the numbers as they stand: 1, 2, 3, 4."),
    ],
    right="C", minutes=2, difficulty=1,
    picture=table([(f"token {t}", *map(str, row)) for t, row in enumerate(TWO_TOKENS)], ["", "0", "1", "2", "3"]))


EXERCISES = [SPLIT, CATCH_SPLIT, MERGE, MULTI, NOTE, WHICH_RESHAPE]
