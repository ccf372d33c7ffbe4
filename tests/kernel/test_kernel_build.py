"""Where the test kernel is kept, and when it is built again."""

from __future__ import annotations

from pathlib import Path

import pytest
from kernel import kernel_build
from kernel.kernel_build import Change, cache_folder, cached_kernel

SOURCE = "linux-source-6.1_6.1.192-1_all.deb"


def test_cache_is_in_the_users_cache_folder() -> None:
    assert cache_folder({"HOME": "/home/me"}) == Path("/home/me/.cache/marrakech")
    environ = {"HOME": "/home/me", "XDG_CACHE_HOME": "/cache"}
    assert cache_folder(environ) == Path("/cache/marrakech")


def test_folder_names_the_version_of_the_kernel(tmp_path: Path) -> None:
    kernel = cached_kernel(tmp_path, SOURCE)
    assert kernel.folder.name.startswith("kernel-6.1.192-1-")
    assert not kernel.is_built


def test_other_options_or_changes_make_another_kernel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = {cached_kernel(tmp_path, SOURCE).folder}
    monkeypatch.setattr(kernel_build, "CHANGES", (Change("a", "b", "c"),))
    folders.add(cached_kernel(tmp_path, SOURCE).folder)
    options = tmp_path / "kernel.config"
    options.write_text("CONFIG_TTY=y\n")
    monkeypatch.setattr(kernel_build, "CONFIG", options)
    folders.add(cached_kernel(tmp_path, SOURCE).folder)
    assert len(folders) == 3
