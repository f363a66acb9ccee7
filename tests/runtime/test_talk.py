"""Talk at a real server: who hears a phrase, who a message, and what a channel shows on opening."""

from __future__ import annotations

import pytest

from tests.runtime.people import Channel, Person, begin, new_room


def say(who: Person, code: str, phrase: str) -> None:
    assert who.ask("POST", f"/rooms/{code}/phrases", {"phrase": phrase}) == {}


def write(who: Person, code: str, text: str) -> dict:
    return who.ask("POST", f"/rooms/{code}/messages", {"text": text})  # type: ignore[no-any-return]


def keep_away(who: Person, whom: Person, kind: str) -> None:
    status, _ = who.call("PUT", f"/blocks/{whom.id}", {"kind": kind})
    assert status == 200


def talk(channel: Channel, until: str) -> list[str]:
    """What is said and written up to a phrase."""
    heard = channel.until(lambda message: message.get("phrase") == until)
    return [
        message["phrase"] if message["type"] == "phrase" else message["message"]["text"]
        for message in heard
        if message["type"] in ("phrase", "message")
    ]


def test_a_phrase_is_told_to_all_who_follow_and_to_its_speaker(mona: Person, karim: Person) -> None:
    code, _ = begin(mona, karim, spectators=True)
    stranger = Person(mona.server, "Stranger")
    channels = [person.channel(code) for person in (mona, karim, stranger)]
    for channel in channels:
        channel.until_type("view")
    say(karim, code, "what_a_basra")
    for channel in channels:
        said = channel.until_type("phrase")
        assert said.keys() == {"type", "seat", "phrase", "at"}
        assert (said["seat"], said["phrase"]) == (1, "what_a_basra")


def test_messages_are_told_to_the_seats_only(mona: Person, karim: Person) -> None:
    code, _ = begin(mona, karim, spectators=True, chat=True)
    stranger = Person(mona.server, "Stranger")
    channels = {person: person.channel(code) for person in (mona, karim, stranger)}
    for channel in channels.values():
        channel.until_type("view")
    written = write(mona, code, "<img src=x> وحشتني")
    say(mona, code, "tea")
    assert channels[mona].until_type("message") == {"type": "message", "message": written}
    assert talk(channels[karim], "tea") == ["<img src=x> وحشتني", "tea"]
    assert talk(channels[stranger], "tea") == ["tea"]


def test_a_channel_that_opens_shows_a_seat_what_was_written(mona: Person, karim: Person) -> None:
    code, _ = begin(mona, karim, spectators=True, chat=True)
    lines = [write(mona, code, str(number)) for number in range(3)]
    assert mona.channel(code).until_type("messages")["items"] == lines[::-1]
    stranger = Person(mona.server, "Stranger").channel(code)
    stranger.until_type("view")
    say(mona, code, "tea")
    assert stranger.next()["type"] == "phrase"


def test_where_there_is_no_chat_a_channel_shows_none(mona: Person) -> None:
    code = new_room(mona)
    channel = mona.channel(code)
    say(mona, code, "tea")
    heard = channel.until(lambda message: message["type"] == "phrase")
    assert "messages" not in {message["type"] for message in heard}


@pytest.mark.parametrize("kind", ["block", "mute"])
def test_who_is_blocked_or_muted_in_the_running_match_is_not_heard_from_then_on(
    mona: Person, karim: Person, kind: str
) -> None:
    code, _ = begin(mona, karim, chat=True)
    mine, his = mona.channel(code), karim.channel(code)
    write(karim, code, "before")
    keep_away(mona, karim, kind)
    write(karim, code, "after")
    say(karim, code, "yalla")
    write(mona, code, "mine")
    say(mona, code, "tea")
    assert talk(mine, "tea") == ["before", "mine", "tea"]
    say(karim, code, "sorry")
    own = ["before", "after", "yalla"]
    assert talk(his, "sorry") == [*own, *(["mine", "tea"] if kind == "mute" else []), "sorry"]


def test_who_has_left_the_table_is_told_no_more(mona: Person, karim: Person) -> None:
    code = new_room(mona, seats=4, chat=True)
    karim.ask("POST", f"/rooms/{code}/joins")
    his = karim.channel(code)
    his.until_type("messages")
    karim.ask("DELETE", f"/rooms/{code}/joins/me")
    write(mona, code, "is he gone?")
    say(mona, code, "tea")
    assert talk(his, "tea") == ["tea"]
