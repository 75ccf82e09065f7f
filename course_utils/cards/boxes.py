"""A framed sentence in a notebook: verdicts and diagnoses look alike, and read as plain text elsewhere."""

import html

# Each with more than 3 to 1 contrast against a white and a black page; the words say the same as the colour.
COLOURS = {"good": "#00875F", "bad": "#D55E00", "neutral": "#767676"}


def box(text, kind):
    """HTML for `text` with a coloured bar at its left; kind "good", "bad" or "neutral"."""
    style = f"border-left: 6px solid {COLOURS[kind]}; padding: 0.4em 0.8em; white-space: pre-wrap"
    return f'<div style="{style}">{html.escape(text)}</div>'
