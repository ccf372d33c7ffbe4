"""The help screen: the keys, the LEDs, and faults to choose from."""

from __future__ import annotations

from typing import ClassVar

from rich.table import Table
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from companion.i18n.message import message
from companion.i18n.renderer import TextRenderer
from companion.simulator.banner import Banner
from companion.simulator.faults import FAULT_INFO, Fault, Faults

_DOES = (
    message("sim.does_arrows"),
    message("sim.does_die"),
    message("sim.does_hold"),
    message("sim.does_code"),
    message("sim.does_page"),
    message("sim.does_mouse"),
    message("sim.does_quit"),
)

CLOSE = "CLOSE"


class HelpScreen(ModalScreen[Fault | None]):
    """Returns the chosen fault, or None."""

    DEFAULT_CSS = """
    HelpScreen { align: center middle; }
    HelpScreen > Vertical {
        width: 76; max-width: 100%; height: auto; max-height: 100%; padding: 0 2; margin: 1 0 0 0;
        border: round #e9cf8f; border-title-color: #e9cf8f; background: #231c18;
        overflow-y: auto;
    }
    HelpScreen Static { color: #f2e6cf; height: auto; }
    HelpScreen Banner { color: #1a1410; }
    HelpScreen OptionList, HelpScreen OptionList:focus {
        height: auto; background: #231c18; border: none; padding: 0; margin: 1 0 0 0;
    }
    HelpScreen OptionList > .option-list--option-highlighted,
    HelpScreen OptionList:focus > .option-list--option-highlighted {
        background: #4a3d33; text-style: none;
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,f1,question_mark,q", f"choose('{CLOSE}')", "close"),
        *(Binding(info.key, f"choose('{fault.name}')") for fault, info in FAULT_INFO.items()),
    ]

    def __init__(self, faults: Faults, about: str, renderer: TextRenderer) -> None:
        super().__init__()
        self._faults = faults
        self._about = about
        self._renderer = renderer

    def compose(self) -> ComposeResult:
        render = self._renderer.render
        yield Banner(self._renderer)
        with Vertical() as box:
            box.border_title = render(message("sim.help"))
            yield Static(_table(_keys(self._renderer)))
            yield Static(Text(f"\n{render(message('sim.light'))}", "#cdbfa6"))
            yield OptionList(
                Option(Text(f"  {render(message('sim.close'))}", "bold #fff6e0"), id=CLOSE),
                *(map(self._option, filter(self._faults.is_possible, Fault))),
            )
            yield Static(Text(f"\n{self._about}", "#9a8c79"))

    def on_mount(self) -> None:
        """Scroll to the keys, because the list of faults takes the focus."""
        self.call_after_refresh(self.query_one(Vertical).scroll_home, animate=False)

    def _option(self, fault: Fault) -> Option:
        info = FAULT_INFO[fault]
        mark = "●" if self._faults.is_on(fault) else "○"
        text = Text.assemble(
            (f"{mark} ", "bold #ffb48a"),
            (f"{info.key.upper():4}", "bold #e9cf8f"),
            (f"{self._renderer.render(info.name)}  ", "bold #fff6e0"),
            (self._renderer.render(info.does), "#cdbfa6"),
        )
        return Option(text, id=fault.name)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        assert event.option.id is not None
        self.action_choose(event.option.id)

    def action_choose(self, name: str) -> None:
        if self.is_current:  # a second key may arrive before the first has closed the screen
            self.dismiss(None if name == CLOSE else Fault[name])


def _keys(renderer: TextRenderer) -> list[tuple[str, str]]:
    arrows, die, hold, code, page, mouse, leave = map(renderer.render, _DOES)
    return [
        (renderer.render(message("sim.key_arrows")), arrows),
        (renderer.render(message("sim.key_enter")), "OK"),
        (renderer.render(message("sim.key_backspace")), "BACK"),
        ("1 2 3 4, R", die),
        ("O, B", hold),
        ("P", code),
        ("A", page),
        (renderer.render(message("sim.key_mouse")), mouse),
        ("q", leave),
    ]


def _table(rows: list[tuple[str, str]]) -> Table:
    """A table with the keys in their own column."""
    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold #e9cf8f", no_wrap=True)
    table.add_column()
    for key, does in rows:
        table.add_row(key, does)
    return table
