"""An account: registering what a guest has, coming from anywhere, tokens, and leaving for good."""

import json
import uuid
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from e2e.person import Person
from e2e.texts import text

PASSWORD = "three cups of tea"


def a_username() -> str:
    return f"mona_{uuid.uuid4().hex[:12]}"


@pytest.fixture
def mona(person: Callable[..., Person]) -> Person:
    """A guest at her account page."""
    guest = person("Mona")
    guest.home.open()
    guest.post("/players", {"name": "Mona", "session": True})
    guest.account.open()
    return guest


def test_a_guest_registers_and_stays_who_she_is(mona: Person) -> None:
    before = mona.api("/players/me")
    mona.account.register(a_username(), PASSWORD)
    expect(mona.account.signed_in).to_be_visible()
    after = mona.api("/players/me")
    assert (after["id"], after["name"], after["guest"]) == (before["id"], "Mona", False)


def test_a_short_password_and_a_taken_name_are_told_where_they_are_typed(
    mona: Person, person: Callable[..., Person]
) -> None:
    name = a_username()
    mona.account.register(name, "short")
    expect(mona.account.part("register").get_by_role("alert")).to_contain_text("8")
    mona.account.register(name, PASSWORD)
    expect(mona.account.signed_in).to_be_visible()
    other = person("Karim", lang="ar")
    other.home.open()
    other.post("/players", {"name": "Karim", "session": True})
    other.account.open()
    other.account.register(name.upper(), PASSWORD)
    expect(other.account.part("register").get_by_role("alert")).not_to_be_empty()
    assert other.api("/players/me")["guest"]


def test_signing_in_on_a_second_browser_and_signing_the_first_one_out(
    mona: Person, person: Callable[..., Person]
) -> None:
    name = a_username()
    mona.account.register(name, PASSWORD)
    expect(mona.account.signed_in).to_be_visible()
    phone = person("Mona", lang="ar")
    phone.account.open()
    phone.account.sign_in(name, "not this one")
    expect(phone.account.part("sign-in").get_by_role("alert")).not_to_be_empty()
    phone.account.sign_in(name, PASSWORD)
    phone.page.wait_for_url("**/profile")
    assert phone.api("/players/me")["id"] == mona.api("/players/me")["id"]
    phone.account.open()
    expect(phone.account.devices).to_have_count(2)
    phone.page.locator('[data-testid="device"][data-current="false"]').get_by_role("button").click()
    expect(phone.account.devices).to_have_count(1)
    assert mona.page.request.get("/api/v1/players/me").status == 401


def test_a_guest_moves_to_another_device_by_a_code_that_serves_once(
    mona: Person, person: Callable[..., Person]
) -> None:
    code = mona.account.code_to_move()
    phone = person("Phone")
    phone.move.open()
    phone.move.arrive(code.lower().replace("-", " "))
    phone.page.wait_for_url("**/")
    phone.home.root.wait_for()
    assert phone.api("/players/me")["id"] == mona.api("/players/me")["id"]
    thief = person("Thief")
    thief.move.open(f"/move#{code}")
    expect(thief.page.locator("input[name=transfer]")).to_have_value(code)
    assert "#" not in thief.page.url  # the code stays in nobody's history
    thief.move.button("move.button").click()
    expect(thief.page.get_by_test_id("move").get_by_role("alert")).not_to_be_empty()


def test_a_token_is_shown_once_works_until_it_is_revoked(mona: Person) -> None:
    mona.account.make_token("my bot")
    token = mona.account.new_token.input_value()
    as_program = {"Authorization": f"Bearer {token}"}
    assert mona.page.request.get("/api/v1/players/me", headers=as_program).json()["name"] == "Mona"
    mona.account.open()
    expect(mona.account.tokens).to_contain_text("my bot")
    expect(mona.page.get_by_text(token)).to_have_count(0)
    mona.account.revoke("my bot")
    expect(mona.account.tokens).to_have_count(0)
    assert mona.page.request.get("/api/v1/players/me", headers=as_program).status == 401


def test_everything_that_is_kept_about_her_is_taken_along(mona: Person) -> None:
    with mona.page.expect_download() as waited:
        mona.page.get_by_role("link", name=text("account.export"), exact=True).click()
    assert waited.value.suggested_filename == "basra.json"
    taken = json.loads(waited.value.path().read_text())
    assert taken["player"]["id"] == mona.api("/players/me")["id"]


def test_who_deletes_her_player_is_asked_for_the_password_and_is_gone(mona: Person) -> None:
    mona.account.register(a_username(), PASSWORD)
    expect(mona.account.signed_in).to_be_visible()
    me = mona.api("/players/me")["id"]
    mona.account.delete("wrong one")
    window = mona.page.get_by_test_id("delete-window")
    expect(window.get_by_role("alert")).not_to_be_empty()
    window.locator("input").fill(PASSWORD)
    mona.account.button("account.delete_yes", window).click()
    mona.home.root.wait_for()
    assert mona.page.request.get("/api/v1/players/me").status == 401
    left = mona.page.request.post("/api/v1/players", data={"name": "Salma"}).json()["token"]
    gone = mona.page.request.get(f"/api/v1/players/{me}", headers={"Authorization": f"Bearer {left}"})
    assert gone.status == 404 or gone.json()["name"] == "Deleted player"


def test_a_new_password_ends_the_tokens_too_where_that_is_ticked(mona: Person) -> None:
    mona.account.register(a_username(), PASSWORD)
    expect(mona.account.signed_in).to_be_visible()
    mona.account.make_token("my bot")
    expect(mona.account.tokens).to_have_count(1)
    mona.account.change_password(PASSWORD, "four cups of tea", ends_tokens=False)
    expect(mona.account.part("password").get_by_test_id("done")).not_to_be_empty()
    expect(mona.account.tokens).to_have_count(1)
    mona.account.change_password("four cups of tea", "five cups of tea", ends_tokens=True)
    expect(mona.account.tokens).to_have_count(0)
