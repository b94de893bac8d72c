"""Settings written down in a TOML file: read, checked against a model, and refused in one line that names the key."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from designlab.cards import DataError, FileError, shown
from designlab.variants.files import read_toml

WORDS = {
    "bool_type": "true or false",
    "float_type": "a number",
    "int_type": "a whole number",
    "list_type": "a list",
    "string_type": "a text in quotes",
}
_Model = TypeVar("_Model", bound=BaseModel)


def read_settings(path: Path, model: type[_Model], **changed: Any) -> _Model:
    """The settings of a file; `changed` ones count in place of those in it. FileError where they are none."""
    try:
        return model(**{**read_toml(path), **changed})
    except ValidationError as error:
        raise _worded(path, model, error) from None


def beside(path: Path, which: str) -> str:
    """A variant that a file names: a path in it is relative to the file.

    >>> beside(Path("mine/sweep.toml"), "printed"), beside(Path("mine/sweep.toml"), "cats.toml:linear")
    ('printed', 'mine/cats.toml:linear')
    """
    is_path = which.endswith(".toml") or ".toml:" in which
    return str(path.parent / which) if is_path else which


def parts_named(
    table: Mapping[str, Any], is_parts: Callable[[Mapping[str, Any]], bool] = lambda inner: True
) -> dict[str, Any]:
    """`seat_bonus.0 = ...` without quotes is a table in a table to TOML: here it is the part that it looks like.

    >>> parts_named({"ring_size": [7, 8], "seat_bonus": {"1": "0..3"}})
    {'ring_size': [7, 8], 'seat_bonus.1': '0..3'}
    """
    flat: dict[str, Any] = {}
    for name, value in table.items():
        inside = isinstance(value, Mapping) and bool(value) and is_parts(value)
        flat |= {f"{name}.{part}": each for part, each in value.items()} if inside else {name: value}
    return flat


def of_file(path: Path, error: DataError) -> FileError:
    """The error with the file's name before it, unless it names a file."""
    return error if isinstance(error, FileError) else FileError(f"{path.name}, {error}")


def _worded(path: Path, model: type[BaseModel], error: ValidationError) -> FileError:
    first = error.errors(include_url=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    if first["type"] == "extra_forbidden":
        keys = ", ".join(model.model_fields)
        return FileError(f"{path.name}: found an unknown key {shown(place)}; allowed: {keys}")
    if first["type"] == "missing":
        return FileError(
            f"{path.name}, {place}: found nothing; allowed: {model.model_fields[place].description}"
        )
    allowed = WORDS.get(first["type"], first["msg"])
    if first["type"] == "dict_type":
        allowed = f"a table, such as [{place}]"
    return FileError(f"{path.name}, {place}: found {shown(first['input'])}; allowed: {allowed}")
