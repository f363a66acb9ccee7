"""A line that is cut, for journeys that have to do without one."""

from __future__ import annotations

from playwright.sync_api import WebSocketRoute

from e2e.person import Person

RESTARTING = 1012


def cut_off(person: Person, code: int = 4001) -> None:
    """Load the page anew, and once it follows the match cut its line for good: no other is let through."""
    lines: list[WebSocketRoute] = []

    def carry(line: WebSocketRoute) -> None:
        if not lines:
            line.connect_to_server()
        lines.append(line)
        if len(lines) > 1:
            line.close(code=code)

    person.page.route_web_socket("**/channel**", carry)
    person.page.reload()
    person.table.wait_ready()
    lines[0].close(code=code)
