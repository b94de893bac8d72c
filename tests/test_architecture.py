"""The frame of the project: what lies where, who imports whom, what a wheel holds."""

import ast
import json
import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from importlib.metadata import packages_distributions
from pathlib import Path

import lock
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import designlab

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "designlab"
MODULES = sorted(PACKAGE.rglob("*.py"))
NOTEBOOKS = sorted(path for path in ROOT.glob("notebooks/**/*.ipynb") if "checkpoint" not in path.name)
MOST_LINES = 350


def name_of(path: Path) -> str:
    """Return a path as a test id: relative to the checkout."""
    return path.relative_to(ROOT).as_posix()


def run(*command: str | Path, cwd: Path = ROOT, **env: str) -> str:
    """Run a command and return what it printed; its output is the failure's text."""
    words = [str(part) for part in command]
    env = {**os.environ, **env}
    done = subprocess.run(words, cwd=cwd, env=env, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def committed_files() -> list[Path]:
    """Return every file under version control, or, in an unpacked sdist, every file there."""
    if (ROOT / ".git").exists():
        listed = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0")
        return [ROOT / name for name in listed if name and (ROOT / name).is_file()]
    return [path for path in ROOT.rglob("*") if path.is_file() and ".venv" not in path.parts]


# --- imports ---


def test_import_contracts_hold():
    run(Path(sys.executable).parent / "lint-imports", "--no-logo", "--no-cache")


def test_every_public_name_exists():
    for name in designlab.__all__:
        assert hasattr(designlab, name), f"designlab.__all__ names {name}, which does not exist"


def test_import_is_light():
    """Widgets, plots and the lab cost seconds, so they load when first used."""
    loaded = run(sys.executable, "-c", "import designlab, sys; print(*sys.modules)").split()
    assert not {"ipywidgets", "matplotlib.pyplot", "jupyterlab", "statsmodels"} & set(loaded)


def test_the_package_imports_nothing_that_an_install_does_not_bring():
    brought = set(lock.closure(runtime_only=True)[0])
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = project["optional-dependencies"]["cluster"]
    cluster = {canonicalize_name(Requirement(line).name) for line in lines}
    carriers = packages_distributions()
    strangers = []
    for path in MODULES:
        here = brought | cluster if path.name == "cluster.py" else brought
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and not node.level:
                names = [node.module or ""]
            else:
                continue
            tops = {name.split(".")[0] for name in names} - sys.stdlib_module_names - {"designlab"}
            carried = {top: {canonicalize_name(name) for name in carriers.get(top, [])} for top in tops}
            strangers += [f"{name_of(path)}: {top}" for top in tops if not carried[top] & here]
    assert not strangers


# --- sources ---


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_module_fits_on_a_few_screens(path):
    lines = len(path.read_text(encoding="utf-8").splitlines())
    assert lines <= MOST_LINES, f"{name_of(path)} has {lines} lines: split it by topic"


def forbidden_calls(tree: ast.AST) -> list[str]:
    """Return "line: name" for everything in a syntax tree that runs text or bytes as code."""
    modules = {"pickle", "cPickle", "dill", "cloudpickle", "marshal", "shelve", "yaml", "joblib"}
    builtins = {"eval", "exec", "compile", "__import__"}
    methods = {"eval", "read_pickle", "to_pickle"}
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names if alias.name.split(".")[0] in modules]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module] if (node.module or "").split(".")[0] in modules else []
        elif isinstance(node, ast.Name):
            names = [node.id] if node.id in builtins else []
        elif isinstance(node, ast.Attribute):
            names = [node.attr] if node.attr in methods else []
        elif isinstance(node, ast.keyword):
            allowed = node.arg != "allow_pickle" or ast.unparse(node.value) == "False"
            names = [] if allowed else ["allow_pickle"]
        else:
            names = []
        line = getattr(node, "lineno", 0)
        found += [f"{line}: {name}" for name in names]
    return found


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_no_text_or_file_is_run_as_code(path):
    assert not forbidden_calls(ast.parse(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize(
    "source",
    [
        "eval(text)",
        "run = exec",
        "import pickle",
        "from pickle import loads",
        "import yaml",
        "pandas.read_pickle(path)",
        "frame.eval(text)",
        "numpy.load(path, allow_pickle=True)",
        "__import__(name)",
    ],
)
def test_the_scan_sees(source):
    assert forbidden_calls(ast.parse(source))


def test_the_scan_lets_pass_what_is_harmless():
    source = "re.compile(x); ast.literal_eval(x); numpy.load(p, allow_pickle=False)"
    assert not forbidden_calls(ast.parse(source))


# --- notebooks ---


@pytest.mark.parametrize("path", NOTEBOOKS, ids=name_of)
def test_notebook_is_committed_clean(path):
    notebook = json.loads(path.read_text(encoding="utf-8"))
    assert "widgets" not in notebook["metadata"], "widget state"
    for number, cell in enumerate(notebook["cells"], start=1):
        if cell["cell_type"] == "code":
            assert not cell["outputs"], f"cell {number} has outputs"
            assert cell["execution_count"] is None, f"cell {number} has an execution count"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=name_of)
def test_notebook_has_no_logic_of_its_own(path):
    logic = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    for number, cell in enumerate(json.loads(path.read_text(encoding="utf-8"))["cells"], start=1):
        if cell["cell_type"] == "code":
            source = "".join(cell["source"])
            code = "\n".join(line for line in source.splitlines() if not line.lstrip().startswith(("%", "!")))
            defined = [node.name for node in ast.walk(ast.parse(code)) if isinstance(node, logic)]
            assert not defined, f"cell {number} defines {', '.join(defined)}: it belongs in the package"


# --- files of the project ---


def test_what_a_person_looks_for_is_there():
    for name in (
        "LICENSE",
        "Makefile",
        "README.md",
        ".ci/run",
        "card_data/README.md",
        "constraints.txt",
        "designlab/__init__.py",
        "notebooks",
        "tests",
    ):
        assert (ROOT / name).exists(), f"{name} is missing"


def test_no_file_names_this_machine_or_a_package_host():
    """Packages are named by name; a path of one machine is of no use on the next."""
    # written in parts, so that this file passes its own test
    hosts = ["pypi" + ".org", "python" + "hosted", "npm" + "js.org", "ana" + "conda.org", "debian" + ".org/"]
    places = [r"/(?:root|work|home/[a-z]+|Users/[A-Za-z]+)\b"]
    places += [re.escape(str(ROOT))] if len(ROOT.parts) > 2 else []
    pattern = re.compile("|".join([*map(re.escape, hosts), *(rf"(?<![\w.}}-]){place}" for place in places)]))
    found = []
    for path in committed_files():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        for number, line in enumerate(text.splitlines(), start=1):
            if match := pattern.search(line):
                found.append(f"{name_of(path)}:{number}: {match[0]}")
    assert not found


def test_readme_links_lead_somewhere():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", readme):
        if not target.startswith(("http:", "https:", "mailto:")):
            assert (ROOT / target).exists(), f"README.md links to {target}"


def test_every_make_target_says_what_it_does():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    phony = re.search(r"^\.PHONY: (.*)$", makefile, re.M)[1].split()
    explained = re.findall(r"^([a-z-]+):.*## ", makefile, re.M)
    assert sorted(phony) == sorted(explained)


def test_makefile_asks_for_the_python_that_pyproject_asks_for():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    least = project["requires-python"].removeprefix(">=")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert f"sys.version_info < ({least.replace('.', ', ')})" in makefile
    assert f"needs Python {least} or later" in makefile


# --- what is installed ---


def test_constraints_are_exact_releases_in_order():
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    for line in lines:
        assert re.fullmatch(r"[A-Za-z0-9][\w.-]*==\d[\w.]*", line), f"{line!r} is not name==version"
    assert lines == sorted(set(lines), key=str.lower)


def test_constraints_cover_everything_an_install_brings():
    found, faults = lock.closure()
    assert not faults
    pins = lock.pinned()
    assert not [name for name, (_, version) in found.items() if pins.get(name, version) != version]
    if sys.platform == "linux":  # elsewhere a few packages more come along
        assert not sorted(set(found) - set(pins)), "no line in constraints.txt: run `make constraints`"


def build(target: str, folder: Path) -> Path:
    """Build one hatchling target without the network and return the file."""
    run(sys.executable, "-m", "hatchling", "build", "--target", target, "--directory", folder)
    (built,) = folder.iterdir()
    return built


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """An unpacked wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    with zipfile.ZipFile(build("wheel", folder / "dist")) as archive:
        archive.extractall(folder / "unpacked")
    return folder / "unpacked"


def test_wheel_holds_cards_and_notebooks(wheel):
    for folder in ("card_data", "notebooks"):
        ours = {name_of(path) for path in committed_files() if path.is_relative_to(ROOT / folder)}
        inside = (path for path in (wheel / "designlab" / folder).rglob("*") if path.is_file())
        packed = {path.relative_to(wheel / "designlab").as_posix() for path in inside}
        assert ours
        assert packed == ours
    about = f"designlab-{designlab.__version__}.dist-info"
    assert {path.name for path in wheel.iterdir()} == {"designlab", about}


def test_installed_wheel_reads_the_cards_it_brought(wheel, tmp_path):
    """As after pip install: no checkout around, another working folder."""
    code = "import designlab.cards as cards; print(cards.__file__); print(cards.card_data())"
    module, folder = run(sys.executable, "-c", code, cwd=tmp_path, PYTHONPATH=str(wheel)).splitlines()
    assert Path(module) == wheel / "designlab" / "cards.py"
    assert Path(folder) == wheel / "designlab" / "card_data"


def test_checkout_reads_its_own_cards():
    code = "import designlab.cards as cards; print(cards.card_data())"
    assert Path(run(sys.executable, "-c", code).strip()) == ROOT / "card_data"


def test_editable_install_copies_no_cards(tmp_path):
    """A copy would hide what a designer edits in the checkout."""
    with zipfile.ZipFile(build("wheel:editable", tmp_path / "dist")) as archive:
        names = archive.namelist()
    assert not [name for name in names if name.startswith("designlab/")]


def test_sdist_is_the_whole_project(tmp_path):
    with tarfile.open(build("sdist", tmp_path / "dist")) as archive:
        packed = {name.split("/", 1)[1] for name in archive.getnames() if "/" in name}
    left_out = {name_of(path) for path in committed_files()} - packed
    assert not left_out
