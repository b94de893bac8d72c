"""The notebooks and the README: each runs from top to bottom, shows no error, and is committed clean."""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError
from nbformat.v4 import new_code_cell, new_notebook
from typer.testing import CliRunner

from designlab.cli.app import app
from designlab.games.panic import playtests

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "notebooks"
NOTEBOOKS = sorted(path for path in FOLDER.rglob("*.ipynb") if ".ipynb_checkpoints" not in path.parts)
README = ROOT / "README.md"
STATE = "application/vnd.jupyter.widget-state+json"
WRONG = re.compile(r'Traceback|class="designlab-error"|\b\w*(Error|Exception|Warning): ')
LINK = re.compile(r"\]\(([^)\s]+)\)")


def name(path: Path) -> str:
    return path.stem


each = pytest.mark.parametrize("path", NOTEBOOKS, ids=name)


@pytest.fixture
def execute(tmp_path, monkeypatch):
    """Runs a notebook in a fresh kernel of this Python, without anything of the user's own."""
    for variable in ("JUPYTER_DATA_DIR", "JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR"):
        monkeypatch.setenv(variable, str(tmp_path / variable.lower()))
    monkeypatch.setenv("JUPYTER_PREFER_ENV_PATH", "1")
    monkeypatch.delenv("JUPYTER_PATH", raising=False)

    def run(notebook, folder=FOLDER):
        resources = {"metadata": {"path": str(folder)}}
        try:
            client(notebook, resources).execute()
        except (
            CellTimeoutError
        ):  # rarely nbclient misses that a cell with a widget is done, its open issue 312
            client(notebook, resources).execute()
        return notebook

    def client(notebook, resources):
        return NotebookClient(notebook, timeout=180, kernel_name="python3", resources=resources)

    return run


