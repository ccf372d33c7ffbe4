"""The faulty filesystem fails as configured, and otherwise works like the real one."""

from __future__ import annotations

import errno
import os
import signal
from pathlib import Path

import pytest

from companion.testing.faulty_filesystem import CrashMoment, FaultyFilesystem

DATA = memoryview(b"data")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "game"


def test_full_disk_refuses_to_grow_and_accepts_data_when_there_is_room(path: Path) -> None:
    filesystem = FaultyFilesystem()
    file = filesystem.open(path, is_new=True)
    filesystem.is_full = True
    for refused in (
        lambda: filesystem.write(file, DATA),
        lambda: filesystem.fdatasync(file),
        lambda: filesystem.rename(path, path.with_name("moved")),
        lambda: filesystem.open(path.with_name("new"), is_new=True),
    ):
        with pytest.raises(OSError, match="No space left on device"):
            refused()
    filesystem.truncate(file, 0)
    filesystem.is_full = False
    assert filesystem.write(file, DATA) == 4
    filesystem.fdatasync(file)
    filesystem.truncate(file, 2)
    filesystem.close(file)
    filesystem.rename(path, path.with_name("moved"))
    filesystem.fsync_folder(path.parent)
    assert path.with_name("moved").read_bytes() == b"da"
    assert not path.with_name("new").exists()


def test_read_only_disk_refuses_every_change(path: Path) -> None:
    filesystem = FaultyFilesystem()
    file = filesystem.open(path, is_new=True)
    filesystem.is_read_only = True
    for refused in (
        lambda: filesystem.write(file, DATA),
        lambda: filesystem.truncate(file, 0),
        lambda: filesystem.rename(path, path.with_name("moved")),
        lambda: filesystem.open(path),
    ):
        with pytest.raises(OSError, match="Read-only file system"):
            refused()
    filesystem.fdatasync(file)
    filesystem.close(file)
    assert path.read_bytes() == b""


def test_slow_disk_delays_every_sync(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr("companion.testing.faulty_filesystem.time.sleep", slept.append)
    filesystem = FaultyFilesystem()
    file = filesystem.open(path, is_new=True)
    filesystem.sync_delay_ms = 300
    filesystem.fdatasync(file)
    filesystem.close(file)
    assert slept == [0.3]


def test_failing_write_has_written_half_of_its_data(path: Path) -> None:
    filesystem = FaultyFilesystem(errors_at={1: errno.EIO})
    file = filesystem.open(path, is_new=True)
    with pytest.raises(OSError, match="Input/output error"):
        filesystem.write(file, DATA)
    assert path.read_bytes() == b"da"
    filesystem.close(file)


@pytest.mark.parametrize(
    ("loses_unsynced_data", "left"), [(True, b"data\0\0\0\0"), (False, b"datadata")]
)
def test_failing_sync_may_lose_the_data_since_the_last_one(
    path: Path, loses_unsynced_data: bool, left: bytes
) -> None:
    filesystem = FaultyFilesystem(loses_unsynced_data=loses_unsynced_data)
    file = filesystem.open(path, is_new=True)
    filesystem.write(file, DATA)
    filesystem.fdatasync(file)
    filesystem.write(file, DATA)
    filesystem.fail_next(errno.EIO)
    with pytest.raises(OSError, match="Input/output error"):
        filesystem.fdatasync(file)
    filesystem.fdatasync(file)
    assert path.read_bytes() == left
    filesystem.close(file)


def test_after_a_power_cut_nothing_is_written_and_the_file_is_unlocked(path: Path) -> None:
    filesystem = FaultyFilesystem()
    file = filesystem.open(path, is_new=True)
    filesystem.cut_power()
    for refused in (
        lambda: filesystem.write(file, DATA),
        lambda: filesystem.truncate(file, 0),
        lambda: filesystem.fdatasync(file),
        lambda: filesystem.rename(path, path.with_name("moved")),
        lambda: filesystem.fsync_folder(path.parent),
        lambda: filesystem.open(path),
    ):
        with pytest.raises(OSError, match="Input/output error"):
            refused()
    filesystem.close(file)
    assert path.read_bytes() == b""
    other = FaultyFilesystem()
    other.close(other.open(path))


def test_calls_are_recorded_in_order(path: Path) -> None:
    filesystem = FaultyFilesystem(max_write_bytes=3)
    file = filesystem.open(path, is_new=True)
    assert filesystem.write(file, DATA) == 3
    filesystem.fdatasync(file)
    filesystem.truncate(file, 1)
    filesystem.close(file)
    filesystem.rename(path, path.with_name("moved"))
    filesystem.fsync_folder(path.parent)
    folder = f"fsync {path.parent.name}"
    assert filesystem.calls == ["open", "write", "fdatasync", "truncate", "rename", folder]


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
@pytest.mark.parametrize(
    ("moment", "left"),
    [(CrashMoment.BEFORE, b""), (CrashMoment.HALF_WRITTEN, b"da"), (CrashMoment.AFTER, b"data")],
)
def test_process_is_killed_at_the_given_call(path: Path, moment: CrashMoment, left: bytes) -> None:
    process = os.fork()
    if not process:
        try:
            filesystem = FaultyFilesystem(crash_at=(1, moment), skips_sync=True)
            filesystem.write(filesystem.open(path, is_new=True), DATA)
        finally:
            os._exit(1)
    _, status = os.waitpid(process, 0)
    assert os.WIFSIGNALED(status)
    assert os.WTERMSIG(status) == signal.SIGKILL
    assert path.read_bytes() == left
