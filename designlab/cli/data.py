"""Commands about what is played: check, variants."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from designlab.cards import DataError, FileError, listed, on_one_line
from designlab.cli import options as o
from designlab.cli.files import check_new_file
from designlab.cli.text import document, table, wrapped

if TYPE_CHECKING:
    from designlab.variants import Variant


def check(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE", show_default=False, help="Card files (.csv) or variant files (.toml)."
        ),
    ],
    json: o.AsJson = False,
) -> None:
    """What is in card and variant files, or what is wrong.

    A mistake is named by file, row and column, with what was found and what is allowed. All files are checked. The
    exit status is 2 if any is bad.

    \b
    Examples:
      designlab check card_data/kimono/deck_reconstructed.csv
      designlab check my_deck.csv mine.toml
    """
    from designlab.variants import check_file

    found: list[dict[str, Any]] = []
    for name in files:
        try:
            _check_game(Path(name))
            lines = check_file(name)
        except DataError as error:
            found.append({"file": name, "ok": False, "error": str(error)})
        else:
            found.append({"file": name, "ok": True, "holds": lines})
        if not json:
            _say(found[-1])
    if json:
        print(document(found))
    if not all(one["ok"] for one in found):
        raise typer.Exit(2)


def _check_game(path: Path) -> None:
    """Refuse a variant file that may be of several games: it says of which, or its folder does, or its knobs do."""
    from designlab.variants import game_names, variant_class
    from designlab.variants.files import read_toml

    if path.suffix.lower() != ".toml" or path.absolute().parent.name in game_names():
        return
    document = read_toml(path)
    names = {*document}.union(*(value for value in document.values() if isinstance(value, dict)))
    fits = [len(names.intersection(variant_class(game).knobs())) for game in game_names()]
    if document and "game" not in document and fits.count(max(fits)) > 1:
        allowed = listed(f'game = "{game}"' for game in game_names())
        raise FileError(f"{path.name}: found keys of no one game; allowed: a line {allowed} at the top")


def _say(found: dict[str, Any]) -> None:
    """A line for a file; a file of several variants has one more for each."""
    name = on_one_line(found["file"])
    if not found["ok"]:
        base = (
            Path(name).name or name
        )  # errors start with the file's name; the path tells apart two of the same name
        rest = found["error"].removeprefix(base)
        print("designlab: " + (name + rest if rest != found["error"] else f"{name}: {rest}"), file=sys.stderr)
    elif len(found["holds"]) == 1:
        print(f"{name}: {found['holds'][0]}", flush=True)
    else:
        print("\n  ".join([f"{name}: {len(found['holds'])} variants", *found["holds"]]), flush=True)


def variants(
    game: Annotated[
        str | None,
        typer.Argument(metavar="GAME", show_default=False, help="Name of a game; all games if left out."),
    ] = None,
    tag: Annotated[
        str | None, typer.Option(metavar="TAG", help="Only variants with this tag, such as deck or balance.")
    ] = None,
    knobs: Annotated[
        bool, typer.Option("--knobs", help="The knobs instead: value, what is allowed, what it does.")
    ] = False,
    policies: Annotated[bool, typer.Option("--policies", help="The policies instead, for --seats.")] = False,
    which: o.Which = "printed",
    settings: o.Settings = None,
    no_exchange: o.NoExchange = False,
    save: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write a variant to a .toml file, cards included, to edit or to share."
        ),
    ] = None,
    force: o.Force = False,
    json: o.AsJson = False,
) -> None:
    """The variants of a game, its knobs and its policies.

    --variant and --set choose the variant whose values --knobs shows and --save writes.

    \b
    Examples:
      designlab variants kimono
      designlab variants kimono --knobs
      designlab variants kimono --set cat_curve=linear --save mine.toml
    """
    from designlab.variants import game_names

    names = [game] if game is not None else list(game_names())
    wanted = [option for option, on in (("knobs", knobs), ("policies", policies), ("save", save)) if on]
    if len(wanted) > 1:
        raise DataError(f"{wanted[1]}: found it together with --{wanted[0]}; allowed: one of them")
    if (wanted or settings) and game is None:
        option = wanted[0] if wanted else "set"
        raise DataError(f"{option}: found it without a game; allowed: with one of {', '.join(names)}")
    if tag is not None and wanted:
        raise DataError(f"tag: found it together with --{wanted[0]}; allowed: in the list of variants")
    if settings and not (knobs or save):
        raise DataError("set: found it in a list of variants; allowed: together with --knobs or --save")
    parts, data = [], {}
    for name in names:
        if save is not None:
            text, data[name] = _saved(o.chosen(name, which, settings, not no_exchange), save, force)
        elif knobs:
            text, data[name] = _knobs(o.chosen(name, which, settings, not no_exchange))
        elif policies:
            text, data[name] = _policies(name)
        else:
            text, data[name] = _variants(name, tag)
        parts.append(text)
    print(document(data[game] if game is not None else data) if json else "\n\n".join(parts))


def _variants(game: str, tag: str | None) -> tuple[str, Any]:
    from designlab.game import load
    from designlab.variants import named_variants

    found = named_variants(game, tag)
    rows = [[name, ", ".join(one.tags), one.title] for name, one in found.items()]
    notes = [f"{name}: {note}" for name, one in found.items() for note in one.notes()]
    rules = load(game)
    lines = [f"{game}: {rules.title}", table(["variant", "tags", "title"], "llw", rows), ""]
    lines += [wrapped(f"- {note}", "  ") for note in [*rules.about, *notes]]
    data = [
        {"name": name, "title": one.title, "tags": list(one.tags), "key": one.key, "notes": one.notes()}
        for name, one in found.items()
    ]
    return "\n".join(lines), data


def _knobs(variant: "Variant") -> tuple[str, Any]:
    found = variant.knobs().values()
    texts = [variant.knob_text(knob.name) for knob in found]
    rows = [
        [knob.name, wrapped(text, columns=24) or "none", f"{knob.help}\nAllowed: {knob.allowed}."]
        for knob, text in zip(found, texts, strict=True)
    ]
    data = [
        {"knob": knob.name, "group": knob.group, "type": knob.type, "value": value}
        | {"allowed": knob.allowed, "low": knob.low, "high": knob.high, "help": knob.help}
        for knob, value in zip(found, variant.dump().values(), strict=True)
    ]
    head = wrapped(f"Knobs of {variant.game}, values of {variant}", "  ")
    return f"{head}\n" + table(["knob", "value", "what it is"], "llw", rows), data


def _policies(game: str) -> tuple[str, Any]:
    from designlab.game import load

    rules = load(game)
    found = dict(rules.policies)
    if rules.interventions is not None:
        found |= {f"POLICY {way} CARD": text for way, text in rules.interventions.ways.items()}
    rows = [[name, text] for name, text in found.items()]
    data = [{"policy": name, "help": text} for name, text in found.items()]
    return f"Policies of {game}\n" + table(["policy", "how it decides"], "lw", rows), data


def _saved(variant: "Variant", path: Path, force: bool) -> tuple[str, Any]:
    if path.suffix != ".toml":
        raise DataError.of("save", str(path), "a file name ending in .toml")
    check_new_file("save", path, force)
    named = variant.but(name=path.stem, title=variant.title)  # a file is called by its own name
    named.save(path, overwrite=force)
    return f"Wrote {path}: {named.summary()}", {"file": str(path), "key": named.key}
