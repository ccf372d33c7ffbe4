"""Sample positions as text, one of every kind."""

from __future__ import annotations

EMPTY = "/".join(["." * 7] * 7)
FOUR = "R:30:12,Y:30:12,B:30:12,N:30:12"
START = f"{EMPTY} d4s orient R {FOUR} -"

# Red has laid two rugs, the second over a half of the first; yellow stands on a region of three.
THREE_RED = "......./......./......./...R1.../...R2R2../......./......."
TEN_TURNS = (
    "......./......./......./....N1../.B1B2Y3N1Y2Y2/.Y1B2Y3R3R3./....... "
    "e5n orient B R:38:9,Y:27:9,B:25:10,N:30:10 -"
)

# Red owes yellow 8 dirhams.
OWED = (
    "......./......./..Y1Y1Y3../...Y2Y3../...Y2Y4../....Y4../....... "
    "d4s pay R R:30:11,Y:30:8,B:30:12,N:30:12 -"
)
# Brown is out, and red is to play.
OUT = (
    "R1R1N1N1.../......./......./......./......./......./....... "
    "d4s orient R R:30:11,Y:30:12,B:30:12,N:out -"
)

POSITIONS = {
    "four players, start": START,
    "four players, ten turns": TEN_TURNS,
    "to roll": f"{EMPTY} d4w roll R {FOUR} -",
    "to pay": f"{THREE_RED} e5e pay Y R:30:10,Y:30:11,B:30:12,N:30:12 -",
    "to lay": f"{THREE_RED} e5e lay Y R:33:10,Y:27:11,B:30:12,N:30:12 -",
    "three players": f"{EMPTY} d4n orient Y R:30:15,Y:30:15,B:30:15 -",
    "three players, one out": f"{THREE_RED} a1n orient B R:60:13,Y:out,B:30:15 -",
    "two players, drawn by hand": f"{EMPTY} d4s orient RY RY:30:12+12,BN:30:12+12 -",
    "two players, to draw": f"{EMPTY} d6s draw BN RY:30:12+12,BN:30:12+12 -",
    "two players, drawn": f"{EMPTY} d6s lay:N BN RY:30:12+12,BN:30:12+12 -",
    "two players, one colour left": f"{EMPTY} d6s lay:R RY RY:30:3+0,BN:30:0+3 -",
    "two players, dealt": f"{EMPTY} d6s lay:R RY RY:30:=RRYR,BN:30:=BNN -",
    "two players, dealt, one out": f"{EMPTY} d6s over RY RY:out,BN:60:=BNN -",
    "two players, dealt, the last rug": f"{EMPTY} d6s lay:B BN RY:30:=,BN:30:=B -",
    "two players, alternating": (
        f"{EMPTY} d4s orient BN RY:30:=YRY,BN:30:=BNBN two_player=alternating"
    ),
    "an option for two among three": (
        f"{EMPTY} d4s orient B R:30:15,Y:30:15,B:30:15 two_player=alternating"
    ),
    "two players, one colour": f"{EMPTY} d4s orient Y R:30:15,Y:30:15 two_player=one-colour",
    "to pivot": f"{THREE_RED} c4w pivot R R:30:10,Y:30:12,B:30:12,N:30:12 turn_order=pivot-last",
    "to roll, pivot last": f"{EMPTY} d4s roll N {FOUR} turn_order=pivot-last,pivot=may",
    "over, no rug left": f"{THREE_RED} a1n over N R:30:0,Y:30:0,B:0:0,N:60:0 -",
    "over, one player in": f"{THREE_RED} a1n over Y R:90:4,Y:out,B:out -",
    "every option": (
        f"{EMPTY} g7e orient R R:30:12,Y:30:12,B:30:12,N:30:12 bankruptcy=spare,"
        "covering=two-colours,two_player=one-colour,pivot=may,purse=share-120,"
        "tie_break=shared,box=57,short_colour=red,loops=nw-se"
    ),
}


def written(
    market: str = EMPTY,
    assam: str = "d4s",
    phase: str = "orient",
    mover: str = "R",
    players: str = FOUR,
    options: str = "-",
) -> str:
    return f"{market} {assam} {phase} {mover} {players} {options}"
