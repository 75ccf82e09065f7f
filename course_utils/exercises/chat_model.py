"""The exercises of notebook 14: reading a word off the stream, the loop of a conversation, a table of silenced heads."""

import numpy as np

from course_utils.attention import softmax
from course_utils.cards.look import table
from course_utils.diagnosis.exercise import Exercise, Reading
from course_utils.layers import layer_norm, rms_norm

RNG = np.random.default_rng(14)


# The logit lens.

def logit_lens(states, gamma, eps, W_out, token):
    scores = rms_norm(states, gamma, eps) @ W_out
    return _ranks(scores, token)


def _ranks(scores, token):
    return (scores > scores[:, [token]]).sum(axis=1) + 1


def _stream(n, D, n_vocab, token, dtype=float):
    states = np.cumsum(RNG.normal(size=(n, D)), axis=0)
    return states.astype(dtype), RNG.uniform(0.2, 3, size=D).astype(dtype), 1e-5, RNG.normal(size=(D, n_vocab)).astype(dtype), token


LENS = Exercise("logit_lens", logit_lens, inputs=[
    _stream(5, 7, 11, 3),
    _stream(6, 6, 6, 1),                                          # as many words as features: a turned matrix does not fail
    _stream(9, 5, 40, 39, np.float32),
    (np.array([[2.0, 1.0], [-1.0, 3.0], [-2.0, -2.0]]), np.array([1.0, 0.1]), 0.0, np.array([[1.0, 0.0, 2.0], [0.0, 1.0, -1.0]]), 0),
    (np.array([[2.0, 1.0], [-1.0, 3.0], [1.0, -2.0]]), np.array([1.0, 0.5]), 0.0, np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 0.0]]), 0),    # a tie
],
    minutes=10, difficulty=2,
    nudge="First what the model itself does after its last block: the norm, then the head's matrix. A rank of 1 says that no word has a higher "
          "score: how many have, for each state?",
    skeleton="""def my_logit_lens(states, gamma, eps, W_out, token):
    normed = ...                          # (n, D)  the last norm, for each state
    scores = ...                          # (n, n_vocab)  what the head says
    higher = ...                          # (n, n_vocab)  True where a word beats `token`
    return ...                            # (n,)  1 where none does
""")


@LENS.mistake("γ left out, counted from 0", "Two things. Each state goes to the head without the norm's γ. And the likeliest word has rank 1, not 0.")
def without_gamma_from_zero(states, gamma, eps, W_out, token):
    return _ranks(states @ W_out, token) - 1


@LENS.mistake("γ left out", "Each state goes to the head without the norm's γ, which stretches every feature by its own factor. "
              "The length alone would not change an order.", unused_arguments="gamma")
def without_gamma(states, gamma, eps, W_out, token):
    return _ranks(states @ W_out, token)


@LENS.mistake("a layer norm", "This model's norm subtracts no mean: it divides by the root of the mean square.")
def with_a_mean(states, gamma, eps, W_out, token):
    return _ranks(layer_norm(states, gamma, None, eps) @ W_out, token)


@LENS.mistake("normed over the states", "Each state has a norm of its own. Yours goes down the columns, over all states.")
def over_states(states, gamma, eps, W_out, token):
    return _ranks(states / np.sqrt((states**2).mean(axis=0) + eps) * gamma @ W_out, token)


@LENS.mistake("counted from 0", "The likeliest word has rank 1: nobody is before it, and it counts itself.")
def from_zero(states, gamma, eps, W_out, token):
    return logit_lens(states, gamma, eps, W_out, token) - 1


@LENS.mistake("as high counted as higher", "A word with the same score does not stand before it: rank 1 says that no word has a *higher* score. "
              "`>=` counts the word itself, and whoever is as high.")
def as_high(states, gamma, eps, W_out, token):
    scores = rms_norm(states, gamma, eps) @ W_out
    return (scores >= scores[:, [token]]).sum(axis=1)


@LENS.mistake("counted twice", "The word itself was counted, and then once more.")
def twice(states, gamma, eps, W_out, token):
    return logit_lens(states, gamma, eps, W_out, token) + 1


@LENS.mistake("from the lowest", "Rank 1 is the highest score. Yours counts the words that are less likely.")
def from_the_lowest(states, gamma, eps, W_out, token):
    return _ranks(-rms_norm(states, gamma, eps) @ W_out, token)


@LENS.mistake("the likeliest words", "These are the numbers of the words that lead. Asked is where one word, `token`, stands.",
              unused_arguments="token")
def likeliest(states, gamma, eps, W_out, token):
    return (rms_norm(states, gamma, eps) @ W_out).argmax(axis=1)


