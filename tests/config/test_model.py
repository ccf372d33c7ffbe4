"""Settings: valid ones are read, and all errors are listed at once."""

from __future__ import annotations

import pytest

from companion.adapters.matrix import KINDS
from companion.config import file as config_file
from companion.config.file import effective_text, parse_config
from companion.config.model import (
    ButtonsConfig,
    Config,
    ConfigError,
    DieConfig,
    GameConfig,
    JournalConfig,
    MatrixConfig,
    TableConfig,
    WebConfig,
    keys_of,
)
from companion.errors import CompanionError
from companion.games.marrakech import BOOKLETS, Colour, Facing, Options
from companion.light.layout import Layout
from companion.table.inputs import Button

EVERYTHING = """\
language = "en"
[game]
players = 2
booklet = "German"
piles = "dealt"
names = ["Amina", "Bruno"]
facing = "west"
[game.options]
loops = "nw-se"
box = "57"
[matrix]
kind = "apa102"
brightness = 15
bus = 0
chip_select = 1
rotation = 270
mirrored = true
wiring = "zigzag"
rail = "north-west"
night = "22:30-6:00"
night_brightness = 0
most_ma = 650
renew_every_s = 0
[buttons]
north = 2
east = 3
south = 4
west = 14
ok = 15
back = 18
debounce_ms = 0
hold_ms = 10000
[die]
input = "electronic"
keys = [24, 25, 12, 20]
[journal]
folder = "~/games"
retry_s = 1
[table]
rest_after_s = 0
[web]
enabled = false
host = "::1"
port = 1024
odds = false
hosts = ["Pi.lan", "games"]
"""


def faults(text: str) -> list[str]:
    """The errors, without the name of the file."""
    with pytest.raises(ConfigError) as error:
        parse_config(text, "marrakech.toml")
    assert str(error.value).splitlines() == list(error.value.faults)
    assert all(line.startswith("marrakech.toml: ") for line in error.value.faults)
    return [line.removeprefix("marrakech.toml: ") for line in error.value.faults]


# --- Valid settings -----------------------------------------------------------------------


def test_an_empty_file_has_the_defaults() -> None:
    assert parse_config("", "marrakech.toml") == Config()
    assert parse_config("[game]\n[game.options]\n[die]\n", "marrakech.toml") == Config()


def test_the_defaults_match_the_wiring_guide() -> None:
    assert Config() == Config(
        language="booklet",
        game=GameConfig(4, "en", "told", (), "south", ()),
        matrix=MatrixConfig(
            "max7219",
            3,
            0,
            0,
            0,
            False,
            "rows",
            "south-east",
            "",
            1,
            2000,
            60,
        ),
        buttons=ButtonsConfig(5, 6, 13, 19, 26, 16, 12, 2000),
        die=DieConfig("both", (17, 27, 22, 23)),
        journal=JournalConfig("", 2.0),
        table=TableConfig(60),
        web=WebConfig(True, "0.0.0.0", 8080, True, ()),
    )


def test_every_key_is_read() -> None:
    assert parse_config(EVERYTHING, "marrakech.toml") == Config(
        language="en",
        game=GameConfig(
            2, "de", "dealt", ("Amina", "Bruno"), "west", (("box", "57"), ("loops", "nw-se"))
        ),
        matrix=MatrixConfig(
            "apa102",
            15,
            0,
            1,
            270,
            True,
            "zigzag",
            "north-west",
            "22:30-6:00",
            0,
            650,
            0,
        ),
        buttons=ButtonsConfig(2, 3, 4, 14, 15, 18, 0, 10_000),
        die=DieConfig("electronic", (24, 25, 12, 20)),
        journal=JournalConfig("~/games", 1.0),
        table=TableConfig(0),
        web=WebConfig(False, "::1", 1024, False, ("pi.lan", "games")),
    )


def test_a_whole_number_of_seconds_becomes_a_float() -> None:
    assert type(parse_config("[journal]\nretry_s = 1", "x").journal.retry_s) is float


def test_the_defaults_pass_their_checks() -> None:
    assert parse_config(effective_text(Config(), "here"), "x") == Config()


