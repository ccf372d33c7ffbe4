"""The help screen: the keys, what the light says, and the faults there are to play with."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from companion.simulator.banner import Banner
from companion.simulator.faults import RECIPES, Fault, Faults

_KEYS = (
    ("arrows", "N E S W"),
    ("enter, space", "OK"),
    ("backspace", "BACK"),
    ("1 2 3 4, R", "what the die shows, ROLL: on the die pad"),
    ("O, B", "hold OK (the audit), hold BACK (put the game away)"),
    ("P", "hold OK and BACK together: the code for phones"),
    ("mouse", "press a button on the screen, as long as you like"),
    ("q", "leave; the game stays where it is kept"),
)
_LIGHT = (
    "The cardboard is what was told and saved. The glowing dots are the 8 x 8 LEDs, read from the "
    "bytes on the bus: Assam blinks twice, where he would go runs ahead of him, what is to be paid "
    "is counted, a rug that is offered blinks fast, a refusal flashes everything."
)

CLOSE = "CLOSE"


class HelpScreen(ModalScreen[Fault | None]):
    """Leaves with the fault that was chosen, or without one."""

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
        *(Binding(recipe.key, f"choose('{fault.name}')") for fault, recipe in RECIPES.items()),
    ]

    def __init__(self, faults: Faults, about: str) -> None:
        super().__init__()
        self._faults = faults
        self._about = about

    def compose(self) -> ComposeResult:
        yield Banner()
        with Vertical() as box:
            box.border_title = "Help"
            yield Static(_table(_KEYS))
            yield Static(Text(f"\n{_LIGHT}", "#cdbfa6"))
            yield OptionList(
                Option(Text("  ESC back to the game", "bold #fff6e0"), id=CLOSE),
                *(map(self._option, filter(self._faults.is_possible, Fault))),
            )
            yield Static(Text(f"\n{self._about}", "#9a8c79"))

    def on_mount(self) -> None:
        """The keys first, also where there is not room for all of it."""
        self.call_after_refresh(self.query_one(Vertical).scroll_home, animate=False)

    def _option(self, fault: Fault) -> Option:
        recipe = RECIPES[fault]
        mark = "●" if self._faults.is_on(fault) else "○"
        text = Text.assemble(
            (f"{mark} ", "bold #ffb48a"),
            (f"{recipe.key.upper():4}", "bold #e9cf8f"),
            (f"{recipe.name:18}", "bold #fff6e0"),
            (recipe.does, "#cdbfa6"),
        )
        return Option(text, id=fault.name)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        assert event.option.id is not None
        self.action_choose(event.option.id)

    def action_choose(self, name: str) -> None:
        if self.is_current:  # two strokes may come before the first has closed it
            self.dismiss(None if name == CLOSE else Fault[name])


def _table(rows: tuple[tuple[str, str], ...]) -> Text:
    lines = [Text.assemble((f"{key:14}", "bold #e9cf8f"), does) for key, does in rows]
    return Text("\n").join(lines)
