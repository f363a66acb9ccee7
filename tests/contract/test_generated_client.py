"""A client that a common generator makes from the live document is whole, and plays a match with nothing by hand."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.live import LiveServer, wait_until

GENERATED = "basra_client"


@pytest.fixture(scope="module")
def generated(server: LiveServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The client as generated from the address of the document, without a warning."""
    folder = tmp_path_factory.mktemp("generated")
    config = folder / "config.yaml"
    config.write_text("post_hooks: []\n")
    done = subprocess.run(
        [
            sys.executable, "-m", "openapi_python_client", "generate", "--meta", "none", "--fail-on-warning",
            "--url", f"{server.url}/api/v1/openapi.json", "--config", str(config),
            "--output-path", str(folder / GENERATED),
        ],
        capture_output=True,
        text=True,
        timeout=120,
    )  # fmt: skip
    told = done.stdout + done.stderr
    assert done.returncode == 0, told
    assert "arning" not in told, told
    sys.path.insert(0, str(folder))
    yield folder / GENERATED
    sys.path.remove(str(folder))
    for name in [name for name in sys.modules if name.split(".")[0] == GENERATED]:
        del sys.modules[name]


def operation(tag: str, name: str) -> Any:
    return importlib.import_module(f"{GENERATED}.api.{tag}.{name}")


def test_every_operation_is_in_it(server: LiveServer, generated: Path) -> None:
    import httpx

    spec = httpx.get(f"{server.url}/api/v1/openapi.json").json()
    wanted = sum(method in operations for operations in spec["paths"].values() for method in
                 ("get", "post", "put", "patch", "delete"))  # fmt: skip
    made = [path for path in (generated / "api").glob("*/*.py") if path.stem != "__init__"]
    assert len(made) == wanted > 40


def test_it_plays_a_whole_match_against_a_bot(server: LiveServer, generated: Path) -> None:
    basra = importlib.import_module(GENERATED)
    models = importlib.import_module(f"{GENERATED}.models")
    with basra.Client(server.url) as nobody:
        made = operation("players", "create_player").sync(client=nobody, body=models.NewPlayer(name="Typed"))
    assert made.player.guest and made.player.name == "Typed"
    with basra.AuthenticatedClient(server.url, token=made.token) as client:
        room = operation("rooms", "create_room").sync(client=client, body=models.NewRoom(target=None))
        assert room.match_id is None
        bot = models.NewBot(seat=1, level=models.NewBotLevel.EASY)
        match_id = operation("rooms", "seat_bot").sync(room.code, client=client, body=bot).match_id

        view = play_out(client, models, match_id)

        assert view.result.reason == models.ResultReason.ROUND
        assert operation("matches", "get_transcript").sync(match_id, client=client).scores == view.scores
        history = operation("matches", "list_matches").sync(client=client)
        assert [match.id for match in history.items] == [match_id]


def play_out(client: Any, models: Any, match_id: str) -> Any:
    """Play every turn of ours with what takes most; give the last view."""
    table = SimpleNamespace(view=None)

    def is_due() -> bool:
        table.view = operation("matches", "get_match").sync(match_id, client=client)
        return table.view.status != models.MatchStatus.PLAYING or table.view.to_act == table.view.you.seat

    turns = 0
    while True:
        wait_until(is_due, "our turn")
        if table.view.status == models.MatchStatus.FINISHED:
            assert turns == 24
            return table.view
        best = max(table.view.you.plays, key=lambda play: len(play.captures[0].cards))
        move = models.NewMove(turn=table.view.turn, card=best.card, capture=best.captures[0].cards)
        answer = operation("matches", "play_card").sync(match_id, client=client, body=move)
        assert answer.events[0].card == best.card
        turns += 1


def test_a_refusal_comes_as_a_typed_problem(server: LiveServer, generated: Path) -> None:
    basra = importlib.import_module(GENERATED)
    with basra.Client(server.url) as nobody:
        problem = operation("rooms", "get_room").sync("ABCDEF", client=nobody)
    assert (problem.status, problem.code) == (404, "not_found")
