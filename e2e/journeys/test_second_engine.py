"""The same page in another engine, WebKit: a name, a bot, turns by real clicks, the other language, and a reload."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

import pytest
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.wait import WebDriverWait

from e2e.texts import text
from e2e.webkit import faults, watch, webkit

T = TypeVar("T")
WAIT_S = 20
TURNS = 4
MINE = '#table[data-conn="open"][data-my-turn="true"][data-busy="false"][data-phase="play"]'
HAND = '[data-testid="hand-card"]'
LIFTED = f'{HAND}[aria-pressed="true"]'
PLAY = '[data-testid="play"]'

pytestmark = pytest.mark.webkit


@pytest.fixture(scope="module")
def driver() -> Iterator[WebDriver]:
    with webkit() as running:
        yield running


def name_of(button: WebElement) -> str:
    """Give the accessible name of a button; this driver cannot, on a machine without a bus for screen readers."""
    return button.get_attribute("aria-label") or button.text


class Player:
    """Somebody at that browser."""

    def __init__(self, driver: WebDriver) -> None:
        self.driver = driver

    def see(self, selector: str) -> WebElement:
        """Wait until the page shows this, and give it."""
        return self._until(lambda: self._shown(selector), f"{selector} to be shown")[0]

    def click(self, selector: str) -> None:
        self.see(selector).click()

    def press(self, key: str, lang: str) -> None:
        """Click the button with this name; the same name may stand in windows that are closed."""
        words = text(key, lang)
        self._until(lambda: [one for one in self._shown("button") if name_of(one) == words], f"{words!r}")[0].click()

    def turn(self) -> int:
        return int(self.see("#table").get_attribute("data-turn") or -1)

    def hand(self) -> list[str]:
        return [str(card.get_attribute("data-card")) for card in self._all(HAND)]

    def play_a_turn(self) -> None:
        """Lift the card that takes most, see what it takes, and play it; the bot answers by itself."""
        self.see(MINE)
        turn = self.turn()
        card = max(self._all(HAND), key=lambda one: len(one.get_attribute("data-takes") or ""))
        name, takes = card.get_attribute("data-card"), (card.get_attribute("data-takes") or "").split()
        card.click()
        assert self.see(LIFTED).get_attribute("data-card") == name
        caught = [one.get_attribute("data-card") for one in self._all('[data-testid="floor-card"][data-caught="true"]')]
        assert sorted(caught) == sorted(takes)
        assert self.see(PLAY).get_attribute("data-kind") == ("take" if takes else "trail")
        self.click(PLAY)
        self._until(lambda: self.turn() >= turn + 2, "the play and the bot's answer")

    def speak(self, lang: str) -> None:
        """Change the language in the settings, in the middle of the match."""
        self.click('[data-testid="open-settings"]')
        self.see('[data-testid="settings"]')
        self.driver.find_element(By.XPATH, f'//label[input[@id="language-{lang}"]]').click()
        self.see(f'html[lang="{lang}"] #table')
        self.press("window.close", lang)

    def _all(self, selector: str) -> list[WebElement]:
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def _shown(self, selector: str) -> list[WebElement]:
        return [one for one in self._all(selector) if one.is_displayed()]

    def _until(self, condition: Callable[[], T], what: str) -> T:
        # The page may draw something anew while one looks at it.
        wait = WebDriverWait(self.driver, WAIT_S, 0.05, [StaleElementReferenceException])
        return wait.until(lambda _: condition(), f"waited in vain for {what}")


def test_a_match_goes_on_in_webkit(driver: WebDriver, base_url: str) -> None:
    player = Player(driver)
    driver.get(f"{base_url}/")
    driver.add_cookie({"name": "basra_lang", "value": "en"})
    driver.get(f"{base_url}/")
    name = player.see('html[lang="en"] main[data-screen="home"] input')  # not the page of before
    watch(driver)
    name.send_keys("Mona")
    player.press("home.practice", "en")
    for _ in range(TURNS):
        player.play_a_turn()

    loaded = driver.execute_script("return performance.timeOrigin")
    player.speak("ar")
    assert player.see("html").get_attribute("dir") == "rtl"
    assert driver.execute_script("return performance.timeOrigin") == loaded, "the language changes without a reload"
    player.play_a_turn()

    player.see(MINE)
    turn, hand = player.turn(), player.hand()
    assert faults(driver) == []
    driver.refresh()
    watch(driver)
    player.see(MINE)
    assert (player.turn(), player.hand()) == (turn, hand), "the same seat and the same cards after a reload"
    player.play_a_turn()
    assert faults(driver) == []


def test_a_fault_would_be_noted(driver: WebDriver, base_url: str) -> None:
    driver.get(f"{base_url}/")
    watch(driver)
    driver.execute_script(
        "setTimeout(() => { throw new Error('thrown'); }); Promise.reject(new Error('refused')); console.error('said');"
        "document.body.append(Object.assign(document.createElement('img'), { src: 'https://elsewhere.invalid/' }));"
    )
    WebDriverWait(driver, WAIT_S, 0.05).until(lambda _: len(faults(driver)) >= 4)
    assert (
        "thrown" in str(faults(driver))
        and "refused" in str(faults(driver))
        and "policy: img-src" in str(faults(driver))
    )
