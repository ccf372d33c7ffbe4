"""The parts of the emulated Raspberry Pi that need no QEMU."""

from __future__ import annotations

import json
import os
import pty
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest
from helpers.patience import PATIENCE_S
from system.emulated_pi_steps import mono, picture
from system.errors import StepFailedError, wait_until
from system.pi_card import SPI, device_tree_edits
from system.qemu_control import LineSocket, QemuEndedError, Qmp, Qtest
from system.serial_console import SerialConsole
from system.spi_trace import transfers

from companion.adapters.virtual.spi import Max7219Chip

# --- The serial console -------------------------------------------------------------------


@contextmanager
def shell(folder: Path, program: str = "sh") -> Iterator[SerialConsole]:
    """A console with a real shell in a terminal at its other end."""
    host, terminal = pty.openpty()
    process = subprocess.Popen(
        [program], stdin=terminal, stdout=terminal, stderr=terminal, start_new_session=True
    )
    os.close(terminal)
    try:
        yield SerialConsole(host, folder=str(folder / "console"))
    finally:
        process.kill()
        process.wait()
        os.close(host)


@pytest.fixture
def console(tmp_path: Path) -> Iterator[SerialConsole]:
    with shell(tmp_path) as console:
        console.wait_for_shell(60, lambda: True)
        yield console


def test_console_returns_exit_code_and_both_outputs(console: SerialConsole) -> None:
    assert console.run("echo one; echo two >&2; exit 3") == (3, "one\n", "two\n")
    assert console.run("true") == (0, "", "")


def test_console_keeps_outputs_as_they_are(console: SerialConsole) -> None:
    """Long lines, control characters, and other languages."""
    text = "0123456789" * 2000 + "\t\x1b[31m مراكش\r\n\n"
    assert console.run(f"printf '{text[:100]}'")[1] == text[:100]
    assert console.run("seq 20000")[1] == "".join(f"{n}\n" for n in range(1, 20001))
    assert (
        console.run("printf '\\t\\033[31m مراكش\\r\\n\\n'")[1]
        == text[-len("\t\x1b[31m مراكش\r\n\n") :]
    )


def test_console_ignores_what_others_print_on_the_line(console: SerialConsole) -> None:
    """Such as messages of the kernel, and the echo of the command."""
    assert console.run("echo 'a message' >/dev/tty; echo done")[1] == "done\n"


def test_commands_do_not_read_the_following_ones(console: SerialConsole) -> None:
    assert console.run("cat") == (0, "", "")
    assert console.run("cd /tmp; exit 0")[0] == 0
    assert console.run("pwd")[1] != "/tmp\n"


def test_console_says_what_it_saw_after_a_timeout(console: SerialConsole) -> None:
    with pytest.raises(StepFailedError, match=r"'sleep 2' has not ended within 0 s"):
        console.run("sleep 2", timeout_s=0.2)


def test_late_results_of_earlier_commands_are_ignored(console: SerialConsole) -> None:
    with pytest.raises(StepFailedError):
        console.run("sleep 1; echo early", timeout_s=0.1)
    assert console.run("echo late")[1] == "late\n"


def test_console_waits_for_a_machine_that_is_on(tmp_path: Path) -> None:
    """A machine that stops while it boots is reported at once."""
    with (
        shell(tmp_path, "true") as console,
        pytest.raises(StepFailedError, match="the machine has stopped"),
    ):
        console.wait_for_shell(3600, lambda: False)


def test_a_machine_that_prints_much_goes_on_while_something_else_is_awaited(
    console: SerialConsole, tmp_path: Path
) -> None:
    """Nobody else reads the line: what prints on it would stop when the buffers are full."""
    done = tmp_path / "done"
    console.run(f"(seq 100000 >/dev/tty; touch {done}) &")
    console.read_until(done.exists, "everything is printed", PATIENCE_S)
    assert console.run("echo goes on")[1] == "goes on\n"