def texts(value):
    """Every text in outputs or widget state, pictures left out."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            if not str(key).startswith("image/"):
                yield from texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from texts(item)


def complaints(notebook) -> list[str]:
    """What a reader would take for a fault: errors and warnings, in outputs and inside widgets.

    An error inside `interact`, or in a panel, does not stop a notebook: it is found in the state of the widgets only.
    """
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    models = notebook.metadata.get("widgets", {}).get(STATE, {}).get("state", {}).values()
    outputs += [output for model in models for output in model["state"].get("outputs", [])]
    found = [
        f"{output['ename']}: {output['evalue']}" for output in outputs if output["output_type"] == "error"
    ]
    for output in outputs:
        if output.get("name") == "stderr":
            lines = output["text"].splitlines()
            # said once on a machine that has not played yet
            found += [line for line in lines if not line.startswith("designlab: compiling")]
    for text in texts([outputs, [model["state"] for model in models]]):
        if wrong := WRONG.search(text):
            found.append(text[max(0, wrong.start() - 80) : wrong.end() + 200])
    return found


@pytest.mark.slow_unjitted
@each
def test_runs_and_shows_no_error(path, execute):
    notebook = execute(nbformat.read(path, as_version=4))
    assert complaints(notebook) == []
    silent = [cell.source for cell in notebook.cells if cell.cell_type == "code" and not cell.outputs]
    # a cell may prepare what the next one shows
    assert len(silent) <= len(notebook.cells) / 4, silent


@pytest.mark.slow_unjitted
def test_tour_shows_the_panel_first(execute):
    """A person who opens the tour gets to the panel with one cell, whatever comes later."""
    tour = nbformat.read(FOLDER / "00_tour.ipynb", as_version=4)
    first = next(i for i, cell in enumerate(tour.cells) if cell.cell_type == "code")
    assert first == 1
    tour.cells = tour.cells[: first + 1]
    execute(tour)
    view = tour.cells[first].outputs[-1]["data"]["application/vnd.jupyter.widget-view+json"]
    models = tour.metadata.widgets[STATE]["state"]
    assert view["model_id"] in models
    assert complaints(tour) == []


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ("import ipywidgets\nipywidgets.interact(lambda x: 1 / x, x=(0, 0))", "ZeroDivisionError"),
        (
            "import ipywidgets\nipywidgets.HTML('<p class=\"designlab-error\">deck: found nothing</p>')",
            "designlab-error",
        ),
        ("import warnings\nwarnings.warn('old', FutureWarning)", "FutureWarning"),
        ("import sys\nprint('something odd', file=sys.stderr)", "something odd"),
    ],
    ids=["interact", "panel", "warning", "stderr"],
)
def test_complaints_finds_what_does_not_stop_a_notebook(execute, tmp_path, source, fault):
    notebook = execute(new_notebook(cells=[new_code_cell(source)]), tmp_path)
    assert any(fault in text for text in complaints(notebook))


@each
def test_committed_clean(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert "widgets" not in notebook.metadata
    assert notebook.metadata.kernelspec.name == "python3"
    assert "version" not in notebook.metadata.get("language_info", {})
    for cell in notebook.cells:
        assert cell.metadata == {}
        if cell.cell_type == "code":
            assert (cell.outputs, cell.execution_count) == ([], None), cell.source


@each
def test_is_an_essay(path):
    """Prose around short cells; what needs a function belongs in the package, where it is tested."""
    notebook = nbformat.read(path, as_version=4)
    kinds = [cell.cell_type for cell in notebook.cells]
    assert kinds[0] == "markdown"
    assert re.match(r"# \S", notebook.cells[0].source)
    assert (
        sum(
            re.match(r"# ", cell.source) is not None
            for cell in notebook.cells
            if cell.cell_type == "markdown"
        )
        == 1
    )
    assert kinds.count("markdown") >= kinds.count("code") / 2
    assert "nofficial" in notebook.cells[0].source
    for cell in notebook.cells:
        assert cell.source.strip()
        if cell.cell_type == "code":
            kinds_of_node = {type(node) for node in ast.walk(ast.parse(cell.source))}
            assert not kinds_of_node & {ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef}, cell.source
            assert len(cell.source.splitlines()) <= 25


@each
def test_links_resolve(path):
    """Among themselves: `designlab lab` copies the notebooks to a folder of their own."""
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "markdown":
            for target in LINK.findall(cell.source):
                assert target.startswith("https://") or (FOLDER / target).is_file(), target
                assert "/" not in target or target.startswith("https://"), target


def test_tour_names_every_notebook():
    text = json.dumps([cell.source for cell in nbformat.read(FOLDER / "00_tour.ipynb", as_version=4).cells])
    assert {path.name for path in NOTEBOOKS} - set(LINK.findall(text)) == {"00_tour.ipynb"}


# README


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README.read_text(encoding="utf-8"), re.M | re.S)


@pytest.mark.parametrize("tour", blocks("python"), ids=["tour", "experiments"])
def test_readme_tour_runs(tmp_path, tour):
    lines = [line for line in tour.splitlines() if line.strip()]
    assert len(lines) <= 10
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", tour], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


COMMANDS = [
    line.split("#")[0].split()[1:]
    for block in blocks("sh")
    for line in block.splitlines()
    if line.startswith("designlab ") and " lab" not in line
]


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_readme_commands_run(words, tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    assert done.output.strip()


def test_readme_shows_a_playtest_file(tmp_path):
    (sample,) = blocks("csv")
    header, *rows = sample.splitlines()
    assert tuple(header.split(",")) == playtests.COLUMNS
    path = tmp_path / "mine.csv"
    path.write_text("\n".join([header, *rows * 3]), encoding="utf-8")
    assert len(playtests.read_playtests(path)) == 3 * len(rows)


def test_readme_has_what_it_names():
    text = README.read_text(encoding="utf-8")
    for target in LINK.findall(text):
        assert target.startswith("https://") or (ROOT / target.split("#")[0]).exists(), target
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.M))
    assert (
        set(re.findall(r"\bmake ([a-z-]+)", " ".join(re.findall(r"`[^`]+`|```.*?```", text, re.S))))
        <= targets
    )
    pictures = re.findall(r"!\[[^\]]*\]\(([^)]+)\)", text)
    assert pictures
    for picture in pictures:
        assert (ROOT / picture).stat().st_size < 300_000, picture
