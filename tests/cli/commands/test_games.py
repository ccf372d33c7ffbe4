"""`marrakech games`: listing, showing and exporting games."""

from __future__ import annotations

import json
import resource
from pathlib import Path

import pytest
from helpers.storage.game_folder import (
    ARCHIVE_WORDS,
    BEGUN,
    NAMES,
    damage,
    folder,
    here,
    no_fsync,
    play,
    play_to_the_end,
    printed,
    refused,
    rewrite,
)
from helpers.storage.stored_games import SET_UP, tree

from companion.cli.main import main
from companion.games.marrakech import parse_record
from companion.storage.game_store import GameStore

__all__ = ["folder", "here", "no_fsync"]  # fixtures


# --- The list -----------------------------------------------------------------------------


def test_the_game_in_progress_comes_first_and_then_the_archive(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play(folder, SET_UP + "east 3 ok " + ARCHIVE_WORDS, names=NAMES)
    final = play_to_the_end(folder, players=3, booklet="fr").state
    best = final.ranking()[0]
    play(folder, "ok " + SET_UP + "east", players=2)
    assert printed(capsys).splitlines() == [
        " now  2026-03-01 20:14  red+yellow and blue+brown (en), 0 turns: unfinished, all have 30",
        "   1  2026-03-01 20:14  Ana, Bo, Cleo and Dan (en), 1 turn: unfinished, Ana leads with 32",
        "   2  2026-03-01 20:14  red, yellow and blue (fr), 45 turns: won by "
        f"{final.setup.name(best.player)} with {best.score}",
    ]


def test_all_leaders_are_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    play(folder, SET_UP + "east 3 ok 2 ok ")
    assert " red and yellow lead with 32" in " ".join(printed(capsys).split())


def test_simulated_games_have_their_own_folder_and_mark(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play(folder / "simulated", SET_UP, {"begun": BEGUN, "simulated": True})
    assert printed(capsys).splitlines() == [
        f"no games in {folder} yet",
        "1 simulated game is in another folder: 'marrakech games --simulated' lists it",
    ]
    listed = " now  2026-03-01 20:14  SIMULATED  red, yellow, blue and brown (en), 0 turns:"
    assert printed(capsys, "--simulated").startswith(listed)
    play(folder / "simulated", "pause " + SET_UP)
    assert printed(capsys).splitlines()[1].endswith("--simulated' lists them")


def test_simulated_may_come_before_or_after_the_action(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play(folder / "simulated", SET_UP)
    before, after = "--simulated export now", "export now --simulated"
    assert printed(capsys, *before.split()) == printed(capsys, *after.split())


def test_another_folder_has_no_hint_about_simulated_games(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`--simulated` would name another folder."""
    play(here / "x" / "simulated", SET_UP)
    assert printed(capsys, "--folder", "x") == "no games in x yet\n"


def test_listing_an_empty_folder_creates_nothing(
    folder: Path, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert printed(capsys) == f"no games in {folder} yet\n"
    assert printed(capsys, "--simulated") == f"no games in {folder / 'simulated'} yet\n"
    assert printed(capsys, "--folder", "x") == "no games in x yet\n"
    assert list(here.iterdir()) == []


def test_folder_may_come_before_or_after_the_action(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play(here / "other", SET_UP)
    assert printed(capsys, "--folder", "other").startswith(" now  2026-03-01 20:14  red, ")
    one, other = "--folder other show now", "show now --folder other"
    assert printed(capsys, *one.split()) == printed(capsys, *other.split())


def test_the_config_names_the_folder(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    play(here / "mine", SET_UP)
    (here / "mine.toml").write_text(f'[journal]\nfolder = "{here / "mine"}"\n')
    assert printed(capsys, "--config", "mine.toml").startswith(" now  ")
    assert printed(capsys, "show", "now", "--config", "mine.toml").startswith("2026-03-01 ")


def test_unreadable_games_are_listed_with_the_reason(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for _ in range(4):
        play(folder, SET_UP + "east 3 ok " + ARCHIVE_WORDS)
    play(folder, SET_UP + "east 3 ok")
    archive = folder / "archive"
    damage(archive / "0001.jsonl", 3)
    (archive / "0002.jsonl").write_bytes(b'{"crc":"1234')
    rewrite(archive / "0003.jsonl", 3, pips=2)
    damage(folder / "game.jsonl", 2)
    before = tree(folder)
    now, *games = printed(capsys).splitlines()
    assert now.startswith(" now  cannot be read: line 2 of the journal: ")
    assert now.endswith(f"marrakech games rescue --folder {folder} now")
    assert games[0].startswith("   1  cannot be read: line 3 of the journal: ")
    assert games[0].endswith(f"marrakech games rescue --folder {folder} 1")
    assert games[1] == f"   2  cannot be read: no game was begun in {archive / '0002.jsonl'}"
    assert "line 3 of the journal: the replay differs from the game that was played" in games[2]
    assert games[3].startswith("   4  2026-03-01 20:14  red, ")
    assert len(games) == 4
    assert tree(folder) == before


def test_an_empty_journal_is_not_listed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder.mkdir(parents=True)
    (folder / "game.jsonl").write_bytes(b'{"crc":"1234')
    assert printed(capsys) == f"no games in {folder} yet\n"
    assert refused(capsys, "show", "now") == f"no game is in progress in {folder}\n"


def test_a_torn_tail_is_reported_and_not_changed(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play(folder, SET_UP + "east 3 ok")
    with (folder / "game.jsonl").open("ab") as file:
        file.write(b'{"crc":"1234')
    before = tree(folder)
    warning = "the journal ends in 12 bytes of an unfinished entry: ignored"
    assert warning in " ".join(printed(capsys).split())
    assert warning in " ".join(printed(capsys, "show", "now").split())
    assert warning in printed(capsys, "rescue", "now")
    assert main(["games", "export", "now"]) == 0
    out, err = capsys.readouterr()
    assert parse_record(out).final().mover == 1
    assert err == f"marrakech: {warning}\n"
    assert tree(folder) == before


def test_a_game_can_be_shown_while_the_table_runs(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play(folder, SET_UP)
    store = GameStore(folder)
    store.load()
    try:
        assert printed(capsys).startswith(" now  ")
        assert printed(capsys, "export", "now").startswith("marrakech record 1\n")
    finally:
        store.close()


@pytest.mark.parametrize(
    ("begun", "shown"), [(None, "-"), ("a\nlong time ago it was", "a\\nlong time ago…"), (7, "-")]
)
def test_the_start_time_may_be_any_text(
    begun: object, shown: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play(folder, SET_UP, {"begun": begun})
    assert printed(capsys).startswith(f" now  {shown}  red, yellow, ")


# --- One game -----------------------------------------------------------------------------


def test_a_game_is_shown_with_scores_and_record(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play(folder, SET_UP + "east 3 ok north", names=NAMES)
    out = printed(capsys, "show", "now")
    summary, market, players, headers, moves = out.rstrip().split("\n\n")
    assert summary.startswith("2026-03-01 20:14  Ana, Bo, Cleo and Dan (en), 1 turn: ")
    assert " 4 │     │     │     │     │     │     │▲    │" in market  # as turned before the roll
    assert "→  Y  Bo (yellow)" in players
    assert "   R  Ana (red)         30 dirhams +  2 visible =  32   11 rugs left" in players
    assert headers.startswith(f"marrakech record 1\ndate: {BEGUN}\nbooklet: en\nplayer: R Ana\n")
    assert moves == "1. R E3 g4e lays g2-g3"


def test_a_finished_game_is_shown_with_the_final_score(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    final = play_to_the_end(folder, names=NAMES).state
    play(folder, "ok")
    best = final.ranking()[0]
    count = printed(capsys, "show", "1").split("\n\n")[2].splitlines()
    assert len(count) == 4
    assert count[0].startswith(f"1. {NAMES[best.player]} ({final.setup.name(best.player)}) ")
    assert f"{best.score} = {best.dirhams} dirhams + {best.visible}" in count[0]


def test_a_game_is_exported_as_a_record(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    driver = play(folder, SET_UP + "east 3 ok 2", {"begun": BEGUN, "simulated": True})
    record = parse_record(printed(capsys, "export", "now"))
    assert record.final() == driver.state
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


def test_a_name_with_a_lone_surrogate_is_exported(
    folder: Path, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play(folder, SET_UP, names=("\ud83d", "Bo\x1b[2J", "Cleo", "Dan"))
    document = json.loads(printed(capsys, "export", "now", "--json"))
    assert document["header"]["names"][:2] == ["\ud83d", "Bo\x1b[2J"]
    printed(capsys, "export", "now", "--output", "game.txt")
    assert parse_record((here / "game.txt").read_text()).names[:2] == ("\\ud83d", "Bo\\x1b[2J")
    assert "\x1b" not in printed(capsys) + printed(capsys, "show", "now")


def test_verify_accepts_an_exported_file(
    folder: Path, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play(folder, SET_UP + "east 3 ok ")
    assert printed(capsys, "export", "now", "--output", "game.txt") == ""
    assert main(["verify", "game.txt"]) == 0
    assert (here / "game.txt").read_text() == printed(capsys, "export", "now")


def test_an_existing_file_is_not_overwritten(
    folder: Path, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play(folder, SET_UP)
    (here / "mine.txt").write_text("dear diary")
    error = refused(capsys, "export", "now", "--output", "mine.txt")
    assert error == "mine.txt already exists: choose another name\n"
    assert (here / "mine.txt").read_text() == "dear diary"


def test_an_unwritable_file_is_reported(
    folder: Path, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play(folder, SET_UP)
    error = refused(capsys, "export", "now", "--output", "no/where.txt")
    assert error == "cannot write no/where.txt: No such file or directory\n"
    for name in ("", "-"):
        error = refused(capsys, "export", "now", "--output", name)
        assert error == "--output needs the name of a file\n"


def test_a_failed_export_leaves_no_file(
    folder: Path, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play(folder, SET_UP)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, hard))
    try:
        error = refused(capsys, "export", "now", "--output", "game.txt")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert error == "cannot write game.txt: File too large\n"
    assert not (here / "game.txt").exists()


@pytest.mark.parametrize("action", ["show", "export", "rescue"])
def test_a_missing_game_is_reported(
    action: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    is_no_game = (
        "is not a game: use a number from the list, 'now' for the game in progress, or a file\n"
    )
    assert refused(capsys, action, "now") == f"no game is in progress in {folder}\n"
    assert refused(capsys, action, "3") == "no game 3 in the archive: it is empty\n"
    play(folder, SET_UP + ARCHIVE_WORDS)
    assert refused(capsys, action, "0") == "no game 0 in the archive: there are 1\n"
    assert refused(capsys, action, "nwo") == f"'nwo' {is_no_game}"
    assert refused(capsys, action, "") == f"'' {is_no_game}"
    assert refused(capsys, action, "a\x1b\0") == f"'a\\x1b\\x00' {is_no_game}"
    assert refused(capsys, action, ".") == f"'.' {is_no_game}"
    assert refused(capsys, action, "9" * 30) == f"'{'9' * 30}' {is_no_game}"
    assert refused(capsys, action, "x" * 300).endswith(": File name too long\n")


def test_a_game_can_be_named_by_its_file(
    folder: Path, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play(folder, SET_UP + "east 3")
    (folder / "game.jsonl").rename(here / "from-a-friend.jsonl")
    assert printed(capsys, "export", "from-a-friend.jsonl").endswith("\n1. R E3 g4e\n")


def test_a_damaged_game_is_not_shown(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    play(folder, SET_UP + "east 3 ok")
    damage(folder / "game.jsonl", 3)
    for action in ("show", "export"):
        error = refused(capsys, action, "now")
        assert error.startswith("line 3 of the journal: this is not as it was written, and")
        assert error.endswith(f": marrakech games rescue --folder {folder} now\n")


# --- Usage errors -------------------------------------------------------------------------


@pytest.mark.parametrize("words", ["shwo", "show", "show 1 2", "list --nope", "rescue"])
def test_usage_errors_are_two_lines(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["games", *words.split()])
    assert stop.value.code == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert len(err.splitlines()) == 2
