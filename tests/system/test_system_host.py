"""How the system test finds this machine's package sources and control groups."""

from __future__ import annotations

from pathlib import Path

import pytest
from system.cgroup import own_folders
from system.host import find_mirror, find_package_access, find_paths, pick_mirror

TARGETS = """\
http://security.example/debian-security/ bookworm-security Debian-Security
http://trixie.example/debian/ trixie Debian
http://first.example/debian/ bookworm Debian
http://second.example/debian/ bookworm Debian
https://tools.example/apt/ stable
"""


def test_mirror_is_the_first_with_the_release() -> None:
    assert pick_mirror(TARGETS, "bookworm") == "http://first.example/debian/"


def test_any_mirror_of_debian_is_used_if_none_has_the_release() -> None:
    assert pick_mirror(TARGETS, "forky") == "http://trixie.example/debian/"


def test_other_distributions_have_no_mirror() -> None:
    assert pick_mirror("http://archive.example/ubuntu/ noble Ubuntu\n", "bookworm") is None


def test_mirror_can_be_set_in_the_environment() -> None:
    assert find_mirror({"DEBIAN_MIRROR": "http://near/debian"}, "bookworm") == "http://near/debian"


def test_files_and_folders_are_found_in_settings(tmp_path: Path) -> None:
    bundle, wheels, index = tmp_path / "bundle.crt", tmp_path / "wheels", tmp_path / "pypi/simple"
    bundle.touch()
    wheels.mkdir()
    index.mkdir(parents=True)
    text = f"[global]\ncert = {bundle}\nfind-links = {wheels} /nowhere\n"
    found = find_paths([text, f"extra-index-url = file://{index} https://far.example{wheels}2"])
    assert found == ([bundle], (tmp_path / "pypi", wheels))


def test_container_gets_only_package_settings(tmp_path: Path) -> None:
    (tmp_path / ".config/pip").mkdir(parents=True)
    (tmp_path / ".config/pip/pip.conf").write_text("[global]\n")
    environ = {"HOME": str(tmp_path), "PIP_CERT": "/x", "https_proxy": "p", "SECRET_TOKEN": "s"}
    access = find_package_access(environ)
    assert access.environ == {"PIP_CERT": "/x", "https_proxy": "p"}
    own = access.files[Path("/root/.config/pip/pip.conf")]
    assert own == tmp_path / ".config/pip/pip.conf"


UNIFIED = "30 24 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw,nsdelegate\n"
HYBRID = """\
31 24 0:27 / /sys/fs/cgroup ro - tmpfs tmpfs ro,mode=755
32 31 0:28 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw
33 31 0:29 / /sys/fs/cgroup/systemd rw - cgroup cgroup rw,xattr,name=systemd
34 31 0:30 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory
"""
OF_DOCKER = "30 24 0:26 /docker/1 /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"


@pytest.mark.parametrize(
    ("cgroups", "mounts", "folders"),
    [
        ("0::/user.slice/a.scope\n", UNIFIED, ["/sys/fs/cgroup/user.slice/a.scope"]),
        (
            "4:memory:/elsewhere\n1:name=systemd:/one\n0::/two\n",
            HYBRID,
            ["/sys/fs/cgroup/unified/two", "/sys/fs/cgroup/systemd/one"],
        ),
        ("0::/docker/1/x\n", OF_DOCKER, ["/sys/fs/cgroup/x"]),
        ("0::/docker/2\n", OF_DOCKER, ["/sys/fs/cgroup"]),
    ],
    ids=["unified", "hybrid", "below its own root", "outside its own root"],
)
def test_control_groups_of_this_process_are_found(
    cgroups: str, mounts: str, folders: list[str]
) -> None:
    assert own_folders(cgroups, mounts) == [Path(folder) for folder in folders]