def test_the_kinds_of_matrix_are_those_of_the_adapter() -> None:
    for kind in KINDS:
        assert parse_config(f'[matrix]\nkind = "{kind}"', "x").matrix.kind == kind
    assert faults('[matrix]\nkind = "?"') == [f'[matrix] kind = "?": use {" or ".join(KINDS)}']


def test_every_button_has_a_pin() -> None:
    named = [name for name in keys_of("buttons") if not name.endswith("_ms")]
    assert named == [button.value for button in Button]


@pytest.mark.parametrize("booklet", BOOKLETS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_booklet_is_playable_with_any_number_of_players(players: int, booklet: str) -> None:
    config = parse_config(f'[game]\nplayers = {players}\nbooklet = "{booklet}"', "x")
    assert config.setup_options() == BOOKLETS[booklet].options


def test_options_override_those_of_the_booklet() -> None:
    text = '[game]\nbooklet = "cs"\noptions = { loops = "nw-se", tie_break = "dirhams" }'
    config = parse_config(text, "x")
    assert config.setup_options() == Options(two_player="alternating", loops="nw-se")


def test_the_facing_is_a_facing_of_the_rules() -> None:
    assert Config().facing() is Facing.SOUTH
    assert parse_config('[game]\nfacing = "east"', "x").facing() is Facing.EAST


def test_the_layout_has_the_settings_of_the_matrix() -> None:
    assert Config().matrix.layout().to_chip(range(64)) == list(range(64))
    text = (
        '[matrix]\nkind = "apa102"\nrotation = 90\nmirrored = true\nwiring = "zigzag"\n'
        'rail = "north-west"'
    )
    mounted = Layout(rotation=90, is_mirrored=True, is_zigzag=True, rail="north-west")
    assert parse_config(text, "x").matrix.layout().to_chip(range(64)) == mounted.to_chip(range(64))


def test_the_layout_of_a_max7219_ignores_the_wiring() -> None:
    """For example if `marrakech light --matrix` overrides the kind."""
    matrix = MatrixConfig(kind="max7219", wiring="zigzag")
    assert matrix.layout().to_chip(range(64)) == list(range(64))


# --- What is wrong ------------------------------------------------------------------------

INVALID = {
    '[matrix]\nbrightness = 99': "[matrix] brightness = 99: use 0 to 15",
    '[matrix]\nbrightness = -1': "[matrix] brightness = -1: use 0 to 15",
    '[matrix]\nbrightness = true': "[matrix] brightness = true: true is not a whole number: "
    "use 0 to 15",
    '[matrix]\nbrightness = 3.0': "[matrix] brightness = 3.0: a decimal number is not a whole "
    "number: use 0 to 15",
    '[matrix]\nbrightness = "3"': '[matrix] brightness = "3": a text is not a whole number: '
    "use 0 to 15",
    '[matrix]\nbrightness = [3]': "[matrix] brightness = [3]: a list is not a whole number: "
    "use 0 to 15",
    '[matrix.brightness]': "[matrix] brightness = {…}: a section is not a whole number: "
    "use 0 to 15",
    '[matrix]\nbrightness = 2026-01-01': "[matrix] brightness = 2026-01-01: a date or time is not "
    "a whole number: use 0 to 15",
    f'[matrix]\nbrightness = 0x{"f" * 5000}': "[matrix] brightness = …: use 0 to 15",
    '[matrix]\nbus = 2': "[matrix] bus = 2: use 0 or 1",
    '[matrix]\nchip_select = 2': "[matrix] chip_select = 2: use 0 or 1",
    '[matrix]\nkind = "max7291"': '[matrix] kind = "max7291": use max7219 or apa102; '
    "did you mean 'max7219'?",
    '[matrix]\nkind = 7219': "[matrix] kind = 7219: a whole number is not text: "
    "use max7219 or apa102",
    '[matrix]\nrotation = 45': "[matrix] rotation = 45: use 0, 90, 180 or 270",
    '[matrix]\nrotation = "90"': '[matrix] rotation = "90": a text is not a whole number: '
    "use 0, 90, 180 or 270",
    '[matrix]\nrotation = false': "[matrix] rotation = false: false is not a whole number: "
    "use 0, 90, 180 or 270",
    '[matrix]\nmirrored = 1': "[matrix] mirrored = 1: a whole number is not a boolean: "
    "use true or false, without quotes",
    '[matrix]\nmirrored = "true"': '[matrix] mirrored = "true": a text is not a boolean: '
    "use true or false, without quotes",
    '[matrix]\nkind = "apa102"\nwiring = "snake"': '[matrix] wiring = "snake": '
    "use rows or zigzag",
    '[matrix]\nwiring = "zigzag"': '[matrix] wiring = "zigzag": only apa102 have a wiring; '
    'remove it for a max7219, or write kind = "apa102"',
    '[matrix]\nkind = "apa103"\nwiring = "zigzag"': '[matrix] kind = "apa103": use max7219 or '
    "apa102; did you mean 'apa102'?",
    '[matrix]\nrail = "east"': '[matrix] rail = "east": use south-east, south-west, north-east or '
    "north-west; did you mean 'south-east'?",
    '[matrix]\nnight = "22-7"': '[matrix] night = "22-7": use two times like "22:00-07:00", or "" '
    "for none",
    '[matrix]\nnight = "22:00-22:00"': '[matrix] night = "22:00-22:00": the two times are '
    'the same: use two times like "22:00-07:00", or "" for none',
    '[matrix]\nnight = 22:00:00': "[matrix] night = 22:00:00: a date or time is not text: use two "
    'times like "22:00-07:00", or "" for none',
    '[matrix]\nnight_brightness = 16': "[matrix] night_brightness = 16: use 0 to 15",
    '[matrix]\nmost_ma = 199': "[matrix] most_ma = 199: use 200 to 4000",
    '[matrix]\nrenew_every_s = -1': "[matrix] renew_every_s = -1: use 0 to 3600",
    '[game]\nplayers = 1': "[game] players = 1: use 2 to 4",
    '[game]\nplayers = 5': "[game] players = 5: use 2 to 4",
    '[game]\npiles = "deal"': '[game] piles = "deal": use told or dealt; did you mean \'dealt\'?',
    '[game]\nfacing = "up"': '[game] facing = "up": use north, east, south or west',
    '[game]\nbooklet = true': '[game] booklet = true: true is not text: '
    'use the code of a booklet, like "en"',
    '[game]\nnames = "Amina"': '[game] names = "Amina": a text is not a list: '
    'use up to 4 names in quotes, like ["Amina", "Bruno"]',
    '[game]\nnames = ["Ana", "", "", "ANA"]': '[game] names = ["Ana", "", "", "ANA"]: "ANA" is '
    "the name of two seats: give each seat its own name",
    '[game]\nnames = ["a", "b", "c", "d", "e"]': '[game] names = ["a", "b", "c", "d", "e"]: '
    '5 names: use up to 4 names in quotes, like ["Amina", "Bruno"]',
    '[game]\nnames = [" a", "b\\t", 3, "ccccccccccccccccccccc"]': '[game] names = [" a", "b\\t", '
    '3, "ccccccccccccccccccccc"]: " a" must be one line of text, without spaces around it; '
    '"b\\t" must be one line of text, without spaces around it; a whole number is not a name: '
    'write it in quotes; "ccccccccccccccccccccc" has 21 characters: use 20 at most',
    '[game]\nnames = ["Amina\\u202E"]': '[game] names = ["Amina\\u202e"]: '
    '"Amina\\u202e" has an invisible character that changes the writing direction: remove it',
    '[game.options]\nloops = "nwse"': '[game.options] loops = "nwse": use ne-sw or nw-se; '
    "did you mean 'nw-se'?",
    '[game.options]\nbox = 57': '[game.options] box = 57: a whole number is not text: write "57"',
    '[game.options]\nloop = "nw-se"': "[game.options] unknown key 'loop': use bankruptcy, "
    "covering, two_player, turn_order, pivot, purse, tie_break, box, short_colour or loops; "
    "did you mean 'loops'?",
    '[game]\noptions = 3': "game.options = 3: write [game.options], and its keys below it",
    '[buttons]\nok = 28': "[buttons] ok = 28: use 2 to 27",
    '[buttons]\nok = 0': "[buttons] ok = 0: pins 0 and 1 are reserved for add-on boards (HAT ID): "
    "use 2 to 27",
    '[buttons]\nok = 1': "[buttons] ok = 1: pins 0 and 1 are reserved for add-on boards (HAT ID): "
    "use 2 to 27",
    '[buttons]\nok = true': "[buttons] ok = true: true is not a whole number: use 2 to 27",
    '[buttons]\ndebounce_ms = 101': "[buttons] debounce_ms = 101: use 0 to 100",
    '[buttons]\nhold_ms = 499': "[buttons] hold_ms = 499: use 500 to 10000",
    '[die]\ninput = "pad"': '[die] input = "pad": use keys, electronic or both',
    '[pad]\nport = "ttyUSB0"': "[pad] port = \"ttyUSB0\": use a path like /dev/ttyUSB0, "
    '"auto" to find it, or "none"',
    "[pad]\nport = 3": '[pad] port = 3: a whole number is not text: use a path like /dev/ttyUSB0, '
    '"auto" to find it, or "none"',
    '[pad]\nroll = "me"': '[pad] roll = "me": use pad or host',
    '[die]\nkeys = 17': "[die] keys = 17: a whole number is not a list: "
    "use a list of 4 different pins",
    '[die]\nkeys = [17, 27, 22]': "[die] keys = [17, 27, 22]: use a list of 4 different pins",
    '[die]\nkeys = [17, 27, 22, 17]': "[die] keys = [17, 27, 22, 17]: "
    "use a list of 4 different pins",
    '[die]\nkeys = [17, "a", 22, 99]': '[die] keys = [17, "a", 22, 99]: pin "a": a text is not '
    "a whole number: use 2 to 27; pin 99: use 2 to 27",
    '[journal]\nretry_s = nan': "[journal] retry_s = nan: use 0.1 to 60",
    '[journal]\nretry_s = 0': "[journal] retry_s = 0: use 0.1 to 60",
    '[journal]\nretry_s = 60.5': "[journal] retry_s = 60.5: use 0.1 to 60",
    '[journal]\nretry_s = false': "[journal] retry_s = false: false is not a number: use 0.1 to 60",
    '[journal]\nfolder = "games"': '[journal] folder = "games": use an absolute path, beginning '
    'with / or ~/, or "" for the default folder',
    '[journal]\nfolder = "/a\\u0000b"': '[journal] folder = "/a\\u0000b": use an absolute path, '
    'beginning with / or ~/, or "" for the default folder',
    '[journal]\nfolder = 3': '[journal] folder = 3: a whole number is not text: use an absolute '
    'path, beginning with / or ~/, or "" for the default folder',
    '[table]\nrest_after_s = 3601': "[table] rest_after_s = 3601: use 0 to 3600",
    '[web]\nhost = "kitchen.lan"': '[web] host = "kitchen.lan": use an IP address, like '
    '"0.0.0.0", "127.0.0.1" or "::"',
    '[web]\nhost = 8080': '[web] host = 8080: a whole number is not text: use an IP '
    'address, like "0.0.0.0", "127.0.0.1" or "::"',
    '[web]\nport = 80': "[web] port = 80: use 1024 to 65535",
    '[web]\nport = 65536': "[web] port = 65536: use 1024 to 65535",
    '[web]\nhosts = "pi.lan"': '[web] hosts = "pi.lan": a text is not a list: use up to 8 names in '
    'quotes, without a port, like ["pi.lan"]',
    '[web]\nhosts = ["pi.lan:80"]': '[web] hosts = ["pi.lan:80"]: use up to 8 names in quotes, '
    'without a port, like ["pi.lan"]',
    '[web]\nhosts = ["a","b","c","d","e","f","g","h","i"]': '[web] hosts = ["a", "b", "c", "d", '
    '"e", "f", "g", "h", "i"]: use up to 8 names in quotes, without a port, like ["pi.lan"]',
    'web = false': "web = false: write [web], and its keys below it",
    'language = "dk"': 'language = "dk": use booklet, en, fr, nl, es, it, fi, sv, cs, el, pt, pl, '
    "is, ar, et, lv, lt, ru, zh-TW, ja, zh-CN, hu, sl, ro, nb, sr, hr, de, ko, th or fa; "
    "did you mean 'ko'?",
    'languag = "en"': "unknown key 'languag': use language; did you mean 'language'?",
    '"" = 1': "unknown key '': use language",
    '"a\\nb" = 1': "unknown key 'a\\nb': use language",
    'brightness = 3': "unknown key 'brightness': it belongs below [matrix]",
    '[table]\nlanguage = "en"': "[table] unknown key 'language': it belongs at the top, above all "
    "sections",
    '[game]\nloops = "nw-se"': "[game] unknown key 'loops': it belongs below [game.options]",
    '[matrx]': "unknown section 'matrx': use game, game.options, matrix, buttons, die, pad, "
    "journal, table or web; did you mean 'matrix'?",
    '[game.optoins]': "unknown section 'game.optoins': use game, game.options, matrix, buttons, "
    "die, pad, journal, table or web; did you mean 'game.options'?",
    'matrix = "max7219"': 'matrix = "max7219": write [matrix], and its keys below it',
    '[[matrix]]': "matrix = [{…}]: write [matrix], and its keys below it",
}  # fmt: skip


@pytest.mark.parametrize("text", INVALID)
def test_an_invalid_setting_has_a_one_line_error(text: str) -> None:
    assert faults(text) == [INVALID[text]]


def test_the_error_of_an_unknown_booklet_lists_all_booklets() -> None:
    (line,) = faults('[game]\nbooklet = "hu-note"')
    assert line.startswith('[game] booklet = "hu-note": use en, fr, nl, ')
    assert line.endswith(", fa-sheet or hu-notes; did you mean 'hu-notes'?")


def test_all_errors_are_listed_at_once() -> None:
    assert faults(
        "nope = 1\n[game]\nplayers = 9\nfacing = 3\n[buttons]\nnorth = 6\nok = 99\n[matrx]\n"
    ) == [
        "unknown key 'nope': use language",
        "unknown section 'matrx': use game, game.options, matrix, buttons, die, pad, journal, "
        "table or web; did you mean 'matrix'?",
        "[game] players = 9: use 2 to 4",
        "[game] facing = 3: a whole number is not text: use north, east, south or west",
        "[buttons] ok = 99: use 2 to 27",
        "pin 6 is used by [buttons] north and [buttons] east (the default): "
        "use a different pin for each",
    ]


def test_a_config_error_is_a_companion_error_and_a_value_error() -> None:
    with pytest.raises(CompanionError):
        parse_config("x = 1", "x")
    with pytest.raises(ValueError, match="unknown key"):
        parse_config("x = 1", "x")


# --- Pins ---------------------------------------------------------------------------------


def test_the_error_of_a_pin_used_twice_names_both_keys() -> None:
    assert faults("[buttons]\nok = 24\nback = 24") == [
        "pin 24 is used by [buttons] ok and [buttons] back: use a different pin for each"
    ]


def test_die_keys_need_different_pins_too() -> None:
    assert faults("[die]\nkeys = [5, 6, 24, 25]\n[buttons]\nnorth = 5") == [
        "pin 5 is used by [buttons] north (the default) and [die] keys: "
        "use a different pin for each",
        "pin 6 is used by [buttons] east (the default) and [die] keys: "
        "use a different pin for each",
    ]
    assert faults("[buttons]\nwest = 17") == [
        "pin 17 is used by [buttons] west and [die] keys (the default): "
        "use a different pin for each"
    ]


def test_die_keys_need_different_pins_with_both_inputs() -> None:
    assert faults('[die]\ninput = "both"\n[buttons]\nwest = 17') == [
        "pin 17 is used by [buttons] west and [die] keys (the default): "
        "use a different pin for each"
    ]


def test_an_electronic_die_uses_no_pins() -> None:
    text = '[die]\ninput = "electronic"\n[buttons]\nwest = 17'
    assert parse_config(text, "x").buttons.west == 17


def test_an_invalid_pin_does_not_count_as_the_default() -> None:
    """The default of north is 5, but it is not used here."""
    assert faults('[buttons]\nnorth = "5"\nok = 5') == [
        '[buttons] north = "5": a text is not a whole number: use 2 to 27'
    ]
    assert faults('[die]\ninput = "elektronic"\n[buttons]\nok = 17') == [
        "[die] input = \"elektronic\": use keys, electronic or both; did you mean 'electronic'?"
    ]
    assert faults("[die]\nkeys = [17]\n[buttons]\nok = 17") == [
        "[die] keys = [17]: use a list of 4 different pins"
    ]


@pytest.mark.parametrize("pin", [8, 9, 10, 11])
def test_pins_of_the_spi_bus_cannot_be_used(pin: int) -> None:
    assert faults(f"[buttons]\nok = {pin}") == [
        f"[buttons] ok = {pin}: the matrix needs pin {pin} for SPI0"
    ]
    assert faults(f"[die]\nkeys = [7, {pin}, 22, 23]") == [
        f"[die] keys = [7, {pin}, 22, 23]: the matrix needs pin {pin} for SPI0"
    ]


def test_the_second_chip_select_is_free_unless_it_is_configured() -> None:
    assert parse_config("[buttons]\nok = 7", "x").buttons.ok == 7
    assert faults("[buttons]\nok = 7\n[matrix]\nchip_select = 1") == [
        "[buttons] ok = 7: the matrix needs pin 7 for SPI0"
    ]


def test_the_other_bus_has_other_pins() -> None:
    assert faults("[matrix]\nbus = 1\nchip_select = 1\n[buttons]\nok = 8\n") == [
        "[buttons] west = 19: the matrix needs pin 19 for SPI1",
        "[die] keys = [17, 27, 22, 23]: the matrix needs pin 17 for SPI1",
    ]


def test_an_invalid_bus_reserves_no_pins() -> None:
    assert faults("[matrix]\nbus = 7\n[buttons]\nok = 8") == ["[matrix] bus = 7: use 0 or 1"]
    assert faults("[matrix]\nchip_select = 7\n[buttons]\nok = 8") == [
        "[matrix] chip_select = 7: use 0 or 1"
    ]


# --- Playable games -----------------------------------------------------------------------


def test_an_unplayable_game_is_an_error_of_the_rules(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Cannot happen with the usual colours, which fit the box."""

    def colours_that_do_not_fit(count: int, options: Options) -> tuple[tuple[Colour, ...], ...]:
        return tuple((colour,) for colour in (Colour.BLUE, Colour.BROWN, Colour.RED)[:count])

    monkeypatch.setattr(config_file, "usual_players", colours_that_do_not_fit)
    assert faults('[game]\nplayers = 3\n[game.options]\nbox = "57"') == [
        "[game] brown has only 12 rugs in a box of 57, and 3 players need 15 each: take red, "
        "yellow, blue, or set short_colour to the colour that has fewer rugs in your box"
    ]
    assert faults('[game]\nplayers = 3\n[game.options]\nbox = "5"') == [
        "[game.options] box = \"5\": use 60 or 57; did you mean '57'?"
    ]


# --- TOML ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("[matrix]\nbus 0", "line 2, column 5: expected '=' after a key in a key/value pair"),
        ("[matrix]\nbus =", "line 2, column 6: invalid value"),
        ("[matrix]\nbus = 0\nbus = 1", "line 3, column 8: cannot overwrite a value"),
        ('language = "en', "line 1, column 15: unterminated string"),
        ("x = " + "[" * 5000, "a number or a list in it is too long"),
        ("x = " + "9" * 5000, "a number or a list in it is too long"),
    ],
)
def test_a_toml_error_has_line_and_column(text: str, line: str) -> None:
    assert faults(text) == [line]
