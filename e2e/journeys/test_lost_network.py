"""The network goes and comes back; the seat, the hand and the move do not suffer."""

from collections.abc import Callable

from playwright.sync_api import WebSocketRoute, expect

from e2e.person import Person
from e2e.play import in_turn, play_a_turn

SILENCE_MS = 26_000


def test_a_channel_that_is_cut_is_opened_again(pair: Callable[..., tuple[Person, Person]]) -> None:
    mona, karim = pair(seed="tea", target=10)
    lines: list[WebSocketRoute] = []

    def carry(line: WebSocketRoute) -> None:
        line.connect_to_server()
        lines.append(line)

    mona.page.route_web_socket("**/channel**", carry)
    mona.page.reload()
    mona.table.wait_ready()
    with mona.page.expect_websocket():
        lines[-1].close(code=4001)
    mona.table.wait_ready()
    for each in in_turn(mona, karim):
        each.table.my_turn.wait_for()
        play_a_turn(each)
    expect(mona.table.table).to_have_attribute("data-turn", "2")


def test_a_channel_that_falls_silent_counts_as_lost(pair: Callable[..., tuple[Person, Person]]) -> None:
    """The phone case: the line stays open, nothing comes through, and at last the backlog arrives in one burst."""
    mona, karim = pair(seed="tea", target=10)
    first, second = in_turn(mona, karim)
    held_back: list[Callable[[], None]] = []
    silent: list[WebSocketRoute] = []

    def carry(line: WebSocketRoute) -> None:
        server = line.connect_to_server()

        def bring(message: str | bytes) -> None:
            if line in silent:
                held_back.append(lambda: line.send(message))
            else:
                line.send(message)

        server.on_message(bring)
        lines.append(line)

    lines: list[WebSocketRoute] = []
    second.page.clock.install()
    second.page.route_web_socket("**/channel**", carry)
    second.page.reload()
    second.table.wait_ready()
    silent.append(lines[-1])
    play_a_turn(first)
    expect(second.table.table).to_have_attribute("data-turn", "0")
    second.page.clock.fast_forward(SILENCE_MS)
    expect(second.table.table).to_have_attribute("data-turn", "1")
    second.table.my_turn.wait_for()
    play_a_turn(second)
    for deliver in held_back:
        deliver()
    first.table.my_turn.wait_for()
    play_a_turn(first)
    expect(second.table.table).to_have_attribute("data-turn", "3")


def test_offline_for_a_while_misses_nothing(pair: Callable[..., tuple[Person, Person]]) -> None:
    first, second = in_turn(*pair(seed="tea", target=10))
    second.page.context.set_offline(True)
    expect(second.table.table).to_have_attribute("data-conn", "offline")
    play_a_turn(first)
    expect(second.table.table).to_have_attribute("data-turn", "0")
    second.page.context.set_offline(False)
    second.table.wait_ready()
    expect(second.table.table).to_have_attribute("data-turn", "1")
    second.table.my_turn.wait_for()
    play_a_turn(second)
    expect(first.table.table).to_have_attribute("data-turn", "2")
