"""JupyterLab in headless Chromium, for the tests in this folder."""

import json
import os
import re
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).resolve().parents[2]
TOUR = ROOT / "notebooks" / "00_tour.ipynb"
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


class Lab:
    """A running JupyterLab on a folder of its own."""

    def __init__(self, folder: Path, theme: str = "JupyterLab Light") -> None:
        self.folder, self.token = folder, secrets.token_hex(16)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        home = folder / "home"
        settings = home / "settings" / "@jupyterlab" / "apputils-extension"
        settings.mkdir(parents=True)
        news = {"fetchNews": "false", "checkForUpdates": False}
        (settings / "notification.jupyterlab-settings").write_text(json.dumps(news))
        (settings / "themes.jupyterlab-settings").write_text(json.dumps({"theme": theme}))
        tracker = home / "settings" / "@jupyterlab" / "notebook-extension" / "tracker.jupyterlab-settings"
        tracker.parent.mkdir()
        tracker.write_text(json.dumps({"windowingMode": "none"}))  # cells out of sight stay in the page
        places = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")
        env = {**os.environ, **{name: str(home / name.lower()) for name in places}}
        env["JUPYTERLAB_SETTINGS_DIR"] = str(home / "settings")
        env["JUPYTERLAB_WORKSPACES_DIR"] = str(home / "workspaces")
        command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"]
        command += [f"--ServerApp.port={self.port}", "--ServerApp.port_retries=0", "--ServerApp.ip=127.0.0.1"]
        command += [f"--IdentityProvider.token={self.token}", f"--ServerApp.root_dir={folder / 'work'}"]
        self.log = (folder / "lab.log").open("w")
        self.process = subprocess.Popen(command, cwd=folder, env=env, stdout=self.log, stderr=self.log)
        self._wait()

    def _wait(self) -> None:
        end = time.monotonic() + 60
        while time.monotonic() < end and self.process.poll() is None:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/api", timeout=1):
                    return
            except OSError:
                time.sleep(0.2)
        self.close()
        raise RuntimeError((self.folder / "lab.log").read_text()[-3000:])

    def url(self, notebook: str) -> str:
        """A notebook alone in a workspace of its own: in a shared one the tabs of other tests come back."""
        place = f"lab/workspaces/{Path(notebook).stem}/tree/{notebook}"
        return f"http://127.0.0.1:{self.port}/{place}?token={self.token}"

    def stop_kernels(self) -> None:
        for kernel in json.loads(self._ask("GET", "kernels")):
            self._ask("DELETE", f"kernels/{kernel['id']}")

    def _ask(self, method: str, what: str) -> bytes:
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/api/{what}", method=method)
        request.add_header("Authorization", f"token {self.token}")
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.read()

    def close(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()


def notebook(path: Path, *cells: str) -> None:
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    made.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(made, path)


@pytest.fixture(scope="session")
def lab(tmp_path_factory) -> Iterator[Lab]:
    folder = tmp_path_factory.mktemp("lab")
    (folder / "work").mkdir()
    if TOUR.exists():
        shutil.copy(TOUR, folder / "work" / "tour.ipynb")
    else:
        notebook(folder / "work" / "tour.ipynb", "import designlab\n\ndesignlab.explore('kimono')")
    busy = "import time\n\ntime.sleep(15)"
    notebook(
        folder / "work" / "busy.ipynb", "import designlab\n\ndesignlab.explore('kimono', plays=2000)", busy
    )
    running = Lab(folder)
    yield running
    running.close()


@pytest.fixture(scope="session")
def browser():
    if CHROMIUM is None:
        pytest.skip("chromium is not installed")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture(scope="module", autouse=True)
def _no_kernel_is_left(browser, lab) -> Iterator[None]:
    """A panel that plays on after its page is closed would take a core from all tests to come."""
    yield
    lab.stop_kernels()


def open_and_run(page, lab: Lab, name: str = "tour.ipynb") -> None:
    """Open a notebook, wait for its kernel, run all cells."""
    page.goto(lab.url(name))
    page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=60_000)
    page.get_by_text(re.compile(r"Python 3.*\| Idle")).wait_for(timeout=60_000)  # a key before that is lost
    page.get_by_role("menuitem", name=re.compile("^Run$")).click()
    page.get_by_role("menuitem", name=re.compile("^Run All Cells$")).click()


@pytest.fixture(scope="session")
def open_notebook():
    return open_and_run


@pytest.fixture(scope="session")
def write_notebook():
    return notebook
