"""constraints.txt: the exact releases this project is tested with.

`python tools/lock.py` writes it from the environment that runs it; `--check` compares the two, names every
package that is missing, differs or does not suit another one, and exits with 1. With `--files` it also looks
for every file that an interrupted install may have left out. Only what designlab and its extras pull in
has a line.
"""

import argparse
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
CONSTRAINTS = ROOT / "constraints.txt"


def wanted(runtime_only: bool = False) -> list[tuple[str, Requirement]]:
    """Return (who asks, requirement) for each line in pyproject.toml: runtime, extras and build tools."""
    with open(ROOT / "pyproject.toml", "rb") as file:
        pyproject = tomllib.load(file)
    project = pyproject["project"]
    lines = list(project["dependencies"])
    if not runtime_only:
        lines += [line for extra in project["optional-dependencies"].values() for line in extra]
        lines += pyproject["build-system"]["requires"]
    return [("pyproject.toml", Requirement(line)) for line in lines]


def pinned() -> dict[str, str]:
    """Return canonical name -> version for each line of constraints.txt."""
    lines = CONSTRAINTS.read_text(encoding="utf-8").splitlines()
    pairs = (line.split("==") for line in lines if line and not line.startswith("#"))
    return {canonicalize_name(name): version for name, version in pairs}


def closure(runtime_only: bool = False) -> tuple[dict[str, tuple[str, str]], list[str]]:
    """Follow every requirement through the installed packages.

    Returns canonical name -> (name as its project writes it, installed version), and a sentence for each
    requirement that the environment does not meet.
    """
    found: dict[str, tuple[str, str]] = {}
    faults: list[str] = []
    todo = wanted(runtime_only)
    seen: set[tuple[str, str]] = set()
    while todo:
        asker, requirement = todo.pop()
        name = canonicalize_name(requirement.name)
        try:
            installed = distribution(name)
        except PackageNotFoundError:
            faults.append(f"{requirement} is not installed ({asker} needs it)")
            continue
        if not requirement.specifier.contains(installed.version, prereleases=True):
            faults.append(f"{name} is {installed.version}, {asker} needs {requirement}")
        found[name] = (installed.metadata["Name"], installed.version)
        for extra in ("", *requirement.extras):
            if (name, extra) not in seen:
                seen.add((name, extra))
                todo.extend((name, need) for need in needs(installed.requires or [], extra))
    return found, sorted(set(faults))


def needs(lines: list[str], extra: str) -> Iterator[Requirement]:
    """Yield those requirements among a package's lines that hold here, with one extra or with none ("")."""
    for line in lines:
        requirement = Requirement(line)
        if requirement.marker is None:
            if not extra:
                yield requirement
        elif requirement.marker.evaluate({"extra": extra}):
            yield requirement


def check() -> list[str]:
    """Return one sentence for each way in which the environment is not what constraints.txt says."""
    found, faults = closure()
    pins = pinned()
    for name, (_, version) in sorted(found.items()):
        if pins.get(name, version) != version:
            faults.append(f"{name} is {version}, constraints.txt says {pins[name]}")
    return faults


def incomplete() -> list[str]:
    """Return one sentence for each package that lacks a file, or has one of the wrong size."""
    faults = []
    for name in sorted(closure()[0]):
        for file in distribution(name).files or ():
            if file.suffix == ".pyc":  # Python writes these itself
                continue
            path = Path(str(file.locate()))
            if not path.is_file() or (file.size is not None and path.stat().st_size != file.size):
                faults.append(f"{name} is not whole: {file}")
                break
    return faults


def main() -> int:
    """Write constraints.txt, or compare it with this environment."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare, and write nothing")
    parser.add_argument("--files", action="store_true", help="with --check: is every installed file there")
    options = parser.parse_args()
    if options.check:
        faults = [*check(), *(incomplete() if options.files else [])]
        print("\n".join(faults), end="\n" if faults else "")
        return bool(faults)
    found, faults = closure()
    if faults:
        print("\n".join(faults), file=sys.stderr)
        return 1
    lines = sorted((f"{name}=={version}" for name, version in found.values()), key=str.lower)
    CONSTRAINTS.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
