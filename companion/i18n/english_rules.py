"""English sentences of the game options and the rules summary."""

from __future__ import annotations

RULES: dict[str, str | tuple[str, str]] = {
    # Options: the label in a form, and a whole sentence for each value
    "option.bankruptcy": "Who cannot pay",
    "option.bankruptcy.out": "Whoever cannot pay the whole tribute pays what there is, and is out.",
    "option.bankruptcy.spare": "Whoever cannot pay the whole tribute pays what there is, "
    "and plays on.",
    "option.covering": "Covering rugs",
    "option.covering.no-whole-rug": "Both halves of one visible rug are never covered in one go.",
    "option.covering.two-colours": "Two halves that are covered in one go must differ in colour.",
    "option.covering.own-rug-allowed": "Of whole rugs, only one's own may be covered in one go.",
    "option.two_player": "Rugs of two players",
    "option.two_player.shuffled": "Two players have two colours each, shuffled into one pile.",
    "option.two_player.alternating": "Two players have two colours each, alternating in the pile.",
    "option.two_player.one-colour": "Two players have 15 rugs of one colour each.",
    "option.turn_order": "Order of a turn",
    "option.turn_order.classic": "Assam is turned before the roll.",
    "option.turn_order.pivot-last": "Assam is turned for the next player, after the rug is laid.",
    "option.pivot": "Turning Assam last",
    "option.pivot.must": "Where Assam is turned last, he must be turned a quarter left or right.",
    "option.pivot.may": "Where Assam is turned last, he may also be left as he faces.",
    "option.purse": "Dirhams at the start",
    "option.purse.thirty": "Everybody begins with 30 dirhams.",
    "option.purse.share-120": "The 120 dirhams of the box are shared out evenly.",
    "option.tie_break": "A tie",
    "option.tie_break.dirhams": "A tie goes to whoever has more dirhams.",
    "option.tie_break.visible-rugs": "A tie goes to whoever has more visible halves of rugs.",
    "option.tie_break.shared": "A tie is shared.",
    "option.box": "Rugs in the box",
    "option.box.60": "The box has four colours of 15 rugs.",
    "option.box.57": "The box has three colours of 15 rugs and one of 12.",
    "option.short_colour": "Colour with fewer rugs",
    "option.short_colour.brown": "In a box of 57 rugs, brown has only 12.",
    "option.short_colour.red": "In a box of 57 rugs, red has only 12.",
    "option.short_colour.yellow": "In a box of 57 rugs, yellow has only 12.",
    "option.short_colour.blue": "In a box of 57 rugs, blue has only 12.",
    "option.loops": "How the board lies",
    "option.loops.ne-sw": "The board lies with its two big corner loops north-east and south-west.",
    "option.loops.nw-se": "The board lies with its two big corner loops north-west and south-east.",
    # Rules summary
    "rules.title": "How to play",
    "rules.aim": "Aim: be the best seller of the rug market. In the end, each dirham and each half "
    "of a rug of yours that can still be seen counts one point.",
    "rules.rugs": "Rugs for each: {four} with four players, {three} with three, {two} with two.",
    "rules.turn_classic": "A turn: leave Assam as he faces, or turn him a quarter left or right, "
    "never about. Then roll the die, and move him that many squares straight ahead. At the edge he "
    "follows the loop back into the market.",
    "rules.turn_pivot_last": "A turn: roll the die, and move Assam that many squares the way he "
    "faces. At the edge he follows the loop back into the market. After you have laid your rug, "
    "turn him for the next player, who must go that way.",
    "rules.die": "The die shows 1, 2, 2, 3, 3 or 4.",
    "rules.pay": "Paying: where Assam stops on another player's rug, pay its owner a tribute of "
    "one dirham for each square of that colour joined to his, side to side, and for his own. "
    "On a free square or on a rug of your own you pay nothing.",
    "rules.lay": "Laying: then lay a rug of yours on two squares side by side, at least one of "
    "them beside Assam, never under him. Halves of other rugs may be covered.",
    "rules.end": "The end: when all rugs are laid, points are counted, and most points win.",
    "rules.end_or_alone": "The end: when all rugs are laid, or only one player is left, points are "
    "counted, and most points win.",
    "rules.variant": "This booklet also prints another order: roll first, and turn Assam for the "
    "next player at the end of the turn.",
    "rules.booklet": "Booklet: {booklet}",
    "rules.differs": "By this booklet, and otherwise than by the English one:",
    "rules.set": "By agreement at this table, and otherwise than by the booklet:",
    "rules.same": "This booklet decides nothing otherwise than the English one.",
    "begins.agreed": "Who begins is agreed at the table.",
    "begins.morocco": "Whoever was last in Morocco begins.",
    "begins.lot": "Who begins is drawn by lot.",
    "begins.lot-or-youngest": "Who begins is drawn by lot, or it is the youngest.",
}
