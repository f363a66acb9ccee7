"""What is invisible in a text, spelled out: it may move a terminal's cursor, turn the text round or hide in it."""

from __future__ import annotations

import unicodedata

# Invisible, but what scripts and emoji are joined by.
JOINERS = "\u200c\u200d"
_UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def plain(text: str) -> str:
    """A text with what is invisible in it spelled out.

    >>> plain("a" + chr(27) + "[2Jb" + chr(8238) + "c")
    'a\\\\x1b[2Jb\\\\u202ec'
    """
    return "".join(_spelled(letter) if is_unseen(letter) else letter for letter in text)


def is_unseen(letter: str) -> bool:
    """Whether a letter is invisible, and joins nothing."""
    return letter not in JOINERS and unicodedata.category(letter) in _UNSEEN


def _spelled(letter: str) -> str:
    if letter in "\n\r\t":
        return repr(letter)[1:-1]
    number = ord(letter)
    if number <= 0xFF:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number <= 0xFFFF else f"\\U{number:08x}"
