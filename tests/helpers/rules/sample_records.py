"""Sample game records, one of every kind."""

from __future__ import annotations

from helpers.rules.sample_positions import EMPTY

# Seven red halves in one region, on a3 b3 c3 a4 b4 c4 a5.
SEVEN = "......./......./R1R1R2..../R3R3R2..../R4....../......./......."
# All squares beside a1 are red: with covering=two-colours, nothing can be laid.
RED_CORNER = ".R1R1..../R2R2...../R3R3...../......./......./......./......."

# Played by hand on a board; `test_the_handwritten_game_...` explains each line.
FOUR = """\
marrakech record 1
booklet: en
player: R Amina
player: Y Bruno
player: B Chloé
player: N Driss
facing: s

1. R S3 d7s lays d6-e6
2. Y W2 b7w lays b6-c6
3. B N1 b6n pays Y 2 lays b5-c5
4. N E3 e6e pays R 2 lays e4-e5
5. R E4 f7w lays e6-f6
6. Y N1 f6n pays R 3 lays f5-g5
7. B W2 d6w pays R 3 lays c5-c6
8. N S1 d7s lays d6-e6
9. R S1 e7n lays e6-f6
10. Y N2 e5n pays N 2 lays d5-d6
"""
TWO = """\
marrakech record 1
booklet: en
player: RY
player: BN
facing: s

1. RY S1 d5s lays R d6-d7
2. BN S2 d7s pays RY 2 lays N b7-c7
3. RY W1 c7w pays BN 2 lays Y c6-d6
"""
DEALT = """\
marrakech record 1
booklet: en
player: RY
player: BN
facing: s
pile: RY RRRRRRYYYYYYRYRYRYRYRYRY
pile: BN NNBNBNBNBNBNBNBNBNBNBNBB

1. RY S1 d5s lays R d6-d7
2. BN S2 d7s pays RY 2 lays N b7-c7
"""
PIVOT_LAST = """\
marrakech record 1
booklet: en
options: turn_order=pivot-last
player: R
player: Y
player: B
player: N
facing: s

1. R S3 d7s lays d6-e6 turns w
2. Y W2 b7w lays b6-c6 turns n
3. B N1 b6n pays Y 2 lays b5-c5 turns e
"""
LAST_RUGS = f"""\
marrakech record 1
booklet: fr
player: R
player: Y
player: B
position: {EMPTY} d4s orient R R:30:1,Y:30:1,B:30:1 -

1. R S1 d5s lays d6-d7
2. Y S1 d6s pays R 2 lays c6-c7
3. B W1 c6w pays Y 2 lays b6-b7

count: 1 R 32+2=34
count: 2 Y 30+2=32
count: 3 B 28+2=30
"""
OUT_AT_THE_END = f"""\
marrakech record 1
booklet: en
options: two_player=one-colour
player: R
player: Y
position: {SEVEN} d3n orient Y R:57:11,Y:3:15 two_player=one-colour

1. Y W2 b3w pays R 3 of 7 is out

count: 1 R 60+7=67
count: 2 Y out
"""
# To be filled in: a booklet, and the options of the position.
DEBT = """\
marrakech record 1
booklet: {booklet}
options: two_player=one-colour
player: R Rachid
player: Y Yasmin
position: ......./......./......./......./...R1R1../......./....... d4s orient Y \
R:30:14,Y:1:15 {options}

"""