def test_what_does_not_happen_is_reported_with_the_last_lines(console: SerialConsole) -> None:
    console.run("echo 'a stop job is running' >/dev/tty")
    with pytest.raises(StepFailedError, match=r"not within 0 s: it resets"):
        console.read_until(lambda: False, "it resets", timeout_s=0)


def test_a_machine_that_stops_while_something_is_awaited_is_reported(tmp_path: Path) -> None:
    with (
        shell(tmp_path, "true") as console,
        pytest.raises(StepFailedError, match="the machine has stopped"),
    ):
        console.read_until(lambda: False, "it resets", PATIENCE_S)


# --- The SPI bus --------------------------------------------------------------------------

SELECT, DESELECT = ("0x3f200028", "0x100", "bcm2835_gpio"), ("0x3f20001c", "0x100", "bcm2835_gpio")


def fifo(value: int) -> tuple[str, str, str]:
    return "0x3f204004", f"{value:#x}", "bcm2835-spi"


def trace_lines(*writes: tuple[str, str, str]) -> list[str]:
    """As QEMU writes them to its log."""
    return [
        f"memory_region_ops_write cpu 2 mr 0x5581e0a1c2f0 addr {address} value {value} size 4 "
        f"name '{region}'\n"
        for address, value, region in writes
    ]


def test_a_transfer_is_what_is_sent_while_the_chip_is_selected() -> None:
    lines = trace_lines(
        SELECT, fifo(0x0C), fifo(0x01), DESELECT, SELECT, fifo(0x01), fifo(0xFF), DESELECT
    )
    assert list(transfers(lines)) == [b"\x0c\x01", b"\x01\xff"]


def test_writes_to_other_registers_are_no_transfers() -> None:
    lines = trace_lines(
        fifo(0x55),  # not selected: the trace began in the middle of a transfer
        DESELECT,
        SELECT,
        ("0x3f204000", "0xb0", "bcm2835-spi"),  # control
        fifo(0x0A),
        ("0x3f215040", "0x41", "bcm2835-aux"),  # the console
        ("0x3f20001c", "0x40", "bcm2835_gpio"),  # another pin
        fifo(0x03),
        DESELECT,
    )
    assert list(transfers(["bad line\n", *lines])) == [b"\x0a\x03"]


def test_an_unfinished_transfer_does_not_count() -> None:
    """A MAX7219 takes the bytes when its chip select rises."""
    assert list(transfers(trace_lines(SELECT, fifo(1), fifo(2)))) == []


def test_pictures_are_compared_without_colours() -> None:
    chip = Max7219Chip()
    for data in ((0x0C, 1), (0x0B, 7), (1, 0b1), (8, 0b1000_0001)):
        chip.transfer(bytes(data))
    assert picture(chip) == mono(["R......!", *["........"] * 6, ".......W"])


# --- Controlling QEMU ---------------------------------------------------------------------


@contextmanager
def fake_qemu(folder: Path, *answers: str) -> Iterator[tuple[Path, list[str]]]:
    """A socket that sends a line at the start, and one or more after each line it gets."""
    path = folder / "qemu"
    server = socket.socket(socket.AF_UNIX)
    server.bind(str(path))
    server.listen(1)
    got: list[str] = []

    def serve() -> None:
        connection, _ = server.accept()
        with connection, connection.makefile("rw") as file:
            for answer in answers:
                file.write(answer)
                file.flush()
                got.append(file.readline().strip())

    thread = Thread(target=serve)
    thread.start()
    try:
        yield path, got
    finally:
        thread.join(PATIENCE_S)
        server.close()


def test_events_are_kept_until_they_are_waited_for(tmp_path: Path) -> None:
    event, done = '{"event": "RESET"}\n', '{"return": {}}\n'
    with fake_qemu(tmp_path, '{"QMP": {}}\n', done, event + done + event) as (path, got):
        qmp = Qmp(path)
        qmp.execute("cont")
        wait_until(lambda: qmp.take_event("RESET"), "the first reset", PATIENCE_S)
        wait_until(lambda: qmp.take_event("RESET"), "the second reset", PATIENCE_S)
        assert not qmp.take_event("RESET")
        qmp.close()
    assert [json.loads(line)["execute"] for line in got if line] == ["qmp_capabilities", "cont"]


