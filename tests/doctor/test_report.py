"""The report as text and as JSON."""

from __future__ import annotations

import json

import pytest

from companion import __version__
from companion.doctor.finding import (
    Finding,
    Level,
    absent,
    failed,
    finding_from_error,
    good,
    note,
    unknown,
    warning,
)
from companion.doctor.report import (
    absent_lines,
    finding_lines,
    has_failed,
    report_json,
    report_text,
    summary,
)


def named(name: str, finding: Finding) -> Finding:
    return Finding(finding.level, finding.text, finding.advice, name)


ALL = [
    named("pi", good("Raspberry Pi 4 Model B")),
    named("packages", note("a newer one is there", "git pull")),
    named("power", warning("the voltage was low", "use another supply")),
    named("spi", failed("switched off", "sudo reboot")),
    named("clock", unknown("no answer", "date")),
    named("service", absent()),
    named("buttons", absent()),
]
TEXT = """\
ok    pi        Raspberry Pi 4 Model B
note  packages  a newer one is there
                -> git pull
WARN  power     the voltage was low
                -> use another supply
FAIL  spi       switched off
                -> sudo reboot
?     clock     no answer
                -> date
-     service and buttons: not on this machine

1 check failed; 1 warning, 1 note and 1 unknown
"""


def test_each_finding_is_a_line_with_its_advice_below() -> None:
    assert report_text(ALL, is_simulated=False) == TEXT
    assert report_text(ALL, is_simulated=True) == f"SIMULATED\n{TEXT}"


def test_lines_wrap_in_a_narrow_terminal_without_breaking_words() -> None:
    finding = named(
        "spi", failed("the bus is switched off here", "sudo raspi-config nonint do_spi")
    )
    assert list(finding_lines(finding, width=40)) == [
        "FAIL  spi       the bus is switched off",
        "                here",
        "                -> sudo raspi-config",
        "                   nonint do_spi",
    ]
    finding = named("spi", good("sudo apt raspi-config"))
    assert list(finding_lines(finding, width=36)) == [
        "ok    spi       sudo apt",
        "                raspi-config",
    ]
    assert list(absent_lines(ALL, width=34)) == [
        "-     service and buttons: not on",
        "      this machine",
    ]
    assert list(absent_lines(ALL[:5])) == []


def test_only_the_mark_is_coloured() -> None:
    assert next(finding_lines(ALL[3], is_coloured=True)) == (
        "\x1b[31mFAIL\x1b[0m  spi       switched off"
    )


def test_summary_counts_the_levels() -> None:
    assert summary([ALL[0]]) == "nothing failed"
    assert summary([ALL[0], ALL[2], ALL[2]]) == "nothing failed; 2 warnings"
    assert summary([ALL[3], ALL[3]]) == "2 checks failed"


def test_json_keys_and_levels_are_stable() -> None:
    document = json.loads(report_json(ALL, is_simulated=True))
    checks = document.pop("checks")
    assert document == {"companion": __version__, "simulated": True, "ok": False}
    assert checks[3] == {
        "name": "spi",
        "level": "failed",
        "said": "switched off",
        "todo": "sudo reboot",
    }
    levels = [check["level"] for check in checks[:6]]
    assert levels == ["good", "note", "warning", "failed", "unknown", "absent"]
    assert json.loads(report_json(ALL[:3], is_simulated=False))["ok"] is True


def test_only_the_level_failed_counts_as_failure() -> None:
    assert has_failed(ALL)
    assert not has_failed([one for one in ALL if one.level is not Level.FAILED])


# --- Findings -----------------------------------------------------------------------------


def test_every_level_but_good_needs_advice() -> None:
    for make in (note, warning, failed, unknown):
        with pytest.raises(AssertionError):
            make("text", "")
    with pytest.raises(AssertionError):
        Finding(Level.GOOD, "text", "advice")
    with pytest.raises(AssertionError):
        good("")


def test_control_characters_are_escaped() -> None:
    found = failed("a\nb\x1b[2J", "c\rd")
    assert (found.text, found.advice) == ("a\\nb\\x1b[2J", "c\\rd")


@pytest.mark.parametrize(
    ("message", "text", "advice"),
    [
        ("no bus: switch it on: now", "no bus", "switch it on: now"),
        ("no bus", "no bus", "see hardware/README.md"),
    ],
)
def test_error_message_is_split_into_text_and_advice(message: str, text: str, advice: str) -> None:
    found = finding_from_error(message)
    assert (found.level, found.text, found.advice) == (Level.FAILED, text, advice)