@LENS.mistake("the word at a rank", "argsort says which word stands at each rank. Yours looks up the word at rank `token`; asked is the rank of "
              "word `token`.")
def word_at_a_rank(states, gamma, eps, W_out, token):
    return np.argsort(-(rms_norm(states, gamma, eps) @ W_out), axis=1)[:, token]


@LENS.mistake("the word at a rank, from 1", "argsort says which word stands at each rank. Asked is the rank of word `token`.")
def word_at_a_rank_from_one(states, gamma, eps, W_out, token):
    return word_at_a_rank(states, gamma, eps, W_out, token) + 1


@LENS.mistake("the score instead of the rank", "These are scores. They grow with the norm and say little by themselves: where does the word stand "
              "among all?")
def its_score(states, gamma, eps, W_out, token):
    return (rms_norm(states, gamma, eps) @ W_out)[:, token]


@LENS.mistake("the probability instead of the rank", "These are probabilities. In early blocks all are tiny; where does the word stand among all?")
def its_probability(states, gamma, eps, W_out, token):
    return softmax(rms_norm(states, gamma, eps) @ W_out)[:, token]


@LENS.mistake("ranked among the states", "A state is compared with the other states here. Compare words with each other, within one state.")
def among_states(states, gamma, eps, W_out, token):
    own = (rms_norm(states, gamma, eps) @ W_out)[:, token]
    return (own > own[:, None]).sum(axis=1) + 1


@LENS.mistake("the last state alone", "One number came back. The lens looks at every state.")
def last_state(states, gamma, eps, W_out, token):
    return logit_lens(states, gamma, eps, W_out, token)[-1]


@LENS.mistake("the first state's score for all", "Each state has its own score of the word to beat.")
def first_score(states, gamma, eps, W_out, token):
    scores = rms_norm(states, gamma, eps) @ W_out
    return (scores > scores[0, token]).sum(axis=1) + 1


@LENS.mistake("W_out turned over", "A column of `W_out` belongs to a word, a row to a feature.")
def turned(states, gamma, eps, W_out, token):
    return _ranks(rms_norm(states, gamma, eps) @ W_out.T, token)


@LENS.mistake("γ added", "γ stretches each feature: it is a factor.")
def gamma_added(states, gamma, eps, W_out, token):
    return _ranks((rms_norm(states, None, eps) + gamma) @ W_out, token)


@LENS.mistake("the norm after the head", "The norm comes before the head: it has a γ for each feature, not for each word.")
def norm_after(states, gamma, eps, W_out, token):
    return _ranks(rms_norm(states @ W_out, gamma, eps), token)


# The loop of a conversation.

def reply(history, said, before, between, end, next_scores, choose, most):
    return _loop(history, said, before, between, end, next_scores, choose, most)


def _loop(history, said, before, between, end, next_scores, choose, most, feed=lambda read, answer: read + answer):
    read, answer = [*history, *before, *said, *between], []
    while len(answer) < most:
        token = int(choose(next_scores(feed(read, answer))))
        if token == end:
            break
        answer.append(token)
    return np.array(answer, int), np.array([*read, *answer, end])


class Toy:
    """A model of n_vocab words whose scores depend on every token that it reads and on their order; it ends now and then."""

    def __init__(self, n_vocab, patience, end=1):
        self.n_vocab, self.patience, self.end = n_vocab, patience, end

    def __call__(self, tokens):
        tokens = [int(t) for t in tokens]
        seed = sum((i + 1) * (t + 3) ** 2 for i, t in enumerate(tokens)) + 17 * len(tokens)
        scores = np.cos(np.arange(1, self.n_vocab + 1) * (1 + seed % 1009))
        scores[self.end] = 3 if seed % self.patience == 0 else -3
        return scores


def first_choice(scores):
    """The likeliest token."""
    return int(np.argmax(scores))


def second_choice(scores):
    """The likeliest but one: a chooser need not be greedy."""
    scores = np.asarray(scores)
    return int(np.argsort(-scores, kind="stable")[1]) if scores.max() < 2 else int(np.argmax(scores))


REPLY = Exercise("reply", reply, inputs=[
    ([5, 9, 4], [7, 8, 6, 7], [2, 10], [1, 3], 1, Toy(12, 4), first_choice, 9),
    ([], [4, 4], [2], [3], 1, Toy(8, 6), second_choice, 12),
    ([6, 2, 7, 5, 1], [3], [2, 4], [1, 5, 5], 1, Toy(9, 1000003), first_choice, 5),               # it never ends by itself
    ([2, 2], [5, 3, 4], [2], [6], 0, Toy(7, 5, end=0), second_choice, 20),
    ([3], [4], [2], [5], 1, Toy(7, 1), first_choice, 4),                                       # it has nothing to say
],
    minutes=20, difficulty=3,
    nudge="Two lists grow: what the model reads, and what it has answered. Which of them does it read at each turn of the loop? Two things "
          "may end it: which, and what is left to do for the next question?",
    skeleton="""def my_reply(history, said, before, between, end, next_scores, choose, most):
    read = ...                            # the whole conversation so far, as one list of tokens
    answer = []
    while ...:                            # at most `most` tokens
        token = choose(next_scores(...))  # what does the model have to read?
        if ...:
            break
        ...                               # which list grows by the token?
    return answer, ...                    # the history: all that was read and said, and `end`
""")


