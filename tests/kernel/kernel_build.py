"""Builds the test kernel from Debian's kernel source, once: the result is kept in a cache folder.

User-Mode Linux is a Linux kernel that runs as a program. Building and running it needs no
privileges.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from system.errors import CannotRunError, StepFailedError

CONFIG = Path(__file__).with_name("kernel.config")
PACKAGE = "linux-source"
"""Debian's package that depends on the source of the release's kernel."""
TOOLS = {
    "apt-get": "apt",
    "bc": "bc",
    "bison": "bison",
    "flex": "flex",
    "gcc": "gcc libc6-dev",
    "make": "make",
    "xz": "xz-utils",
}
"""Programs and their Debian packages."""
UNUSED = ("*.dts", "*.dtsi", "*/drivers/gpu/drm/*.[ch]", "*/sound/*.[ch]")
"""A third of the source, which this kernel does not need."""


@dataclass(frozen=True)
class Change:
    """Text of a source file that is replaced. It must occur once."""

    file: str
    old: str
    new: str


CHANGES = (
    # User-Mode Linux delivers simulated interrupts with the next timer tick. With 100 ticks per
    # second, fast bounces would become one edge.
    Change(
        "arch/um/Kconfig", "config HZ\n\tint\n\tdefault 100\n", "config HZ\n\tint\n\tdefault 1000\n"
    ),
    # The simulated chip opens a closed contact when a program asks for a pull-up resistor. A real
    # contact to ground is stronger than the resistor.
    Change(
        "drivers/gpio/gpio-sim.c",
        "\tgc->set_config = gpio_sim_set_config;\n",
        "\t(void)gpio_sim_set_config;\n",
    ),
)


@dataclass(frozen=True)
class Kernel:
    """The program `linux`, and the compiler of device trees from the same source."""

    folder: Path

    @property
    def program(self) -> Path:
        return self.folder / "linux"

    @property
    def dtc(self) -> Path:
        return self.folder / "dtc"

    @property
    def is_built(self) -> bool:
        return self.program.exists() and self.dtc.exists()


def cache_folder(environ: Mapping[str, str]) -> Path:
    base = environ.get("XDG_CACHE_HOME") or Path(environ.get("HOME", "/root")) / ".cache"
    return Path(base) / "marrakech"


def cached_kernel(cache: Path, source: str) -> Kernel:
    """Where the kernel of this source package is, or will be."""
    made_of = f"{CONFIG.read_text()}{CHANGES}".encode()
    version = source.removesuffix("_all.deb").rpartition("_")[2]
    return Kernel(cache / f"kernel-{version}-{hashlib.sha256(made_of).hexdigest()[:12]}")


def find_source_package() -> str:
    """The file name of the package with the kernel source, which has its version."""
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing:
        packages = " ".join(TOOLS[tool] for tool in missing)
        raise CannotRunError(f"{missing[0]} is missing: 'apt install {packages}' on a Debian")
    depends = _output("apt-cache", "depends", "--important", PACKAGE)
    named = re.search(rf"Depends: ({PACKAGE}-[\w.]+)", depends)
    uris = _output("apt-get", "download", "--print-uris", named[1]) if named else ""
    found = re.match(r"'\S+' (\S+) ", uris)
    if found is None:
        raise CannotRunError(f"apt has no package {PACKAGE}: 'apt update', or use another Debian")
    return found[1]


def build(kernel: Kernel, source: str, work: Path, log: Path) -> None:
    """Download, unpack, configure and compile. The log has the output of the commands."""
    builder = _Builder(work, log)
    builder.unpack(source)
    builder.change()
    builder.configure()
    builder.run("make", f"-j{os.cpu_count()}", "ARCH=um", "linux")
    kernel.folder.mkdir(parents=True, exist_ok=True)
    for name in ("scripts/dtc/dtc", "linux"):
        target = kernel.folder / Path(name).name
        partial = target.with_suffix(f".{os.getpid()}")  # another run may build the same kernel
        subprocess.run(["strip", "-o", partial, builder.tree / name], check=True)
        partial.rename(target)


class _Builder:
    def __init__(self, work: Path, log: Path) -> None:
        self._work = work
        self._log = log
        self.tree = work / "linux"

    def unpack(self, source: str) -> None:
        self.tree.mkdir()
        package = source.partition("_")[0]
        words = ("-qq", "-o", "APT::Sandbox::User=root") if os.geteuid() == 0 else ("-qq",)
        if self._call(["apt-get", "download", *words, package], self._work):
            raise CannotRunError(f"{package} cannot be downloaded: run 'apt update'")
        (archive,) = self._work.glob(f"{package}_*.deb")
        self.run("dpkg-deb", "--extract", str(archive), str(self._work / "package"))
        (tar,) = (self._work / "package/usr/src").glob("linux-source-*.tar.xz")
        unused = [f"--exclude={pattern}" for pattern in UNUSED]
        self.run("tar", "--extract", "--strip-components=1", *unused, f"--file={tar}")

    def change(self) -> None:
        for change in CHANGES:
            path = self.tree / change.file
            text = path.read_text()
            if text.count(change.old) != 1:
                raise StepFailedError(f"{change.file} of this kernel does not have {change.old!r}")
            path.write_text(text.replace(change.old, change.new))

    def configure(self) -> None:
        """Linux ignores options that it does not have, or whose dependencies are missing."""
        self.run("make", "ARCH=um", f"KCONFIG_ALLCONFIG={CONFIG}", "allnoconfig")
        has = set((self.tree / ".config").read_text().splitlines())
        wanted = [line for line in CONFIG.read_text().splitlines() if line.startswith("CONFIG_")]
        missing = [line for line in wanted if line not in has]
        if missing:
            raise StepFailedError(f"this kernel cannot be built with {', '.join(missing)}")

    def run(self, *command: str) -> None:
        if self._call(command, self.tree):
            end = "\n".join(self._log.read_text(errors="replace").splitlines()[-40:])
            raise StepFailedError(f"{' '.join(command)}\n{end}")

    def _call(self, command: Sequence[str], folder: Path) -> int:
        with self._log.open("ab") as log:
            return subprocess.call(
                command,
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env={**os.environ, "LC_ALL": "C"},
            )


def _output(*command: str) -> str:
    environ = {**os.environ, "LC_ALL": "C"}
    # In a folder without packages: apt prints no address of a file that it has found there.
    done = subprocess.run(
        command, cwd="/", capture_output=True, text=True, check=False, env=environ
    )
    return done.stdout
