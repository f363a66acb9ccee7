"""Two people play a whole match from a link."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import expect

from e2e.person import Person
from e2e.play import play_out


def test_two_people_play_to_121(pair: Callable[..., tuple[Person, Person]], tmp_path: Path) -> None:
    mona, karim = pair()
    match_id = mona.api("/matches?player=me&status=playing")["items"][0]["id"]

    turns = play_out([mona, karim])

    for each in (mona, karim):
        expect(each.result.result).to_have_attribute("data-reason", "target")
    winner = mona.result.result.get_attribute("data-winner")
    expect(karim.result.result).to_have_attribute("data-winner", str(winner))
    shown = [mona.result.score(side).get_attribute("data-value") for side in (0, 1)]
    for side in (0, 1):
        expect(karim.result.score(side)).to_have_attribute("data-value", str(shown[side]))
    outcomes = {each.result.result.get_attribute("data-outcome") for each in (mona, karim)}
    assert outcomes == {"won", "lost"}

    item = mona.api("/matches?player=me")["items"][0]
    assert item["id"] == match_id
    assert item["status"] == "finished"
    assert [str(score) for score in item["scores"]] == shown
    assert str(item["result"]["winner"]) == winner
    assert max(item["scores"]) >= 121

    transcript = mona.api(f"/matches/{match_id}/transcript")
    assert sum(len(played["plays"]) for played in transcript["rounds"]) == turns
    file = tmp_path / "match.json"
    file.write_text(json.dumps(transcript))
    verified = subprocess.run([sys.executable, "-m", "engine", "verify", str(file)], capture_output=True, text=True)
    assert verified.returncode == 0, verified.stdout + verified.stderr
