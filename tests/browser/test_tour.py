"""The tour in a browser: JupyterLab opens it, a slider moves, the picture changes, Stop stops."""

import re
import time

import pytest

FINISHED = re.compile(r"([\d,]+) of \1 plays$")
PLAYING = re.compile(r"[\d,]+ of [\d,]+ plays, playing on")


@pytest.fixture(scope="module")
def page(browser, lab, open_notebook):
    """The tour with all cells run."""
    opened = browser.new_page(viewport={"width": 1400, "height": 1200})
    opened.set_default_timeout(60_000)
    open_notebook(opened, lab)
    opened.locator(".designlab").first.get_by_text(FINISHED).first.wait_for(timeout=240_000)  # may compile
    yield opened
    opened.close()


def panel(page):
    return page.locator(".designlab").first


def picture(page) -> str | None:
    return panel(page).locator(".designlab-pictures img").first.get_attribute("src")


def status(page) -> str:
    return panel(page).locator(".designlab-run").inner_text().replace("\n", " ")


def until(condition, seconds: float) -> float:
    """Wait for a condition; how long that took."""
    start = time.monotonic()
    while not condition():
        assert time.monotonic() - start < seconds
        time.sleep(0.01)
    return time.monotonic() - start


def test_no_cell_fails(page):
    assert page.locator(".jp-RenderedText[data-mime-type='application/vnd.jupyter.error']").count() == 0
    assert panel(page).locator(".designlab-error").count() == 0


def test_a_slider_moved_by_a_key_changes_the_picture(page):
    before = picture(page)
    handle = panel(page).locator(".designlab-upright:visible").first.locator(".noUi-handle").last
    number = int(handle.get_attribute("aria-valuetext"))
    handle.focus()
    handle.press("ArrowUp")
    until(lambda: picture(page) != before, 20)
    assert int(handle.get_attribute("aria-valuetext")) == number + 1
    panel(page).get_by_text("against").first.wait_for()
    panel(page).get_by_text(FINISHED).first.wait_for()


def test_stop_stops_a_long_run(page):
    seats = panel(page).locator("select", has=page.locator("option", has_text="rollout"))
    for seat in range(seats.count()):
        seats.nth(seat).select_option("rollout")
    panel(page).get_by_text(PLAYING).first.wait_for()
    stop = panel(page).get_by_role("button", name="Stop")
    stop.click()
    panel(page).get_by_text("stopped").first.wait_for(timeout=2000)
    stopped, shown = status(page), picture(page)
    page.wait_for_timeout(1500)
    assert status(page) == stopped
    assert picture(page) == shown
    panel(page).get_by_role("button", name="Go on").click()
    panel(page).get_by_text(PLAYING).first.wait_for()
    stop.click()  # or it plays on for minutes, on all cores
    panel(page).get_by_text("stopped").first.wait_for(timeout=2000)


def test_the_panel_answers_while_a_cell_runs(browser, lab, open_notebook):
    page = browser.new_page(viewport={"width": 1400, "height": 1200})
    page.set_default_timeout(60_000)
    open_notebook(page, lab, "busy.ipynb")
    panel(page).get_by_text(FINISHED).first.wait_for(timeout=240_000)
    before = picture(page)
    handle = panel(page).locator(".designlab-upright:visible").first.locator(".noUi-handle").last
    handle.focus()
    handle.press("ArrowUp")
    until(lambda: picture(page) != before, 10)
    assert page.locator(".jp-InputPrompt").nth(1).inner_text() == "[*]:", (
        "the cell ended before the picture came"
    )
    page.close()
