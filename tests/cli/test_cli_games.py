"""`marrakech games`: what was played is listed, drawn, written down for others, and rescued."""

from __future__ import annotations

import json
import os
import resource
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from kept_games import SET_UP, kept, quick_disk, tree
from talk import INPUTS, Talk

from companion.cli.main import main
from companion.daemon.archive import Archive
from companion.daemon.keeper import Keeper
from companion.daemon.line import Members, decode_line, encode_line
from companion.daemon.reading import read_journal
from companion.games.marrakech import parse_record
from companion.table.pages import Stage, resumed

PUT_AWAY = "pause pause"
NAMES = ("Ana", "Bo", "Cleo", "Dan")
BEGUN = "2026-03-01T20:14:05+01:00"


@pytest.fixture(scope="module", autouse=True)
def at_once() -> Iterator[None]:
    with quick_disk():
        yield


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A place of its own, whatever was played on this machine."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MARRAKECH_CONFIG", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "xdg"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("NO_COLOR", "1")
    return tmp_path


@pytest.fixture
def folder(here: Path) -> Path:
    return here / "state" / "marrakech"


def play(folder: Path, words: str, about: Members | None = None, **customs: Any) -> Talk:  # noqa: ANN401
    """Play at a table that keeps its games there, by these words."""
    said = {"begun": BEGUN, "simulated": False} if about is None else about
    keeper = Keeper(folder, about=lambda: said)
    game, _ = keeper.load()
    talk = Talk(**customs)
    if game is not None:
        talk.conversation = resumed(talk.conversation.customs, game)
    for word in words.split():
        answer = talk.hear(INPUTS[word])
        assert talk.refused is None, word
        keeper.save(kept(answer))
    keeper.close()
    return talk


