"""The card of an emulated Raspberry Pi: Debian for arm64, with the companion installed on it.

`sudo ./marrakech install` runs in the root before the first boot, as it does when a card image is
built. QEMU takes kernel, initial RAM disk and device tree from the folder of the card.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from system.errors import CannotRunError, StepFailedError, expect_equal
from system.host import find_mirror
from system.root import RELEASE, Root

TOOLS_RELEASE = "trixie"
"""Debian 12 has QEMU 7.2, which does not emulate the SPI controller."""
TOOLS_PACKAGES = ("device-tree-compiler", "qemu-system-arm")
PACKAGES = ("ca-certificates", "dbus", "initramfs-tools", "python3", "systemd-sysv", "udev")
KERNEL = "linux-image-arm64"
KERNEL_RELEASE = "trixie"
"""Raspberry Pi OS 12 has a newer kernel than Debian 12 as well."""
LABEL = "pi"
CARD_SIZE = "2G"
"""QEMU wants a power of two."""
DEVICE_TREE = "bcm2837-rpi-3-b.dtb"
SPI, GPIO = "/soc/spi@7e204000", "/soc/gpio@7e200000"
REVISION = "0xa22082"
"""Of a Raspberry Pi 3B, version 1.2, 1 GB. On a real one the firmware adds it."""

# What the card needs in the initial RAM disk to become the root file system.
_MODULES = ("bcm2835", "bcm2835-dma", "ext4", "mmc_block", "sdhci-iproc")
_PREFERENCES = f"""\
Package: *
Pin: release n={KERNEL_RELEASE}
Pin-Priority: 1

Package: linux-image-*
Pin: release n={KERNEL_RELEASE}
Pin-Priority: 900
"""
CONSOLE = "ttyS1"
_CONSOLE_UNIT = f"""\
[Unit]
Description=A root shell on the serial console, for the test
DefaultDependencies=no
Conflicts=shutdown.target
Before=shutdown.target
ConditionPathExists=/dev/{CONSOLE}

[Service]
ExecStart=/bin/sh
Restart=always
RestartSec=0
StandardInput=tty
StandardOutput=tty
StandardError=tty
TTYPath=/dev/{CONSOLE}
TTYReset=yes
TTYVHangup=yes
KillMode=process
SendSIGHUP=yes

