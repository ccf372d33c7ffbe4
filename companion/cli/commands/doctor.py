"""`marrakech doctor`: looks at the Pi, says what is wrong and what to do. It changes nothing."""

from __future__ import annotations

import argparse
import asyncio
import shutil
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from companion.adapters.hardware import VirtualHardware, pins_of
from companion.cli.arguments import WIDTH
from companion.cli.market_text import has_colours
from companion.cli.terminal_person import TerminalPerson
from companion.doctor.bundle import bundle_files, check_bundle, contents_text, write_bundle
from companion.doctor.checks.pins import spare_pins
from companion.doctor.checks.run import run_checks
from companion.doctor.checks.service import UNIT, Word, word_of
from companion.doctor.context import DoctorContext, make_context
from companion.doctor.finding import Finding, Level
from companion.doctor.machine import Machine, ThisMachine
from companion.doctor.report import absent_lines, finding_lines, has_failed, report_json, summary
from companion.doctor.walk.person import Person
from companion.doctor.walk.run import walk
from companion.doctor.walk.virtual_person import VirtualPerson
from companion.errors import CompanionError

FAILED = 1
SIMULATED = "SIMULATED: a virtual matrix, mock pins and a virtual die pad; nothing is wired"
WALK = "'marrakech doctor --walk' tries lights, buttons and die pad together with you."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--walk",
        action="store_true",
        help="also try every LED, every button and every key of the die pad, with your help",
    )
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")
    parser.add_argument(
        "--bundle",
        type=Path,
        metavar="FILE.tar.gz",
        help="write a new support file, without players' names",
    )
    parser.add_argument(
        "--with-games",
        action="store_true",
        help="the support file also gets the game in progress, with the players' names",
    )
    parser.add_argument(
        "--config", type=Path, metavar="FILE", help="use this marrakech.toml (default: the table's)"
    )
    parser.add_argument(
        "--folder", type=Path, metavar="DIR", help="where the games are (default: the table's)"
    )
    parser.add_argument(
        "--virtual",
        action="store_true",
        help="no hardware: a virtual table, which answers for itself, SIMULATED",
    )


def run(args: argparse.Namespace) -> int:
    if args.with_games and args.bundle is None:
        raise CompanionError("--with-games goes into a support file: name one with --bundle")
    if args.bundle is not None:
        check_bundle(args.bundle)
    patient = make_context(
        this_machine(),
        cwd=Path.cwd(),
        config=args.config,
        folder=args.folder,
        is_virtual=args.virtual,
        ask_service=ask_service,
    )
    if args.walk:
        _check_walk(patient)
    # Where the output is for a program, people read the other stream.
    talk = sys.stderr if args.json else sys.stdout

    def say(line: str) -> None:
        print(line, file=talk, flush=True)

    if patient.is_virtual and not args.json:
        say(SIMULATED)
    tell = (lambda _: None) if args.json else _teller(say)
    findings = []
    for finding in run_checks(patient):
        findings.append(finding)
        tell([finding])
    if not args.json:
        for line in absent_lines(findings, width=_width()):
            say(line)
    if args.walk:
        say("")
        found = asyncio.run(_walk(patient, say))
        say("")
        tell(found)
        findings += found
    _end(args, patient, findings, say)
    return FAILED if has_failed(findings) else 0


def this_machine() -> Machine:
    return ThisMachine()


def ask_service() -> Word | None:
    """What the running service says of itself; None if it cannot be asked."""
    from companion.control.client import open_client
    from companion.control.unix_socket import SYSTEM_PATH

    try:
        with open_client(SYSTEM_PATH) as client:
            return word_of(client.table())
    except (CompanionError, OSError):
        return None


def _teller(say: Callable[[str], None]) -> Callable[[Iterable[Finding]], None]:
    width, is_coloured = _width(), has_colours()

    def tell(findings: Iterable[Finding]) -> None:
        for finding in findings:
            if finding.level is not Level.ABSENT:
                for line in finding_lines(finding, width=width, is_coloured=is_coloured):
                    say(line)

    return tell


def _width() -> int | None:
    """Of the terminal; a file or a program gets one line for each finding, however long."""
    if not sys.stdout.isatty():
        return None
    return min(shutil.get_terminal_size().columns, WIDTH)


def _end(
    args: argparse.Namespace,
    patient: DoctorContext,
    findings: list[Finding],
    say: Callable[[str], None],
) -> None:
    if args.json:
        print(report_json(findings, is_simulated=patient.is_virtual), end="")
    else:
        say(f"\n{summary(findings)}")
    if args.bundle is not None:
        files = bundle_files(patient, findings, has_games=args.with_games)
        write_bundle(args.bundle, files)
        say(contents_text(args.bundle, files))
    elif not args.walk and not args.json and (patient.has_pi or patient.is_virtual):
        say(WALK)


# --- Walking ------------------------------------------------------------------------------


def _check_walk(patient: DoctorContext) -> None:
    if patient.service.is_running:
        raise CompanionError(
            f"the service has pins, matrix and die pad in its hands: 'sudo systemctl stop {UNIT}', "
            f"walk, and then 'sudo systemctl start {UNIT}'"
        )
    if not patient.is_virtual and not sys.stdin.isatty():
        raise CompanionError("a walk needs somebody at a terminal: with --virtual it does not")


async def _walk(patient: DoctorContext, say: Callable[[str], None]) -> list[Finding]:
    config, hardware = patient.config, patient.hardware
    person: Person
    if isinstance(hardware, VirtualHardware):
        return await walk(config, hardware, VirtualPerson(config, hardware, say))
    person = TerminalPerson(say, sys.stdin.fileno())
    spare = spare_pins(patient.machine, pins_of(config).values())
    return await walk(config, hardware, person, spare=spare)