@REPLY.mistake("the history forgotten", "The model reads this question alone. What was said before is in `history`, and it knows nothing else.")
def forgetful(history, said, before, between, end, next_scores, choose, most):
    read = [*before, *said, *between]
    answer, longer = _loop([], said, before, between, end, next_scores, choose, most)
    return answer, np.array([*history, *longer[:len(read)], *answer, end])


@REPLY.mistake("the history forgotten and lost", "The model reads this question alone, and so will the next: what was said before is in `history`.",
               unused_arguments="history")
def lost(history, said, before, between, end, next_scores, choose, most):
    return _loop([], said, before, between, end, next_scores, choose, most)


@REPLY.mistake("the answer not fed back", "The model is asked the same each time, so it says the same word. It has to read what it has just said.")
def deaf(history, said, before, between, end, next_scores, choose, most):
    return _loop(history, said, before, between, end, next_scores, choose, most, feed=lambda read, answer: read)


@REPLY.mistake("only the answer read", "The model reads its own words and no longer what was asked. It has no memory but the text.")
def only_the_answer(history, said, before, between, end, next_scores, choose, most):
    return _loop(history, said, before, between, end, next_scores, choose, most, feed=lambda read, answer: answer or read)


@REPLY.mistake("only the last token read", "The model reads one token. It has no memory but the text; a cache would remember, and there is none "
               "here.")
def only_the_last(history, said, before, between, end, next_scores, choose, most):
    return _loop(history, said, before, between, end, next_scores, choose, most, feed=lambda read, answer: answer[-1:] or read)


@REPLY.mistake("the end not noticed", "The model said that it is done, and was asked to go on.")
def endless(history, said, before, between, end, next_scores, choose, most):
    read, answer = [*history, *before, *said, *between], []
    for _ in range(most):
        answer.append(int(choose(next_scores(read + answer))))
    return np.array(answer, int), np.array([*read, *answer, end])


@REPLY.mistake("the end in the answer", "`end` stands in the answer. It is a sign, and nobody says it.")
def with_end(history, said, before, between, end, next_scores, choose, most):
    answer, new = _loop(history, said, before, between, end, next_scores, choose, most)
    return (answer, new) if len(answer) == most else (np.append(answer, end), new)


@REPLY.mistake("the end in the answer, a cut one not closed", "`end` stands in the answer. It is a sign, and nobody says it. And an answer that was "
               "cut off after `most` tokens has no `end` behind it: the history needs one in either case.")
def with_end_as_close(history, said, before, between, end, next_scores, choose, most):
    answer, new = _loop(history, said, before, between, end, next_scores, choose, most)
    return (answer, new[:-1]) if len(answer) == most else (np.append(answer, end), new)


@REPLY.mistake("closed twice", "`end` stands twice at the end of the history: once as a word of the answer, once as its close.")
def closed_twice(history, said, before, between, end, next_scores, choose, most):
    answer, new = _loop(history, said, before, between, end, next_scores, choose, most)
    return (answer, new) if len(answer) == most else (np.append(answer, end), np.append(new, end))


@REPLY.mistake("the answer missing in the history", "Next time the model would not know what it has said. The history grows by the answer, too.")
def silent_history(history, said, before, between, end, next_scores, choose, most):
    answer, _ = _loop(history, said, before, between, end, next_scores, choose, most)
    return answer, np.array([*history, *before, *said, *between, end])


@REPLY.mistake("the question missing in the history", "Next time the model would not know what it was asked. The history grows by the whole turn.")
def answers_only(history, said, before, between, end, next_scores, choose, most):
    answer, _ = _loop(history, said, before, between, end, next_scores, choose, most)
    return answer, np.array([*history, *answer, end])


@REPLY.mistake("the turn not closed", "The answer ends in `end` when the model was trained. Without it the next question stands inside the answer.")
def not_closed(history, said, before, between, end, next_scores, choose, most):
    answer, new = _loop(history, said, before, between, end, next_scores, choose, most)
    return answer, new[:-1]


@REPLY.mistake("closed only where the model ended", "An answer that was cut off after `most` tokens has to be closed, too, or the next question "
               "stands inside it.")
