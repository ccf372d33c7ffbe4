"""`marrakech doctor`: checks the Pi and prints problems and remedies. It changes nothing."""

from __future__ import annotations

import argparse
import asyncio
import shutil
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from companion.adapters.hardware import VirtualHardware, pins_of
from companion.cli.arguments import OUTPUT_WIDTH
from companion.cli.market_text import has_colours
from companion.cli.terminal_person import TerminalPerson
from companion.doctor.bundle import bundle_files, check_bundle_path, contents_text, write_bundle
from companion.doctor.checks.pins import spare_pins
from companion.doctor.checks.run import run_checks
from companion.doctor.checks.service import UNIT, ServiceReply, parse_service_reply
from companion.doctor.context import DoctorContext, make_context, this_machine
from companion.doctor.finding import Finding, Level
from companion.doctor.report import absent_lines, finding_lines, has_failed, report_json, summary
from companion.doctor.walk.person import Person
from companion.doctor.walk.run import walk
from companion.doctor.walk.virtual_person import VirtualPerson
from companion.errors import CompanionError

PrintLine = Callable[[str], None]
FAILED = 1
SIMULATED = "SIMULATED: virtual matrix, mock pins and virtual die pad; no hardware is used"
WALK_HINT = "'marrakech doctor --walk' tests LEDs, buttons and die pad together with you."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--walk",
        action="store_true",
        help="also test every LED, button and die pad key, with your help",
    )
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")
    parser.add_argument(
        "--bundle",
        type=Path,
        metavar="FILE.tar.gz",
        help="write a new support file without players' names",
    )
    parser.add_argument(
        "--with-games",
        action="store_true",
        help="include the game in progress, with the players' names, in the support file",
    )
    parser.add_argument(
        "--config", type=Path, metavar="FILE", help="config file (default: the table's)"
    )
    parser.add_argument(
        "--folder", type=Path, metavar="DIR", help="folder of the games (default: the table's)"
    )
    parser.add_argument(
        "--virtual",
        action="store_true",
        help="check a simulated table that needs no hardware and answers by itself",
    )


def run(args: argparse.Namespace) -> int:
    if args.with_games and args.bundle is None:
        raise CompanionError("--with-games needs --bundle FILE.tar.gz")
    if args.bundle is not None:
        check_bundle_path(args.bundle)
    context = make_context(
        this_machine(),
        cwd=Path.cwd(),
        config=args.config,
        folder=args.folder,
        is_virtual=args.virtual,
        ask_service=ask_service,
    )
    if args.walk:
        _check_walk(context)
    # With --json, standard output is for programs: print for people to standard error.
    stream = sys.stderr if args.json else sys.stdout

    def print_line(line: str) -> None:
        print(line, file=stream, flush=True)

    if context.is_virtual and not args.json:
        print_line(SIMULATED)
    print_findings = (lambda _: None) if args.json else _findings_printer(print_line)
    findings = []
    for finding in run_checks(context):
        findings.append(finding)
        print_findings([finding])
    if not args.json:
        for line in absent_lines(findings, width=_output_width()):
            print_line(line)
    if args.walk:
        print_line("")
        walk_findings = asyncio.run(_walk(context, print_line))
        print_line("")
        print_findings(walk_findings)
        findings += walk_findings
    _finish(args, context, findings, print_line)
    return FAILED if has_failed(findings) else 0


def ask_service() -> ServiceReply | None:
    """Ask the running service for its state; None if it does not answer."""
    from companion.control.client import open_client
    from companion.control.unix_socket import SYSTEM_PATH

    try:
        with open_client(SYSTEM_PATH) as client:
            return parse_service_reply(client.table())
    except (CompanionError, OSError):
        return None


def _findings_printer(print_line: PrintLine) -> Callable[[Iterable[Finding]], None]:
    width, is_coloured = _output_width(), has_colours()

    def print_findings(findings: Iterable[Finding]) -> None:
        for finding in findings:
            if finding.level is not Level.ABSENT:
                for line in finding_lines(finding, width=width, is_coloured=is_coloured):
                    print_line(line)

    return print_findings


def _output_width() -> int | None:
    """The width of the terminal. None for a file or pipe: one line per finding, however long."""
    if not sys.stdout.isatty():
        return None
    return min(shutil.get_terminal_size().columns, OUTPUT_WIDTH)


def _finish(
    args: argparse.Namespace,
    context: DoctorContext,
    findings: list[Finding],
    print_line: PrintLine,
) -> None:
    """Print the summary and write the support file."""
    if args.json:
        print(report_json(findings, is_simulated=context.is_virtual), end="")
    else:
        print_line(f"\n{summary(findings)}")
    if args.bundle is not None:
        files = bundle_files(context, findings, has_games=args.with_games)
        write_bundle(args.bundle, files)
        print_line(contents_text(args.bundle, files))
    elif not args.walk and not args.json and (context.has_pi or context.is_virtual):
        print_line(WALK_HINT)


# --- The guided walk ----------------------------------------------------------------------


def _check_walk(context: DoctorContext) -> None:
    if context.service.is_running:
        raise CompanionError(
            f"the service is using the pins, the matrix and the die pad: run 'sudo systemctl stop "
            f"{UNIT}' before the walk and 'sudo systemctl start {UNIT}' after it"
        )
    if not context.is_virtual and not sys.stdin.isatty():
        raise CompanionError("--walk needs a terminal, except with --virtual")


async def _walk(context: DoctorContext, print_line: PrintLine) -> list[Finding]:
    config, hardware = context.config, context.hardware
    person: Person
    if isinstance(hardware, VirtualHardware):
        return await walk(config, hardware, VirtualPerson(config, hardware, print_line))
    person = TerminalPerson(print_line, sys.stdin.fileno())
    spare = spare_pins(context.machine, pins_of(config).values())
    return await walk(config, hardware, person, spare=spare)
