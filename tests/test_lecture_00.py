"""What notebook 00 says in words with numbers of its own."""

import pytest
from helpers import names_of, prose

NAME = "00_start_here"
SAID = {          # {a sentence of the notebook: what it says, computed from the notebook's own names}
    "At 1.0, the second score: equal scores have equal weights, 0.42 each": lambda n: (n["softmax"]([0, 1, 1.0])[1:].round(2) == 0.42).all(),
}


@pytest.mark.parametrize("sentence", SAID)
def test_what_the_text_says_is_so(sentence):
    assert sentence in prose(NAME)
    assert SAID[sentence](names_of(NAME))
