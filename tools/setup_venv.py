"""`make setup`: make .venv hold what constraints.txt says, and prove that designlab runs there.

`make install`, which is `setup_venv.py --no-check`, leaves out the proof: linters need none. `setup_venv.py --begin`
installs what designlab itself needs, enough for the self-check to run while `make install` brings the rest.

Runs under the machine's own Python with nothing but the standard library. The stamp .venv/ready.json is taken
away before anything is changed and written last, after the self-check, so that an install that failed or was
interrupted is done again. It holds a digest of what the install depends on and the folder it was made for:
scripts in .venv name that folder, so a moved or copied checkout gets a new .venv.
"""

import hashlib
import json
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
STAMP = VENV / "ready.json"


class SetupError(Exception):
    """What went wrong, in one line for the person at the terminal."""


def recipe() -> dict[str, str]:
    """Return what the stamp must say for .venv to be up to date. Settings of tools do not count."""
    with open(ROOT / "pyproject.toml", "rb") as file:
        pyproject = tomllib.load(file)
    parts = [pyproject["build-system"], pyproject["project"], pyproject["tool"]["hatch"]]
    digest = hashlib.sha256(json.dumps(parts, sort_keys=True).encode())
    digest.update((ROOT / "constraints.txt").read_bytes())
    return {"folder": str(ROOT), "digest": digest.hexdigest()}


def run(what: str, *command: str | Path, quiet: bool = False) -> None:
    """Run a command in the checkout; raise SetupError naming what failed."""
    words = [str(part) for part in command]
    output = subprocess.DEVNULL if quiet else None
    try:
        code = subprocess.run(words, cwd=ROOT, stdout=output, stderr=output).returncode
    except OSError as error:
        raise SetupError(f"{what} failed: {error.strerror}: {command[0]}") from None
    if code:
        raise SetupError(f"{what} failed with exit code {code}")


def usable() -> bool:
    """Tell whether .venv has a Python that starts, has pip, and was made for this very folder."""
    probe = "import pip, sys; print(sys.version_info >= (3, 11))"
    try:
        done = subprocess.run([str(PYTHON), "-I", "-c", probe], capture_output=True, text=True, cwd=ROOT)
        launcher = (VENV / "bin" / "pip").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return False
    # a script in .venv/bin starts with its interpreter's path; a path too long for that is on the second line
    made_here = any(str(PYTHON.parent) in line for line in launcher[:3])
    return done.returncode == 0 and done.stdout.strip() == "True" and made_here


def up_to_date() -> bool:
    """Tell whether the stamp is this recipe's and the packages are still what the install left."""
    try:
        if json.loads(STAMP.read_text(encoding="utf-8")) != recipe():
            return False
    except (OSError, ValueError):
        return False
    try:
        run("check", PYTHON, "tools/lock.py", "--check", quiet=True)
    except SetupError:
        return False
    return (VENV / "bin" / "designlab").exists()


def create() -> None:
    """Make .venv anew."""
    if VENV.exists() or VENV.is_symlink():
        print("setup: .venv is broken or was made elsewhere, building it again", flush=True)
    # never build an environment with its own interpreter: this may run with .venv activated
    own = Path(sys.prefix).resolve() == VENV.resolve()
    python = getattr(sys, "_base_executable", sys.executable) if own else sys.executable
    run("making .venv (on Debian: install python3-venv)", python, "-m", "venv", "--clear", VENV)


def install() -> None:
    """Install into .venv."""
    print("setup: installing packages into .venv; the first time takes some minutes", flush=True)
    pip_install(".[dev,cluster]")
    byte_compile()


def pip_install(project: str) -> None:
    """Install designlab, with the extras named, and what it is built with."""
    pip = [str(PYTHON), "-m", "pip", "--disable-pip-version-check", "install", "-qq", "--no-compile"]
    pip += ["--constraint", "constraints.txt"]
    # The build tools come first, as constraints.txt has them: pip's isolated builds fetch whatever is newest.
    what = "pip (should it go on failing, delete .venv)"
    run(what, *pip, "hatchling", "editables")
    run(what, *pip, "--no-build-isolation", "--editable", project)


def byte_compile() -> None:
    """Byte-compile what was installed, on all cores and without the packages' own tests, half of all they bring.

    pip would take one core and four times as long. What fails is what no Python of ours can read, templates say, and
    no matter: Python compiles a module that it finds not compiled.
    """
    command = [str(PYTHON), "-m", "compileall", "-q", "-j", "0", "-x", r"[/\\]tests?[/\\]", str(VENV / "lib")]
    subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def compare() -> None:
    """Compare .venv, file by file, with what should be there: pip does not see what it left out."""
    run("comparing .venv with constraints.txt", PYTHON, "tools/lock.py", "--check", "--files")


def bring_up_to_date() -> None:
    """Install into the .venv that is there; where there is none, or that was not enough, into a new one.

    A pip that fails, for want of a network say, leaves the .venv there was.
    """
    STAMP.unlink(missing_ok=True)
    if usable():
        install()
        try:
            compare()
            return
        except SetupError as error:
            print(f"setup: {error}", file=sys.stderr, flush=True)
    create()
    install()
    compare()


def begin() -> None:
    """Install what designlab itself needs and no more, so that it can compile while the rest comes; no stamp."""
    STAMP.unlink(missing_ok=True)
    if not usable():
        create()
    print("setup: installing what designlab itself needs into .venv", flush=True)
    pip_install(".")


def main(check: bool = True, whole: bool = True) -> int:
    """Set up .venv where it is not up to date, then run the self-check, which also fills numba's cache.

    `check` False leaves that out; `whole` False leaves it at a beginning, to go on with another call.
    """
    try:
        current = up_to_date()
        if not whole:
            if not current:
                begin()
            return 0
        if not current:
            bring_up_to_date()
        if check:
            run("the self-check", PYTHON, "-m", "designlab.selfcheck")
        if not current:
            STAMP.write_text(json.dumps(recipe()), encoding="utf-8")
    except SetupError as error:
        print(f"setup: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("setup: stopped; the next run starts over", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(check="--no-check" not in sys.argv, whole="--begin" not in sys.argv))
