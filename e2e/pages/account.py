"""One's own account, and arriving on another device."""

from __future__ import annotations

from playwright.sync_api import Locator

from e2e.pages.screen import Screen


class Account(Screen):
    name = "account"

    def open(self) -> None:
        self.page.goto("/account")
        self.root.wait_for()

    def part(self, name: str) -> Locator:
        """Give a part of the page: register, sign-in, name, devices, move, tokens, apart, leaving."""
        return self.page.get_by_test_id(f"account-{name}")

    @property
    def signed_in(self) -> Locator:
        return self.page.get_by_test_id("signed-in")

    @property
    def devices(self) -> Locator:
        return self.page.get_by_test_id("device")

    @property
    def tokens(self) -> Locator:
        return self.page.get_by_test_id("token-line")

    @property
    def new_token(self) -> Locator:
        """The field that shows a token, once."""
        return self.page.get_by_test_id("token")

    def register(self, username: str, password: str) -> None:
        self._enter(self.part("register"), "new-password", username, password, "account.register_button")

    def sign_in(self, username: str, password: str) -> None:
        self._enter(self.part("sign-in"), "current-password", username, password, "account.sign_in_button")

    def sign_out(self) -> None:
        here = self.page.locator('[data-testid="device"][data-current="true"]')
        here.get_by_role("button").click()

    def code_to_move(self) -> str:
        self.button("account.move_button").click()
        return self.page.get_by_test_id("transfer-code").inner_text()

    def make_token(self, label: str) -> None:
        self.part("tokens").locator("summary").click()
        self.part("tokens").locator("input[name=label]").fill(label)
        self.button("account.token_make").click()

    def revoke(self, label: str) -> None:
        self.button("account.revoke_it", label=label).click()

    def change_password(self, former: str, new: str, *, ends_tokens: bool) -> None:
        part = self.part("password")
        part.locator("input[name=current-password]").fill(former)
        part.locator("input[name=new-password]").fill(new)
        part.locator("input[type=checkbox]").set_checked(ends_tokens)
        self.button("account.save", part).click()

    def delete(self, password: str) -> None:
        self.button("account.delete").click()
        window = self.page.get_by_test_id("delete-window")
        window.locator("input").fill(password)
        self.button("account.delete_yes", window).click()

    def _enter(self, part: Locator, kind: str, username: str, password: str, button: str) -> None:
        part.locator("input[name=username]").fill(username)
        part.locator(f"input[name={kind}]").fill(password)
        self.button(button, part).click()


class Move(Screen):
    name = "move"

    def open(self, link: str = "/move") -> None:
        self.page.goto(link)
        self.root.wait_for()

    def arrive(self, code: str) -> None:
        self.page.locator("input[name=transfer]").fill(code)
        self.button("move.button").click()