[Install]
WantedBy=sysinit.target
"""
_CONSOLE_NAME = "console-shell.service"
# systemd starts the watchdog of the Pi before it unmounts the card. QEMU then resets at once.
_MANAGER_SETTINGS = "[Manager]\nRebootWatchdogSec=off\n"


def device_tree_edits(file: str, gpio: str) -> Iterator[list[str]]:
    """The fdtput commands that make the tree of Debian's kernel like that of Raspberry Pi OS.

    With the SPI bus switched on, as by `dtparam=spi=on`, but without DMA, which QEMU's controller
    does not have. `gpio` is the number (phandle) of the node of the pins. The chip selects are GPIO
    8 and 7, and active low (1): a kernel without that line would drive them the other way round.
    """
    device = f"{SPI}/spidev@0"
    yield ["-t", "x", file, SPI, "cs-gpios", gpio, "8", "1", gpio, "7", "1"]
    yield ["-t", "s", file, SPI, "status", "okay"]
    yield ["-d", file, SPI, "dmas", "dma-names"]
    yield ["-c", file, device]
    yield ["-t", "s", file, device, "compatible", "rohm,dh2228fv"]
    yield ["-t", "x", file, device, "reg", "0"]
    yield ["-t", "i", file, device, "spi-max-frequency", "125000000"]
    yield ["-t", "s", file, "/aliases", "spi0", SPI]
    yield ["-c", file, "/system"]
    yield ["-t", "x", file, "/system", "linux,revision", REVISION]


class PiCard:
    """`tools` is a root with QEMU. Its folder `pi` gets the card, so that QEMU can open it."""

    def __init__(self, root: Root, tools: Root, log: Path) -> None:
        self.root = root
        self.tools = tools
        self.folder = tools.at("pi")
        self._log = log

    # --- Debian ---------------------------------------------------------------------------

    def make_tools(self, kept: Path | None) -> str:
        def make() -> None:
            mirror = find_mirror(os.environ, TOOLS_RELEASE)
            packages = ("ca-certificates", *TOOLS_PACKAGES)
            self.tools.make(mirror, self._log, release=TOOLS_RELEASE, packages=packages)

        self.tools.make_or_copy(kept, make)
        self.folder.mkdir(exist_ok=True)
        return self._check_run(self.tools, "qemu-system-aarch64", "--version").splitlines()[0]

    def make_root(self, kept: Path | None) -> str:
        self.root.make_or_copy(kept, self._make_root)
        return f"Debian {RELEASE} for arm64, with {self._kernel().name}"

    def _make_root(self) -> None:
        mirror = find_mirror(os.environ, RELEASE)
        self.root.make(mirror, self._log, machine="arm64", packages=PACKAGES)
        source = self.root.at("etc/apt/sources.list.d/kernel.list")
        preferences = self.root.at("etc/apt/preferences.d/kernel")
        source.write_text(f"deb {find_mirror(os.environ, KERNEL_RELEASE)} {KERNEL_RELEASE} main\n")
        preferences.write_text(_PREFERENCES)
        settings = self.root.at("etc/initramfs-tools")
        (settings / "conf.d/modules").write_text("MODULES=list\n")
        (settings / "modules").write_text("".join(f"{name}\n" for name in _MODULES))
        self._check_run(self.root, "apt-get", "update", "-qq")
        words = ("apt-get", "install", "-qq", "--yes", "--no-install-recommends", KERNEL)
        self._check_run(self.root, *words)
        source.unlink()
        preferences.unlink()
        self._check_run(self.root, "apt-get", "update", "-qq")

    def _kernel(self) -> Path:
        return next(self.root.at("boot").glob("vmlinuz-*"))

    # --- The companion --------------------------------------------------------------------

    def install(self, checkout: str) -> str:
        """Run `sudo ./marrakech install`, without systemd."""
        printed = self._check_run(
            self.root, "sh", "-c", f"cd {checkout} && ./marrakech install", why="install"
        )
        steps = [line for line in printed.splitlines() if " ... " in line]
        return f"{len(steps)} steps, for the next boot"

    # --- The image ------------------------------------------------------------------------

    def write_image(self) -> str:
        """Write the root into an image of a card, and copy what the firmware would load from it."""
        self.root.at("etc/hostname").write_text("raspberrypi\n")
        self.root.at("etc/fstab").write_text(f"LABEL={LABEL} / ext4 noatime 0 1\n")
        units = self.root.at("etc/systemd/system")
        manager = self.root.at("etc/systemd/system.conf.d")
        manager.mkdir(exist_ok=True)
        (manager / "no-watchdog.conf").write_text(_MANAGER_SETTINGS)
        (units / _CONSOLE_NAME).write_text(_CONSOLE_UNIT)
        self._check_run(self.root, "systemctl", "--quiet", "enable", _CONSOLE_NAME)
        getty = units / f"serial-getty@{CONSOLE}.service"
        getty.symlink_to("/dev/null")
        kernel = self._kernel()
        version = kernel.name.removeprefix("vmlinuz-")
        shutil.copyfile(kernel, self.folder / "kernel")
        shutil.copyfile(kernel.with_name(f"initrd.img-{version}"), self.folder / "initrd")
        tree = self.root.at(f"usr/lib/linux-image-{version}/broadcom/{DEVICE_TREE}")
        shutil.copyfile(tree, self.folder / DEVICE_TREE)
        tree_file = f"/pi/{DEVICE_TREE}"
        gpio = self._check_run(self.tools, "fdtget", "-t", "x", tree_file, GPIO, "phandle")
        for words in device_tree_edits(tree_file, gpio.strip()):
            self._check_run(self.tools, "fdtput", *words)
        image = self.folder / "card"
        done = subprocess.run(
            ["mke2fs", "-q", "-t", "ext4", "-L", LABEL, "-d", self.root.folder, image, CARD_SIZE],
            capture_output=True,
            text=True,
        )
        expect_equal(done.returncode, 0, f"mke2fs writes the card: {done.stderr}")
        used_mb = image.stat().st_blocks * 512 // 10**6
        return f"{used_mb} MB; {version}"

    def _check_run(self, root: Root, *command: str, why: str = "") -> str:
        done = root.run(*command)
        with self._log.open("a") as log:
            log.write(done.stdout + done.stderr)
        if done.returncode:
            text = f"{' '.join(command)}\n{done.stdout}{done.stderr}"
            raise StepFailedError(text) if why else CannotRunError(text)
        return done.stdout