def closed_if_ended(history, said, before, between, end, next_scores, choose, most):
    answer, new = _loop(history, said, before, between, end, next_scores, choose, most)
    return answer, new[:-1] if len(answer) == most else new


@REPLY.mistake("one token too many", "`most` tokens are allowed, and one more came.")
def one_more(history, said, before, between, end, next_scores, choose, most):
    return _loop(history, said, before, between, end, next_scores, choose, most + 1)


@REPLY.mistake("one token too few", "`most` tokens are allowed, and one fewer came.")
def one_fewer(history, said, before, between, end, next_scores, choose, most):
    return _loop(history, said, before, between, end, next_scores, choose, most - 1)


@REPLY.mistake("the opening left out", "What says that the user speaks, `before`, is missing in front of what was said.", unused_arguments="before")
def no_opening(history, said, before, between, end, next_scores, choose, most):
    return _loop(history, said, [], between, end, next_scores, choose, most)


@REPLY.mistake("what stands between left out", "Without `between` the model goes on writing the question: it does not know that it is its turn.",
               unused_arguments="between")
def nothing_between(history, said, before, between, end, next_scores, choose, most):
    return _loop(history, said, before, [], end, next_scores, choose, most)


@REPLY.mistake("the history behind the question", "What was said first stands first.")
def history_behind(history, said, before, between, end, next_scores, choose, most):
    read = [*before, *said, *between, *history]
    answer, _ = _loop(read, [], [], [], end, next_scores, choose, most)
    return answer, np.array([*read, *answer, end])


@REPLY.mistake("the opening before the history", "The order. First what was said before, then the opening of this turn.")
def opening_first(history, said, before, between, end, next_scores, choose, most):
    return _loop(before, said, history, between, end, next_scores, choose, most)


@REPLY.mistake("the likeliest instead of chosen", "The likeliest token was taken. Which one to take is for `choose` to say.",
               unused_arguments="choose")
def likeliest_always(history, said, before, between, end, next_scores, choose, most):
    return _loop(history, said, before, between, end, next_scores, first_choice, most)


@REPLY.mistake("the old history", "The history came back as it was. It has grown by a question and an answer.")
def old_history(history, said, before, between, end, next_scores, choose, most):
    return _loop(history, said, before, between, end, next_scores, choose, most)[0], np.array(history, int)


@REPLY.mistake("history before answer", "First the answer, then the history.")
def swapped(history, said, before, between, end, next_scores, choose, most):
    return reply(history, said, before, between, end, next_scores, choose, most)[::-1]


# Reading.

NOTE = Reading(
    "note_14",
    "A lecture note says: “We silenced one head, (17, 1), and of 147 words that had been foreseen in the second copies 37 were left. So the ability "
    "to copy is stored in that head.” Which sentence mends it?",
    [("Silencing shows that the head is needed for copying here; whether it is enough for it is another question.",
      "what is cut shows what is needed. This head looks one word back: it hands over what the heads that copy look for, and brings no copy itself."),
     ("Silencing shows nothing about the model, as without one of its heads it is another model than before.",
      "It is another model, and that is how we learn: what changes, and what does not, when one thing is changed."),
     ("Silencing shows that the head copies only if its weights point at the word that comes next in the text.",
      "Where a head looks is one thing, what is lost without it another. This one points elsewhere, and copying needs it."),
     ("Silencing shows where an ability is stored, provided that the model still does all else without that head.",
      "That would make the head special to copying. It still would not make it enough: others may be needed as well.")],
    right="A", minutes=4, difficulty=2)

WHICH_HEAD = Reading(
    "which_head_14",
    "Heads A to D of another model were silenced one by one. The table gives what a text's words then cost on average. Which head copies?",
    [("Head A: without it everything becomes worse, so it must be the most important one for copying.",
      "Without A plain text suffers as much. It does something that every text needs."),
     ("Head B: only the second copy becomes worse, and plain text stays as it was.",
      "this is what a head that copies leaves behind: repeated words are no longer foreseen, and all else is."),
     ("Head C: without it the second copy becomes better, so it must have had to do with copying.",
      "It stood in the way a little. A head that copies would be missed."),
     ("Head D: nothing changes, so the model copies by it so well that it needs no other.",
      "What nothing misses is not needed, or another one steps in. The table does not say which.")],
    right="B", picture=table([
        ["none", "3.1", "0.6"], ["A", "5.2", "2.9"], ["B", "3.1", "4.8"], ["C", "3.2", "0.5"], ["D", "3.1", "0.6"]],
        ["silenced", "plain text", "second copy"]), minutes=3, difficulty=1)


EXERCISES = [LENS, REPLY, NOTE, WHICH_HEAD]