def test_refused_commands_are_errors(tmp_path: Path) -> None:
    refused = '{"error": {"class": "GenericError", "desc": "unknown event"}}\n'
    with fake_qemu(tmp_path, '{"QMP": {}}\n', '{"return": {}}\n', refused) as (path, _):
        qmp = Qmp(path)
        with pytest.raises(RuntimeError, match="trace-event-set-state: unknown event"):
            qmp.execute("trace-event-set-state", name="nothing", enable=True)
        qmp.close()


def test_registers_are_written(tmp_path: Path) -> None:
    with fake_qemu(tmp_path, "", "OK\n", "FAIL Unknown command\n") as (path, got):
        qtest = Qtest(path)
        qtest.write_register(0x3F20001C, 0x100)
        with pytest.raises(RuntimeError, match="0x3f200020: FAIL"):
            qtest.write_register(0x3F200020, 0)
        qtest.close()
    assert got[0] == "writel 0x3f20001c 0x100"


def test_connection_can_be_used_after_a_timeout(tmp_path: Path) -> None:
    """Also if a part of a message came before it."""
    with fake_qemu(tmp_path, '{"QMP"', ": {}}\nnext\n", "last\n") as (path, _):
        line = LineSocket(path)
        with pytest.raises(StepFailedError, match="no message from QEMU within 0 s"):
            line.receive(timeout_s=0)
        line.send("go on")
        assert [line.receive(), line.receive()] == ['{"QMP": {}}', "next"]
        line.send("end")
        assert line.receive() == "last"
        line.send("")
        line.wait_for_end()
        line.close()


def test_events_of_a_qemu_that_has_ended_do_not_come(tmp_path: Path) -> None:
    with fake_qemu(tmp_path, '{"QMP": {}}\n', '{"return": {}}\n') as (path, _):
        qmp = Qmp(path)
        qmp.send("")
        with pytest.raises(QemuEndedError):
            wait_until(lambda: qmp.take_event("RESET"), "a reset", PATIENCE_S)
        qmp.close()


def test_end_of_qemu_is_noticed(tmp_path: Path) -> None:
    with fake_qemu(tmp_path, '{"event": "SHUTDOWN"}\n') as (path, _):
        line = LineSocket(path)
        line.send("")
        line.wait_for_end()
        line.close()


def test_power_can_be_cut_after_a_timeout(tmp_path: Path) -> None:
    """QEMU was killed in the middle of a message."""
    with fake_qemu(tmp_path, '{"QMP": {}}\n', '{"return": {}}\n', '{"eve') as (path, _):
        qmp = Qmp(path)
        qmp.send("")
        assert not qmp.take_event("RESET")
        qmp.send("")
        qmp.wait_for_end()
        qmp.close()


# --- The device tree ----------------------------------------------------------------------


def test_device_tree_gets_the_spi_device_and_the_revision() -> None:
    """The edits, in order, on the nodes that a Pi has."""
    tree: dict[str, dict[str, list[str]]] = {SPI: {"dmas": [], "dma-names": []}, "/aliases": {}}
    for words in device_tree_edits("file", "0xc"):
        match words:
            case ["-c", "file", node]:
                assert node.rpartition("/")[0] in (*tree, "")
                tree[node] = {}
            case ["-d", "file", node, *names]:
                for name in names:
                    del tree[node][name]
            case ["-t", "s" | "x" | "i", "file", node, name, *values]:
                tree[node][name] = values
            case _:
                pytest.fail(f"not a command of fdtput: {words}")
    chip_selects = ["0xc", "8", "1", "0xc", "7", "1"]
    assert tree[SPI] == {"status": ["okay"], "cs-gpios": chip_selects}
    assert tree[f"{SPI}/spidev@0"]["compatible"] == ["rohm,dh2228fv"]
    assert tree["/aliases"] == {"spi0": [SPI]}
    assert tree["/system"] == {"linux,revision": ["0xa22082"]}
