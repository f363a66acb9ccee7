"""Playing on, as people do: whose turn it is lifts a card and plays it."""

from __future__ import annotations

from collections.abc import Sequence

from playwright.sync_api import expect

from e2e.person import Person

# What one may find at the table: a turn to play, a score sheet in the way, or the end.
SOMETHING = '#table[data-phase="play"][data-busy="false"], [data-testid="sheet"], main[data-screen="result"]'
# A page that has not heard of the last play does not know whose turn it is.
HEARD = "(turn) => Number(document.querySelector('#table').dataset.turn) >= turn"


def in_turn(*people: Person) -> list[Person]:
    """Give the people in the order of play, the one whose turn it is first; every page has heard of the last play."""
    latest = max(each.table.turn() for each in people)
    for each in people:
        each.page.wait_for_function(HEARD, arg=latest)
    to_act, seats = people[0].table.to_act(), {each.table.my_seat(): each for each in people}
    return [seats[seat] for seat in ((to_act + step) % 4 for step in range(4)) if seat in seats]


def play_a_turn(person: Person) -> str:
    """Play the card that takes most, by real clicks; give the card."""
    table = person.table
    card, turn = table.best_card(), table.turn()
    table.play(card)
    # Bots may answer before one looks, and with the last card the whole table may be gone.
    expect(person.page.locator(f'#table[data-turn="{turn}"]')).to_have_count(0)
    return card


def play_out(people: Sequence[Person], *, turns: int | None = None) -> int:
    """Play until the match is over, or for so many turns of people; give the number of turns they played."""
    played = 0
    while turns is None or played < turns:
        for each in people:
            each.page.locator(SOMETHING).first.wait_for()
            if each.sheet.root.count():
                each.sheet.put_away()
        if all(each.result.root.count() for each in people):
            break
        due = next((each for each in people if each.table.my_turn.count()), None)
        if due is not None:
            play_a_turn(due)
            played += 1
    return played


def play_quickly(people: Sequence[Person], turns: int) -> None:
    """Play so many turns by the API, each the first capture there is, for journeys that begin later in a match."""
    match = people[0].api("/matches?player=me&status=playing")["items"][0]["id"]
    views = [each.api(f"/matches/{match}") for each in people]
    seats = {view["you"]["seat"]: each for each, view in zip(people, views, strict=True)}
    to_act = views[0]["to_act"]
    for _ in range(turns):
        due = seats[to_act]
        view = due.api(f"/matches/{match}")
        play = max(view["you"]["plays"], key=lambda one: len(one["captures"][0]["cards"]) if one["captures"] else 0)
        taken = play["captures"][0]["cards"] if play["captures"] else []
        played = due.post(f"/matches/{match}/moves", {"turn": view["turn"], "card": play["card"], "capture": taken})
        to_act = played["view"]["to_act"]


def play_unseen(people: Sequence[Person], turns: int) -> None:
    """Play so many turns quickly while nobody has a page at the table: what nobody looks at is not drawn, either."""
    for each in people:
        each.page.goto("about:blank")
    play_quickly(people, turns)
