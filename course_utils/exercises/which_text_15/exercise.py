"""The exercise `which_text_15`."""

from course_utils.diagnosis.exercise import Reading

FIRST, SAID, SECOND = "[user] What do bears do in winter? [end]", "[assistant] They sleep. [end]", "[user] And what do they eat before? [end]"
EXERCISE = Reading(
    "which_text_15",
    "In a chat of two questions the first was answered. `[user]`, `[assistant]` and `[end]` stand for the signs of the form; the system prompt is "
    "left out. Which text does the model read before it answers the second question?",
    [(f"{SECOND} [assistant]",
      "Then nobody could tell it who \"they\" are. The model keeps nothing of what it read and said before."),
     (f"{FIRST} {SECOND} [assistant]",
      "Its own answers are no more kept in it than your questions. Without them \"What did you just say?\" has no answer."),
     (f"{FIRST} {SAID} {SECOND} and nothing after it",
      "All that was said is here. But the form does not yet say whose turn it is: the model goes on, and may write a turn of the user."),
     (f"{FIRST} {SAID} {SECOND} [assistant]",
      "all that was said, by both, and the sign after which the model learned to answer.")],
    right="D", minutes=2, difficulty=1)
