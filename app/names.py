"""Names that people are shown: what is cleaned out of them, and what is refused.

The tables of Unicode are those of `regex`, for joining, emoji and what nobody sees; the letters that look like others
are those of `confusable_homoglyphs`, which are UTS #39's.
"""

from __future__ import annotations

import unicodedata
from functools import cache

import regex
from confusable_homoglyphs.confusables import confusables_data

INVALID = "Contains an invalid character."
LONE = "Has a mark without a letter."
STACKED = "Has more than three marks on a letter."
RESERVED = "This name is reserved."

_DIRECTION = regex.compile(r"[\u200e\u200f\u061c]")
# What joins or parts letters, and what chooses a form of the character before it, is seen only where that one has
# another form: in Arabic and its kin, after the virama of Indic scripts, in emoji, after ideographs and in Mongolian.
_FORMS = regex.compile(
    r"""(?P<needed>
        (?<=[\p{Joining_Type=D}\p{Joining_Type=L}]\p{M}*) \u200c (?=[\p{Joining_Type=D}\p{Joining_Type=R}])
      | (?<=\p{Canonical_Combining_Class=9}) (?:\u200c (?=\p{L}) | \u200d)
      | (?<=\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?) \u200d (?=\p{Extended_Pictographic})
      | (?<=\p{Joining_Type=D}\p{M}*) \u200d (?![\p{Joining_Type=D}\p{Joining_Type=R}])
      | (?<!\p{Joining_Type=D}\p{M}*) \u200d (?=[\p{Joining_Type=D}\p{Joining_Type=R}])
      | (?<=\p{Extended_Pictographic}) [\ufe0e\ufe0f]
      | (?<=[0-9\#*]) \ufe0f (?=\u20e3)
      | (?<=\p{Ideographic}) [\U000e0100-\U000e01ef]
      | (?<=\p{Script=Mongolian}) [\u180b-\u180d\u180f]
    ) | [\u200c\u200d\ufe00-\ufe0f\U000e0100-\U000e01ef\u180b-\u180d\u180f]""",
    regex.VERBOSE,
)
_FORM = r"\u200c\u200d\ufe0e\ufe0f\U000e0100-\U000e01ef\u180b-\u180d\u180f"
# Nobody sees it, or it is of no script at all; the signs that enclose numbers are seen, though they are formats.
_HIDDEN = regex.compile(
    rf"[[\p{{Default_Ignorable_Code_Point}}\p{{Cf}}\p{{Co}}\p{{Cc}}\p{{Cs}}\p{{Zl}}\p{{Zp}}\u2800"
    rf"\p{{Noncharacter_Code_Point}}]--[{_FORM}\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd]]",
    regex.V1,
)
_KEYCAP = regex.compile(r"[0-9#*]\ufe0f?\u20e3")
_LONE = regex.compile(rf"(?<![\p{{L}}\p{{N}}\p{{M}}\u200c\u200d])[\p{{M}}--[{_FORM}]]", regex.V1)
# Of Burmese and Tibetan a syllable is written so.
_STACKED = regex.compile(
    rf"(?:[[\p{{Mn}}\p{{Me}}]--[\p{{Script=Myanmar}}\p{{Script=Tibetan}}{_FORM}]][\p{{Mc}}\u200c\u200d]*){{4}}"
    rf"|(?:[[\p{{Mn}}\p{{Me}}]--[{_FORM}]][\p{{Mc}}\u200c\u200d]*){{7}}",
    regex.V1,
)

