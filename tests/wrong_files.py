"""What may lie where a model's file should: other contents, and what is said of them."""

import pickle

import numpy as np


def flipped(data, i):
    return data[:i] + bytes([data[i] ^ 1]) + data[i + 1 :]


def others(data):
    """{what it is: (bytes, what is said of them)} in the place of a file that holds `data`."""

    def filled(start):
        return start + b"." * (len(data) - len(start))

    return {
        "last byte missing": (data[:-1], "a truncated or other file"),
        "empty": (b"", "a truncated or other file"),
        "one byte more": (data + b".", "a larger file"),
        "last byte flipped": (flipped(data, len(data) - 1), "a file with other contents"),
        "header flipped": (flipped(data, 40), "a file with other contents"),
        "other": (filled(b"other"), "a file with other contents"),
        "page of full length": (filled(b"\n<!DOCTYPE html><title>Not found</title>"), "a web page"),
        "page": (b"<html></html>", "a web page"),
        "pointer": (b"version https://git-lfs.github.com/spec/v1\n", "a pointer of Git LFS"),
        "pickle": (pickle.dumps({"a": np.zeros(3)}), "a pickle, which is never opened"),
        "archive": (b"PK\x03\x04 archive", "a zip archive"),
    }


def assert_one_sentence(error, start, cure):
    """The error says what came in one sentence, and how to get what fits; a notebook shows no
    traceback of ours."""
    text = str(error)
    assert text.startswith(start)
    assert "\n" not in text
    assert cure in text
    assert error.__cause__ is None
    assert len(error._render_traceback_()) <= 2
