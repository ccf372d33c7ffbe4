"""Reads what a page shows, and computes what it should show by the table's snapshot.

`READ_PAGE` reads a page as drawn, by positions instead of internal names: a square is found by the
letters and numbers along the edges, and a rug by the squares that it covers. `expected_page`
computes the same from a snapshot, so that the two can be compared. `READ_PAGE` first waits until
the page has drawn the snapshot with the given sequence number, or a later one.
"""

from __future__ import annotations

from itertools import chain
from pathlib import Path

from companion.json_types import JsonObject
from companion.web.views.odds import odds_of

MATRIX, SIZE = 8, 7
SQUARES = [f"{column}{row}" for row in range(1, 8) for column in "abcdefg"]

READ_PAGE = Path(__file__).with_suffix(".js").read_text()


def expected_page(snapshot: JsonObject) -> JsonObject:
    """What `READ_PAGE` should return for every page, except the fills of the rugs."""
    game = snapshot["game"]
    return {
        "sequence": snapshot["sequence"],
        "title": snapshot["title"],
        "todo": snapshot["todo"],
        "news": [*snapshot["news"], *([snapshot["pairing"]] if snapshot["pairing"] else [])],
        "refused": _refused(snapshot["refused"]),
        "trouble": snapshot["trouble"],
        "simulated": "SIMULATED: nobody sits at this table",
        "link": None,
        "squares": SQUARES,
        **(light := _light(snapshot["light"]["shots"])),
        # After BACK, the way back is steps without a line.
        "hasLine": bool(light["steps"]) and snapshot["stage"] != "put_back",
        "rugs": _rugs(game["market"]) if game else [],
        "assam": _assam(snapshot),
        "players": [_player(player) for player in game["players"]] if game else [],
        "payment": _payment(game),
        "odds": _odds(game) if snapshot["stage"] in ("orient", "roll", "pivot") else [],
        "final": _final(game["players"]) if snapshot["stage"] == "over" else [],
        "isTooWide": False,
    }


def _refused(why: str | None) -> str | None:
    return None if why is None else f"Refused: {why}"


def _rugs(market: list[list[JsonObject | None]]) -> list[JsonObject]:
    """Two visible halves of a rug are one piece."""
    seen: dict[str, JsonObject] = {}
    for name, top in zip(SQUARES, chain.from_iterable(market), strict=True):
        if top is not None:
            seen.setdefault(top["rug"], {"colour": top["colour"], "squares": []})
            seen[top["rug"]]["squares"] = sorted([*seen[top["rug"]]["squares"], name])
    return list(seen.values())


def _assam(snapshot: JsonObject) -> list[str] | None:
    """The LEDs come first: in an audit, Assam is being moved."""
    shot = snapshot["light"]["shots"][-1]
    lit = [_square(mark["leds"][0]) for mark in shot if mark["meaning"] == "assam"]
    if (game := snapshot["game"]) is not None:
        return [lit[0] if lit else game["assam"]["square"], game["assam"]["facing"]]
    return [lit[0], snapshot["setup"]["facing"]] if snapshot["stage"] == "setting" else None


# --- LEDs ---------------------------------------------------------------------------------


def _square(led: int) -> str:
    return SQUARES[led // MATRIX * SIZE + led % MATRIX]


def _on_market(mark: JsonObject) -> list[str]:
    return [_square(led) for led in mark["leds"] if led % MATRIX < SIZE and led // MATRIX < SIZE]


def _light(shots: list[list[JsonObject]]) -> JsonObject:
    has_trail = any(mark["meaning"] == "trail" for mark in shots[-1])
    marks = [
        mark
        for mark in chain.from_iterable(shots)
        if not (has_trail and mark["meaning"] == "path")  # walked before
    ]

    def of(*meanings: str) -> list[JsonObject]:
        return [mark for mark in marks if mark["meaning"] in meanings]

    def squares(*meanings: str) -> list[str]:
        return [square for mark in of(*meanings) for square in _on_market(mark)]

    return {
        "steps": squares("path", "trail"),
        "counted": [
            [square, str(number)]
            for mark in of("count")
            for number, square in enumerate(_on_market(mark), start=1)
        ],
        "owed": sorted(squares("owed")),
        "previews": [pair for mark in of("preview") for pair in _previews(_on_market(mark))],
        "offered": [
            {"colour": mark["inks"][0], "squares": sorted(_on_market(mark))}
            for mark in of("offer")
            if mark["inks"][0] != "white"
        ],
        "lifted": sorted(squares("lift")),
        "signs": _signs(shots[-1]) if len(shots) == 1 else [],
    }


def _previews(squares: list[str]) -> list[list[str]]:
    """At a corner, two rolls can lead to the same square."""
    return [
        [square, "·".join(str(n) for n, one in enumerate(squares, start=1) if one == square)]
        for square in dict.fromkeys(squares)
    ]


def _signs(shot: list[JsonObject]) -> list[str]:
    for mark in shot:
        if mark["meaning"] == "number":
            return [str(mark["number"])]
        if mark["meaning"] == "letters":
            return list(mark["letters"])
    return []


# --- Players ------------------------------------------------------------------------------


def _player(player: JsonObject) -> JsonObject:
    piles = player["rugs"]
    is_one = len(piles) == 1
    return {
        "called": player["called"],
        "remark": "out" if player["out"] else "to play" if player["to_play"] else None,
        "weaves": [f"url(#weave-{colour})" for colour in player["colours"]],
        "dirhams": str(player["dirhams"]),
        "visible": str(player["visible"]),
        "score": "–" if player["score"] is None else str(player["score"]),
        "rugs": [str(left) if is_one else f"{left}{colour}" for colour, left in piles.items()],
    }


def _payment(game: JsonObject | None) -> JsonObject | None:
    """At most what the payer has."""
    if game is None or (due := game["tribute"]) is None:
        return None
    payer, owner = game["players"][due["payer"]], game["players"][due["owner"]]
    paid = min(due["dirhams"], payer["dirhams"])
    if not paid:
        return None
    return {
        "parties": [payer["called"], owner["called"]],
        "amount": "1 dirham" if paid == 1 else f"{paid} dirhams",
        "sum": " + ".join(["5"] * (paid // 5) + ["1"] * (paid % 5)),
    }


def _odds(game: JsonObject | None) -> list[list[str]]:
    odds = odds_of(game["position"]) if game else None
    arrows = {"north": "↑", "east": "→", "south": "↓", "west": "←"}
    return [
        [
            f"{arrows[direction]}{direction}",
            *map(_odds_cell, row["pips"]),
            f"{row['expected_number']:.2f}",
        ]
        for direction, row in (odds or {}).items()
    ]


def _odds_cell(row: JsonObject) -> str:
    price = f"{row['dirhams']}{row['owner']}" if row["dirhams"] else "free"
    return f"{price}{row['square']}"


def _final(players: list[JsonObject]) -> list[list[str]]:
    return [
        [
            "–" if player["out"] else str(player["rank"]),
            player["called"],
            str(player["dirhams"]),
            str(player["visible"]),
            "out" if player["out"] else str(player["score"]),
        ]
        for player in sorted(players, key=lambda player: player["rank"])
    ]
