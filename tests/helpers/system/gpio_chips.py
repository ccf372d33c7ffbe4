"""The GPIO chips of Raspberry Pis as the kernel shows them, in files below a test's folder."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

BCM2835, BCM2711, RP1 = "brcm,bcm2835-gpio", "brcm,bcm2711-gpio", "raspberrypi,rp1-gpio"
_FIRMWARE = "raspberrypi,firmware-gpio"  # LEDs and camera
_SOC = "brcm,bcm7445-gpio\0brcm,brcmstb-gpio"

# For each number of a chip its `compatible`.
GPIO_CHIPS: Mapping[str, Mapping[int, str]] = {
    "Pi 3": {0: BCM2835, 1: _FIRMWARE},
    "Zero 2 W": {0: BCM2835, 1: _FIRMWARE},
    "Pi 4": {0: BCM2711, 1: _FIRMWARE},
    "Pi 5, Linux 6.1": {0: _SOC, 1: _SOC, 2: _SOC, 3: _SOC, 4: RP1},
    "Pi 5, Linux 6.6.45": {0: RP1, 10: _SOC, 11: _SOC, 12: _SOC, 13: _SOC},
    "Pi 5, Linux 6.12.96": {11: _SOC, 12: _SOC, 13: _SOC, 14: _SOC, 15: RP1},
}


def place_gpio_chips(root: Path, chips: Mapping[int, str]) -> None:
    """Create the device nodes and the files of sysfs, with the links that sysfs has."""
    for folder in ("dev", "sys/bus/gpio/devices"):
        (root / folder).mkdir(parents=True, exist_ok=True)
    for number, compatible in chips.items():
        name = f"gpiochip{number}"
        (root / "dev" / name).touch()
        node = root / f"sys/firmware/devicetree/base/gpio@{number}"
        device = root / "sys/devices/platform" / name
        node.mkdir(parents=True)
        device.mkdir(parents=True)
        (node / "compatible").write_text(f"{compatible}\0")
        (device / "of_node").symlink_to(f"../../../firmware/devicetree/base/gpio@{number}")
        (root / "sys/bus/gpio/devices" / name).symlink_to(f"../../../devices/platform/{name}")


def remove_gpio_chips(root: Path) -> None:
    for path in (*root.glob("dev/gpiochip*"), *root.glob("sys/bus/gpio/devices/*")):
        path.unlink()
    for folder in (
        *root.glob("sys/firmware/devicetree/base/gpio@*"),
        *root.glob("sys/devices/platform/gpiochip*"),
    ):
        shutil.rmtree(folder)
