"""Playing on, as people do: whose turn it is lifts a card and plays it."""

from __future__ import annotations

from collections.abc import Sequence

from playwright.sync_api import expect

from e2e.person import Person


def in_turn(one: Person, other: Person) -> tuple[Person, Person]:
    """Give the two people, the one whose turn it is first."""
    return (one, other) if one.table.table.get_attribute("data-my-turn") == "true" else (other, one)


def play_a_turn(person: Person) -> str:
    """Play the card that takes most, by real clicks; give the card."""
    table = person.table
    card = table.best_card()
    turn = table.turn()
    table.play(card)
    expect(table.table).not_to_have_attribute("data-turn", str(turn))
    return card


def play_out(people: Sequence[Person], *, turns: int | None = None) -> int:
    """Play until the match is over, or for so many turns; give the number of turns played."""
    played = 0
    seats = {int(each.table.table.get_attribute("data-my-seat") or -1): each for each in people}
    while turns is None or played < turns:
        some = people[0].page
        some.locator(
            '#table[data-phase="play"][data-busy="false"], [data-testid="sheet"], main[data-screen="result"]'
        ).first.wait_for()
        put_sheets_away(people)
        if people[0].result.root.count():
            break
        to_act = seats[int(people[0].table.table.get_attribute("data-to-act") or -1)]
        to_act.table.my_turn.wait_for()
        play_a_turn(to_act)
        played += 1
        expect_same_turn(people, to_act)
    return played


def put_sheets_away(people: Sequence[Person]) -> None:
    for each in people:
        if each.sheet.root.count():
            each.sheet.put_away()


def expect_same_turn(people: Sequence[Person], ahead: Person) -> None:
    """Wait until everybody's page has seen what the page that is ahead has seen."""
    if ahead.result.root.count() or not ahead.table.table.count():
        return
    turn = str(ahead.table.turn())
    for each in people:
        expect(each.table.table).to_have_attribute("data-turn", turn)