_WORDS = (
    "admin admins administrator administrators administration moderator moderators support official officials "
    "أدمن أدمين أدمنز إدارة إداري مدير مسؤول مسئول مشرف مشرفة مشرفين مشرفون مشرفات دعم رسمي رسمية"
)
_PHRASES = (
    "deleted player", "easy bot", "medium bot", "hard bot", "random bot", "لاعب ممسوح", "لاعب محذوف", "كمبيوتر سهل",
    "كمبيوتر متوسط", "كمبيوتر صعب", "كمبيوتر عشوائي", "بوت سهل", "بوت متوسط", "بوت صعب",
)  # fmt: skip
_CAMEL = regex.compile(r"(?<=\p{Ll})(?=\p{Lu})")
_CAPITAL = regex.compile(
    r"(?:LATIN LETTER SMALL CAPITAL|NEGATIVE (?:CIRCLED|SQUARED) LATIN CAPITAL LETTER|"
    r"REGIONAL INDICATOR SYMBOL LETTER) ([A-Z])"
)
_ARABIC = regex.compile(r"\p{Script=Arabic}")
_SPELLINGS = str.maketrans({"ة": "ه", "ى": "ي", "ی": "ي", "ک": "ك", "ٱ": "ا", "ـ": None})
_LEET = str.maketrans("@4$53071!|", "aasseotlll")
_LOOK = str.maketrans("i", "l")


def cleaned(text: str) -> str:
    """The name without what nobody sees and nobody needs, in NFC.

    >>> cleaned("\\u200fMona\\u200d") == "Mona", "می\\u200cخواهم" == cleaned("می\\u200cخواهم")
    (True, True)
    """
    name = unicodedata.normalize("NFC", _DIRECTION.sub("", text))
    return unicodedata.normalize("NFC", _FORMS.sub(lambda found: found["needed"] or "", name))


def fault(name: str) -> str | None:
    """What is wrong with a cleaned name, or None."""
    if _HIDDEN.search(name):
        return INVALID
    bare = _KEYCAP.sub("0", name)
    if _LONE.search(bare):
        return LONE
    # A composed letter has its marks as well; the hamza of Arabic is none.
    apart = "".join(letter if _ARABIC.match(letter) else unicodedata.normalize("NFD", letter) for letter in bare)
    if _STACKED.search(apart):
        return STACKED
    return RESERVED if pretends(name) else None


def pretends(name: str) -> bool:
    """Whether a name says that somebody runs this place, is a bot of ours, or has left; whichever letters say it."""
    return any(_says_so(words) for words in _readings(name))


def _says_so(words: list[str]) -> bool:
    reserved, phrases = _reserved()
    bare = [word.removeprefix("ال") for word in words]
    if reserved.intersection(words) or reserved.intersection(bare):
        return True
    # Written apart or in one.
    whole = "".join(words)
    if whole in reserved or whole in {"".join(phrase) for phrase in phrases}:
        return True
    return any(tuple(found[at : at + 2]) in phrases for found in (words, bare) for at in range(len(words) - 1))


def _readings(name: str) -> list[list[str]]:
    """The words of a name, in each way that people may read them: digits as letters, capitals as beginnings."""
    found = []
    for text in (name, _CAMEL.sub(" ", unicodedata.normalize("NFKC", name))):
        folded = _folded(text)
        found += [_words(folded), _words(folded.translate(_LEET))]
    return found


def _words(folded: str) -> list[str]:
    return [word.translate(_LOOK).replace("rn", "m").replace("vv", "w") for word in regex.findall(r"\p{L}+", folded)]


def _folded(text: str) -> str:
    """The text in plain small letters: without marks, and each letter as the one that it looks like."""
    plain = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", text))
    letters = regex.sub(r"[\p{M}\p{Default_Ignorable_Code_Point}]", "", plain)
    return "".join(map(_like, letters)).casefold().translate(_SPELLINGS)


@cache
def _like(letter: str) -> str:
    """The ASCII letter that a letter looks like, or itself; Arabic ones look like strokes and rings, and are none."""
    if letter.isascii() or _ARABIC.match(letter):
        return letter
    capital = _CAPITAL.fullmatch(unicodedata.name(letter, ""))
    if capital:
        return str(capital[1])
    for form in (letter, letter.upper()):
        for entry in confusables_data.get(form, ()):
            same = entry["c"].strip("\u200e")
            if same.isascii() and same.isalnum():
                return str(same)
    return letter


@cache
def _reserved() -> tuple[frozenset[str], frozenset[tuple[str, ...]]]:
    words = frozenset(_words(_folded(_WORDS)))
    return words, frozenset(tuple(_words(_folded(phrase))) for phrase in _PHRASES)