def play_to_the_end(folder: Path, **customs: Any) -> Talk:  # noqa: ANN401
    talk = play(folder, SET_UP, **customs)
    words = []
    while not talk.state.is_over:
        words.append("2" if talk.stage is Stage.ORIENT else "ok")
        talk.say(words[-1])
    return play(folder, " ".join(["ok", *words]), **customs)


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    capsys.readouterr()
    assert main(["games", *words]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    capsys.readouterr()
    assert main(["games", *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err.removeprefix("marrakech: ")


def damage(path: Path, line: int) -> None:
    """A line is not as it was written."""
    lines = path.read_bytes().splitlines(keepends=True)
    lines[line - 1] = lines[line - 1].replace(b'"told"', b'"tolt"')
    path.write_bytes(b"".join(lines))


def rewrite(path: Path, line: int, **members: object) -> None:
    """A line says something else, with the checksum of it."""
    lines = path.read_bytes().splitlines(keepends=True)
    told = decode_line(lines[line - 1].rstrip(b"\n"))
    assert told is not None
    lines[line - 1] = encode_line(told.pop("seq"), told | members)
    path.write_bytes(b"".join(lines))


# --- The list -----------------------------------------------------------------------------


def test_the_game_in_progress_comes_first_and_then_the_archive(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play(folder, SET_UP + "east 3 ok " + PUT_AWAY, names=NAMES)
    final = play_to_the_end(folder, players=3, booklet="fr").state
    best = final.ranking()[0]
    play(folder, "ok " + SET_UP + "east", players=2)
    assert printed(capsys).splitlines() == [
        " now  2026-03-01 20:14  red+yellow and blue+brown (en), 0 turns: unfinished, all have 30",
        "   1  2026-03-01 20:14  Ana, Bo, Cleo and Dan (en), 1 turn: unfinished, Ana leads with 32",
        "   2  2026-03-01 20:14  red, yellow and blue (fr), 45 turns: won by "
        f"{final.setup.name(best.player)} with {best.score}",
    ]


def test_those_who_lead_together_are_named_together(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play(folder, SET_UP + "east 3 ok 2 ok ")
    assert " red and yellow lead with 32" in " ".join(printed(capsys).split())


def test_simulated_games_are_kept_apart_and_marked(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play(folder / "simulated", SET_UP, {"begun": BEGUN, "simulated": True})
    assert printed(capsys).splitlines() == [
        f"no games in {folder} yet",
        "1 simulated game is kept apart: 'marrakech games --simulated' lists it",
    ]
    listed = " now  2026-03-01 20:14  SIMULATED  red, yellow, blue and brown (en), 0 turns:"
    assert printed(capsys, "--simulated").startswith(listed)
    play(folder / "simulated", "pause " + SET_UP)
    assert printed(capsys).splitlines()[1].endswith("--simulated' lists them")


def test_simulated_may_be_said_before_or_after(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play(folder / "simulated", SET_UP)
    before, after = "--simulated export now", "export now --simulated"
    assert printed(capsys, *before.split()) == printed(capsys, *after.split())


def test_of_another_folder_only_what_is_in_it_is_told(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`--simulated` would lead elsewhere."""
    play(here / "x" / "simulated", SET_UP)
    assert printed(capsys, "--folder", "x") == "no games in x yet\n"


def test_where_nothing_was_played_nothing_is_made(
    folder: Path, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert printed(capsys) == f"no games in {folder} yet\n"
    assert printed(capsys, "--simulated") == f"no games in {folder / 'simulated'} yet\n"
    assert printed(capsys, "--folder", "x") == "no games in x yet\n"
    assert list(here.iterdir()) == []


def test_another_folder_may_be_named_before_or_after(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play(here / "other", SET_UP)
    assert printed(capsys, "--folder", "other").startswith(" now  2026-03-01 20:14  red, ")
    one, other = "--folder other show now", "show now --folder other"
    assert printed(capsys, *one.split()) == printed(capsys, *other.split())


def test_the_config_says_where_games_are(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    play(here / "mine", SET_UP)
    (here / "mine.toml").write_text(f'[journal]\nfolder = "{here / "mine"}"\n')
    assert printed(capsys, "--config", "mine.toml").startswith(" now  ")
    assert printed(capsys, "show", "now", "--config", "mine.toml").startswith("2026-03-01 ")


def test_what_cannot_be_read_says_why_and_the_others_are_listed(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for _ in range(4):
        play(folder, SET_UP + "east 3 ok " + PUT_AWAY)
    play(folder, SET_UP + "east 3 ok")
    archive = folder / "archive"
    damage(archive / "0001.jsonl", 3)
    (archive / "0002.jsonl").write_bytes(b'{"crc":"1234')
    rewrite(archive / "0003.jsonl", 3, pips=2)
    damage(folder / "game.jsonl", 2)
    before = tree(folder)
    now, *games = printed(capsys).splitlines()
    assert now.startswith(" now  cannot be read: line 2 of the journal: ")
    assert now.endswith(f"marrakech games rescue {folder / 'game.jsonl'}")
    assert games[0].startswith("   1  cannot be read: line 3 of the journal: ")
    assert games[0].endswith(f"marrakech games rescue {archive / '0001.jsonl'}")
    assert games[1] == f"   2  cannot be read: no game was begun in {archive / '0002.jsonl'}"
    assert "line 3 of the journal: the game comes out otherwise than it was played" in games[2]
    assert games[3].startswith("   4  2026-03-01 20:14  red, ")
    assert len(games) == 4
    assert tree(folder) == before


def test_a_journal_that_never_began_is_not_listed(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder.mkdir(parents=True)
    (folder / "game.jsonl").write_bytes(b'{"crc":"1234')
    assert printed(capsys) == f"no games in {folder} yet\n"
    assert refused(capsys, "show", "now") == f"no game is in progress in {folder}\n"


def test_a_torn_tail_is_told_and_left_alone(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play(folder, SET_UP + "east 3 ok")
    with (folder / "game.jsonl").open("ab") as file:
        file.write(b'{"crc":"1234')
    before = tree(folder)
    told = "the journal ends in 12 bytes of an entry that was not finished: left out here"
    assert told in " ".join(printed(capsys).split())
    assert told in " ".join(printed(capsys, "show", "now").split())
    assert told in printed(capsys, "rescue", "now")
    assert main(["games", "export", "now"]) == 0
    out, err = capsys.readouterr()
    assert parse_record(out).final().mover == 1
    assert err == f"marrakech: {told}\n"
    assert tree(folder) == before


def test_a_game_is_looked_at_while_the_table_has_it(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play(folder, SET_UP)
    keeper = Keeper(folder)
    keeper.load()
    try:
        assert printed(capsys).startswith(" now  ")
        assert printed(capsys, "export", "now").startswith("marrakech record 1\n")
    finally:
        keeper.close()


@pytest.mark.parametrize(
    ("begun", "told"), [(None, "-"), ("a\nlong time ago it was", "a\\nlong time ago…"), (7, "-")]
)
def test_when_may_be_anything(
    begun: object, told: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play(folder, SET_UP, {"begun": begun})
    assert printed(capsys).startswith(f" now  {told}  red, yellow, ")


# --- One game -----------------------------------------------------------------------------


def test_a_game_is_drawn_with_its_standing_and_its_moves(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play(folder, SET_UP + "east 3 ok north", names=NAMES)
    out = printed(capsys, "show", "now")
    summary, market, players, headers, moves = out.rstrip().split("\n\n")
    assert summary.startswith("2026-03-01 20:14  Ana, Bo, Cleo and Dan (en), 1 turn: ")
    assert " 4 │     │     │     │     │     │     │▲    │" in market  # as he was turned
    assert "→  Y  Bo (yellow)" in players
    assert "   R  Ana (red)         30 dirhams +  2 visible =  32   11 rugs left" in players
    assert headers.startswith(f"marrakech record 1\ndate: {BEGUN}\nbooklet: en\nplayer: R Ana\n")
    assert moves == "1. R E3 g4e lays g2-g3"


def test_a_game_that_is_over_is_counted(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    final = play_to_the_end(folder, names=NAMES).state
    play(folder, "ok")
    best = final.ranking()[0]
    count = printed(capsys, "show", "1").split("\n\n")[2].splitlines()
    assert len(count) == 4
    assert count[0].startswith(f"1. {NAMES[best.player]} ({final.setup.name(best.player)}) ")
    assert f"{best.score} = {best.dirhams} dirhams + {best.visible}" in count[0]


def test_a_game_is_exported_as_a_record(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    talk = play(folder, SET_UP + "east 3 ok 2", {"begun": BEGUN, "simulated": True})
    record = parse_record(printed(capsys, "export", "now"))
    assert record.final() == talk.state
    assert record.notes == (("date", BEGUN), ("note", "simulated: nobody sat at a table"))


def test_a_game_is_exported_as_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    play(folder, SET_UP + "east 3 ok back ok", names=("Ana", "Bo", "Zoë", "Dan"))
    out = printed(capsys, "export", "now", "--json")
    document = json.loads(out)
    assert [entry["told"] for entry in document["entries"]] == [
        "face", "roll", "lay", "back", "ready",
    ]  # fmt: skip
    assert document["turns"] == 0
    assert '"Zoë"' in out


def test_a_name_that_is_no_text_is_still_exported(
    folder: Path, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play(folder, SET_UP, names=("\ud83d", "Bo\x1b[2J", "Cleo", "Dan"))
    document = json.loads(printed(capsys, "export", "now", "--json"))
    assert document["header"]["names"][:2] == ["\ud83d", "Bo\x1b[2J"]
    printed(capsys, "export", "now", "--output", "game.txt")
    assert parse_record((here / "game.txt").read_text()).names[:2] == ("\\ud83d", "Bo\\x1b[2J")
    assert "\x1b" not in printed(capsys) + printed(capsys, "show", "now")


def test_an_export_is_a_file_that_verify_takes(
    folder: Path, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play(folder, SET_UP + "east 3 ok ")
    assert printed(capsys, "export", "now", "--output", "game.txt") == ""
    assert main(["verify", "game.txt"]) == 0
    assert (here / "game.txt").read_text() == printed(capsys, "export", "now")


def test_a_file_that_is_there_is_never_overwritten(
    folder: Path, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play(folder, SET_UP)
    (here / "mine.txt").write_text("dear diary")
    said = refused(capsys, "export", "now", "--output", "mine.txt")
    assert said == "mine.txt is there already: name another file\n"
    assert (here / "mine.txt").read_text() == "dear diary"


def test_a_file_that_cannot_be_written_is_said(
    folder: Path, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play(folder, SET_UP)
    said = refused(capsys, "export", "now", "--output", "no/where.txt")
    assert said == "cannot write no/where.txt: No such file or directory\n"
    for name in ("", "-"):
        said = refused(capsys, "export", "now", "--output", name)
        assert said == "--output needs the name of a file\n"


def test_half_a_file_is_not_left_behind(
    folder: Path, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play(folder, SET_UP)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, hard))
    try:
        said = refused(capsys, "export", "now", "--output", "game.txt")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert said == "cannot write game.txt: File too large\n"
    assert not (here / "game.txt").exists()


@pytest.mark.parametrize("action", ["show", "export", "rescue"])
def test_a_game_that_is_not_there_is_said(
    action: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    is_no_game = (
        "is no game: name a number of the list, 'now' for the game in progress, or a file\n"
    )
    assert refused(capsys, action, "now") == f"no game is in progress in {folder}\n"
    assert refused(capsys, action, "3") == "no game 3 in the archive: it is empty\n"
    play(folder, SET_UP + PUT_AWAY)
    assert refused(capsys, action, "0") == "no game 0 in the archive: there are 1\n"
    assert refused(capsys, action, "nwo") == f"'nwo' {is_no_game}"
    assert refused(capsys, action, "") == f"'' {is_no_game}"
    assert refused(capsys, action, "a\x1b\0") == f"'a\\x1b\\x00' {is_no_game}"
    assert refused(capsys, action, ".") == f"'.' {is_no_game}"
    assert refused(capsys, action, "9" * 30) == f"'{'9' * 30}' {is_no_game}"
    assert refused(capsys, action, "x" * 300).endswith(": File name too long\n")


def test_a_journal_may_be_named_by_its_file(
    folder: Path, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play(folder, SET_UP + "east 3")
    (folder / "game.jsonl").rename(here / "from-a-friend.jsonl")
    assert printed(capsys, "export", "from-a-friend.jsonl").endswith("\n1. R E3 g4e\n")


def test_a_damaged_game_is_not_drawn(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    play(folder, SET_UP + "east 3 ok")
    damage(folder / "game.jsonl", 3)
    for action in ("show", "export"):
        said = refused(capsys, action, "now")
        assert said.startswith("line 3 of the journal: this is not as it was written, and")
        assert said.endswith(f": marrakech games rescue {folder / 'game.jsonl'}\n")


# --- Rescue -------------------------------------------------------------------------------


def test_a_damaged_game_goes_on_as_far_as_it_is_intact(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play(folder, SET_UP + "east 3 ok 2 ok")
    path = folder / "game.jsonl"
    damage(path, 5)
    before = path.read_bytes()
    assert printed(capsys, "rescue", "now").splitlines() == [
        f"3 entries are intact, and the game in {path} now:",
        "  2026-03-01 20:14  red, yellow, blue and brown (en), 1 turn: "
        "unfinished, red leads with 32",
        f"the damaged file is kept as {path}.damaged",
    ]
    assert Path(f"{path}.damaged").read_bytes() == before
    assert play(folder, "ok 2").state.mover == 1


def test_what_was_played_otherwise_is_rescued_too(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every line is whole, and still it is not the game that was played."""
    play(folder, SET_UP + "east 3 ok 2 ok")
    path = folder / "game.jsonl"
    rewrite(path, 3, pips=1)
    assert printed(capsys, "rescue", str(path)).startswith("1 entry is intact, and the game in ")
    assert [entry["told"] for entry in read_journal(path).entries] == ["face"]


def test_the_first_of_two_damages_is_the_one_that_counts(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play(folder, SET_UP + "east 3 ok 2 ok")
    path = folder / "game.jsonl"
    rewrite(path, 3, pips=1)
    damage(path, 5)
    assert printed(capsys, "rescue", "now").startswith("1 entry is intact")
    assert printed(capsys, "rescue", "now") == f"nothing to rescue: {path} is whole\n"


def test_a_game_of_the_archive_is_rescued_by_its_number(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play(folder, SET_UP + "east 3 ok " + PUT_AWAY)
    damage(folder / "archive" / "0001.jsonl", 3)
    assert printed(capsys, "rescue", "1").startswith("1 entry is intact")
    assert Archive(folder / "archive").numbers() == [1]


def test_a_game_without_a_beginning_is_set_aside_so_that_another_can_begin(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = folder / "game.jsonl"
    play(folder, SET_UP + "east 3 ok")
    rewrite(path, 1, booklet="xx")
    unreadable = path.read_bytes()
    garbage = b"no journal at all\n"
    for content, name in ((unreadable, "damaged"), (garbage, "damaged-2")):
        path.write_bytes(content)
        command = refused(capsys, "show", "now").rpartition("set the file aside: marrakech ")[2]
        assert printed(capsys, *command.split()[1:]).splitlines() == [
            f"nothing can be rescued of {path}: line 1 does not begin a game",
            f"the damaged file is kept as {path}.{name}; a new game can begin",
        ]
        assert tree(folder)[f"game.jsonl.{name}"] == content
        assert printed(capsys) == f"no games in {folder} yet\n"
        play(folder, SET_UP)


def test_a_long_name_of_a_file_does_not_hide_what_to_do(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = here / ("x" * 200) / ("y" * 200)
    play(folder, SET_UP + "east 3 ok")
    damage(folder / "game.jsonl", 3)
    said = refused(capsys, "--folder", str(folder), "show", "now")
    assert said.count(str(folder)) == 1
    assert printed(capsys, *said.rpartition("marrakech games ")[2].split()).startswith("1 entry")


def test_what_is_no_file_is_said_and_not_waited_for(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = folder / "game.jsonl"
    path.mkdir(parents=True)
    for action in ("show", "export", "rescue"):
        said = refused(capsys, action, "now")
        assert said == f"cannot read {path} (Is a directory: move it away)\n"
    path.rmdir()
    os.mkfifo(path)
    assert printed(capsys).endswith("(It is a pipe or a device, not a file: move it away)\n")


def test_where_no_game_was_begun_there_is_nothing_to_rescue(
    folder: Path, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "torn.jsonl").write_bytes(b'{"crc":"1234')
    said = refused(capsys, "rescue", "torn.jsonl")
    assert said == "nothing to rescue: no game was begun in torn.jsonl\n"


def test_a_game_that_is_being_played_is_not_rescued(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play(folder, SET_UP + "east 3 ok")
    path = folder / "game.jsonl"
    keeper = Keeper(folder)
    keeper.load()
    damage(path, 3)
    before = tree(folder)
    said = refused(capsys, "rescue", "now")
    keeper.close()
    assert said == f"another companion is playing this game ({path}): stop it first\n"
    assert tree(folder) == before


def test_another_version_is_not_touched(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    play(folder, SET_UP)
    rewrite(folder / "game.jsonl", 1, journal=2)
    for action in ("show", "export", "rescue"):
        assert "this is a journal of version 2" in refused(capsys, action, "now")
    assert "cannot be read" in printed(capsys)


# --- Mistyped -----------------------------------------------------------------------------


@pytest.mark.parametrize("words", ["shwo", "show", "show 1 2", "list --nope", "rescue"])
def test_a_mistyped_line_is_answered_in_two(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["games", *words.split()])
    assert stop.value.code == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert len(err.splitlines()) == 2