RECORDS = {
    "four players": FOUR,
    "three players, a booklet, another facing": """\
marrakech record 1
booklet: sl
player: R
player: Y
player: B
facing: e

1. R N4 c1s lays c2-d2
2. Y W1 b1w lays b2-c2
3. B S1 b2s pays Y 2 lays b3-c3
""",
    "two players, drawn by hand": TWO,
    "two players, dealt": DEALT,
    "two players, alternating": """\
marrakech record 1
booklet: cs
player: YR
player: BN
facing: s

1. YR S1 d5s lays Y d6-d7
2. BN S2 d7s pays YR 2 lays B b7-c7
3. YR W1 c7w pays BN 2 lays R c6-d6
""",
    "two players, one colour": """\
marrakech record 1
booklet: en
options: two_player=one-colour
player: Y
player: N
facing: w

1. Y W3 a4w lays a3-b3
2. N N1 a3n pays Y 2 lays a2-b2
""",
    "pivot last": PIVOT_LAST,
    "pivot last, left as he faces": """\
marrakech record 1
booklet: es
options: turn_order=pivot-last
player: R
player: Y
player: B
player: N
facing: s

1. R S3 d7s lays d6-e6 turns s
2. Y S1 e7n lays f7-g7
""",
    "pivot last, no turn after the last rug": f"""\
marrakech record 1
booklet: en
options: two_player=one-colour,turn_order=pivot-last
player: R
player: Y
position: {EMPTY} d4s roll R R:30:1,Y:30:1 two_player=one-colour,turn_order=pivot-last

1. R S1 d5s lays d6-d7 turns w
2. Y W1 c5w lays b5-b6

count: 1 R 30+2=32
count: 1 Y 30+2=32
""",
    "going out": f"""\
marrakech record 1
booklet: en
player: R
player: Y
player: B
position: {SEVEN} d3n orient Y R:57:11,Y:3:15,B:30:15 -

1. Y W2 b3w pays R 3 of 7 is out
2. B W2 a4e pays R 7 lays a5-a6
3. R S1 a5s pays B 2 lays b5-b6
4. B E1 b5e pays R 8 lays c5-d5
""",
    "going out with an empty purse": f"""\
marrakech record 1
booklet: en
player: R
player: Y
player: B
position: {SEVEN} d3n orient Y R:57:11,Y:0:15,B:30:15 -

1. Y W2 b3w pays R 0 of 7 is out
""",
    "going out ends the game": OUT_AT_THE_END,
    "spared": f"""\
marrakech record 1
booklet: hu-notes
player: R
player: Y
player: B
position: {SEVEN} d3n orient Y R:57:11,Y:3:15,B:30:15 bankruptcy=spare

1. Y W2 b3w pays R 3 of 7 lays a2-b2
2. B N1 b2n pays Y 2 lays b1-c1
""",
    "a rug returned": f"""\
marrakech record 1
booklet: fi
player: R
player: Y
player: B
position: {RED_CORNER} b1w orient Y R:30:12,Y:30:15,B:30:15 covering=two-colours

1. Y W1 a1w returns
2. B W1 a2e pays R 6 lays a1-b1
""",
    "a drawn rug returned": f"""\
marrakech record 1
booklet: fi
player: RY
player: BN
position: {RED_CORNER} b1w orient BN RY:30:9+12,BN:30:12+12 covering=two-colours

1. BN W1 a1w returns N
""",
    "the last rugs": LAST_RUGS,
    "from a turn already oriented": f"""\
marrakech record 1
booklet: en
player: R
player: Y
player: B
position: {EMPTY} d4w roll Y R:30:15,Y:30:15,B:30:15 -

1. Y W1 c4w lays b4-b5
""",
    "from a debt": f"""\
marrakech record 1
booklet: en
player: R
player: Y
player: B
position: {SEVEN} b3w pay Y R:57:11,Y:30:15,B:30:15 -

1. Y pays R 7 lays a2-b2
""",
    "from a draw": f"""\
marrakech record 1
booklet: en
player: RY
player: BN
position: {EMPTY} d6s draw BN RY:30:12+12,BN:30:12+12 -

1. BN draws N
""",
    "from a rug in hand": f"""\
marrakech record 1
booklet: en
player: RY
player: BN
position: {EMPTY} d6s lay:N BN RY:30:12+12,BN:30:12+12 -

1. BN lays N c6-c7
""",
    "from a pile already begun": f"""\
marrakech record 1
booklet: en
player: RY
player: BN
position: {EMPTY} d6s orient BN RY:30:=RYRR,BN:30:=NNBB -

1. BN S1 d7s lays N c6-c7
""",
    "from a turn of Assam": f"""\
marrakech record 1
booklet: en
options: turn_order=pivot-last
player: R
player: Y
player: B
position: {EMPTY} d6s pivot Y R:30:15,Y:30:15,B:30:15 turn_order=pivot-last

1. Y turns e
2. B E1 e6e lays e5-f5
""",
    "nothing played": """\
marrakech record 1
date: 2024-05-01
place: Fès
note: the cat walked over the market
note: twice # this is no comment
booklet: zh-TW
player: B
player: R Amina Idrissi
player: N
facing: n

""",
}
