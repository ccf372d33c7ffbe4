"""English sentences of the table and of the web server's errors."""

from __future__ import annotations

TABLE: dict[str, str | tuple[str, str]] = {
    # Names of things
    "colour.red": "red",
    "colour.yellow": "yellow",
    "colour.blue": "blue",
    "colour.brown": "brown",
    "facing.north": "north",
    "facing.east": "east",
    "facing.south": "south",
    "facing.west": "west",
    "button.north": "north",
    "button.east": "east",
    "button.south": "south",
    "button.west": "west",
    "player.red": "Red",
    "player.yellow": "Yellow",
    "player.blue": "Blue",
    "player.brown": "Brown",
    "player.two": "{one} & {other}",
    "booklet.ru-2012": "Русский, edition of 2012",
    "booklet.fa-sheet": "فارسی, single sheet",
    "booklet.hu-notes": "Magyar, players' notes",
    # Titles
    "title.setup": "A new game",
    "title.resume": "A game is waiting",
    "title.turn": "{player}: your turn",
    "title.put_back": "Put the cardboard back",
    "title.audit": "Compare with the cardboard",
    "title.won": ("{player} wins with {count} point", "{player} wins with {count} points"),
    "title.shared": ("{count} player wins", "{count} players share the win"),
    # To do: set-up
    "todo.players": (
        "{count} player. Directions change it, OK goes on.",
        "{count} players. Directions change it, OK goes on.",
    ),
    "todo.booklet": "Booklet {number}: {language}. East and west leaf through them, OK goes on.",
    "todo.classic": "Assam is turned before the roll. North or south changes the order.",
    "todo.pivot_last": "Assam is turned after the rug is laid. North or south changes the order.",
    "todo.colours": "Seat {seat}: {player}. North and south change the colour, "
    "east and west the seat, OK goes on.",
    "todo.loops_ne_sw": "Turn the board until its two big corner loops are where the light is: "
    "north-east and south-west.",
    "todo.loops_nw_se": "Turn the board until its two big corner loops are where the light is: "
    "north-west and south-east.",
    "todo.setting": "Assam stands in the middle and faces {facing}. Directions turn him, "
    "OK or the die begins.",
    # To do: a turn
    "todo.resume": "{player} is to play. OK goes on.",
    "todo.resume_over": "The game is over. OK goes on from there.",
    "todo.resume_not": "BACK held down puts the game away.",
    "todo.orient": "Assam faces {facing}. Turn him left or right or leave him, "
    "then press what the die shows.",
    "todo.orient_ok": "Assam faces {facing}. Turn him left or right or leave him, then OK rolls.",
    "todo.orient_either": "Assam faces {facing}. Turn him left or right or leave him, "
    "then OK rolls, or press what the die shows.",
    "todo.roll": "Assam goes {facing}. Roll, and press what the die shows.",
    "todo.roll_ok": "Assam goes {facing}. OK rolls.",
    "todo.roll_either": "Assam goes {facing}. OK rolls, or press what the die shows.",
    "todo.pay": (
        "{payer} pays {count} dirham to {owner}. OK when it is paid.",
        "{payer} pays {count} dirhams to {owner}. OK when they are paid.",
    ),
    "todo.short": (
        "{payer} owes {owner} {count} dirham and has {purse}: all of it goes over. "
        "OK when it is paid.",
        "{payer} owes {owner} {count} dirhams and has {purse}: all of it goes over. "
        "OK when it is paid.",
    ),
    "todo.short_out": "{player} is out after that: no more turns, no rugs, no score.",
    "todo.short_spared": "{player} plays on with nothing.",
    "todo.draw": "Which rug is next on the pile? West: {west}. East: {east}.",
    "todo.lay": "Lay the {colour} rug on {one} and {other}. Directions offer another place, "
    "OK when it lies there.",
    "todo.return": "The {colour} rug can lie nowhere: put it back into the box. "
    "OK when it is done.",
    "todo.pivot": "Turn Assam left or right for the next player; he faces {facing}. "
    "OK when he stands.",
    "todo.may_pivot": "Turn Assam left or right for the next player, or leave him; "
    "he faces {facing}. OK when he stands.",
    "todo.put_back": "OK when it is put back. BACK or west goes further back.",
    "todo.again": "East tells it again as it was.",
    "todo.over": "OK puts the game into the archive and begins a new one.",
    # To do: the audit
    "todo.audit_assam": "Assam stands on {square}. OK if he does; directions move him.",
    "todo.audit_facing": "Assam faces {facing}. OK if he does; directions turn him.",
    "todo.audit_rugs": (
        "{player}: {count} half can be seen where the light is. OK if so; "
        "a direction goes to the square that differs.",
        "{player}: {count} halves can be seen where the light is. OK if so; "
        "a direction goes to the square that differs.",
    ),
    "todo.audit_dirhams": (
        "{player}: {count} dirham. OK if so; north and south change it by 1, east and west by 5.",
        "{player}: {count} dirhams. OK if so; north and south change it by 1, east and west by 5.",
    ),
    "todo.square": "Go to the square that differs, then OK: {square}. BACK when all is well.",
    "todo.top_empty": "{square}: no rug. Directions change it, OK if so.",
    "todo.top": "{square}: {colour} on top. Directions change it, OK if so.",
    "todo.join": "Where can the other half of the {colour} rug on {square} be seen? "
    "Press that direction, or OK if it is covered.",
    # News
    "news.agreed": "The set-up was changed from a phone.",
    "news.begun": "The game begins, by the booklet: {booklet}.",
    "news.faces": "Assam faces {facing}.",
    "news.walked": (
        "{player} rolled {count}: Assam walks to {square} and faces {facing}.",
        "{player} rolled {count}: Assam walks to {square} and faces {facing}.",
    ),
    "news.walked_electronic": (
        "An electronic roll of {count} for {player}: Assam walks to {square} and faces {facing}.",
        "An electronic roll of {count} for {player}: Assam walks to {square} and faces {facing}.",
    ),
    "news.paid": (
        "{payer} paid {count} dirham to {owner}.",
        "{payer} paid {count} dirhams to {owner}.",
    ),
    "news.paid_short": (
        "{payer} paid {count} dirham of {due} to {owner}.",
        "{payer} paid {count} dirhams of {due} to {owner}.",
    ),
    "news.out": "{player} is out. The rugs left go into the box; those that lie stay, "
    "and nobody pays on them.",
    "news.drew": "{player} drew {colour}.",
    "news.laid": "{player} laid a {colour} rug on {one} and {other}.",
    "news.returned": "{player} put a {colour} rug back into the box.",
    "news.pivoted": "{player} turned Assam to face {facing}.",
    "news.over": "The game is over.",
    "news.put_away": "The game is in the archive, not finished.",
    "news.archived": "The game is in the archive.",
    "news.corrected_assam": "Corrected: Assam stands on {square} and faces {facing}.",
    "news.corrected_dirhams": (
        "Corrected: {player} has {count} dirham.",
        "Corrected: {player} has {count} dirhams.",
    ),
    "news.corrected_empty": "Corrected: no rug on {square}.",
    "news.corrected_half": "Corrected: half a rug on {square}, {colour}.",
    "news.corrected_rug": "Corrected: a rug on {square} and {other}, {colour}.",
    "news.audit_left": "Comparing was stopped; what was corrected stays.",
    "news.audit_done": "Everything was compared.",
    "news.audit_dirhams": (
        "Everything was compared. All purses together have {count} dirham; "
        "the game began with {usual}.",
        "Everything was compared. All purses together have {count} dirhams; "
        "the game began with {usual}.",
    ),
    # Putting the cardboard back
    "back.face": "Turn Assam to face {facing} again.",
    "back.stands": "Assam stays as he stands.",
    "back.assam": "Put Assam back on {square}, facing {facing}.",
    "back.coins": (
        "{owner} gives {count} dirham back to {payer}.",
        "{owner} gives {count} dirhams back to {payer}.",
    ),
    "back.out": (
        "{player} is in again and takes {count} rug back from the box.",
        "{player} is in again and takes {count} rugs back from the box.",
    ),
    "back.drew": "{player} puts the {colour} rug back on top of the pile.",
    "back.rug": "Lift the {colour} rug from {one} and {other}: {player} takes it back.",
    "back.under_nothing": "Nothing was under it on {square}.",
    "back.under_rug": "Under it on {square}: {colour}.",
    "back.returned": "{player} takes the {colour} rug out of the box again.",
    "back.correction": "A correction is taken back. Leave the cardboard as it is, "
    "or hold OK to compare.",
    # Final count
    "count.row": (
        "{player}: {dirhams} + {visible} = {count} point",
        "{player}: {dirhams} + {visible} = {count} points",
    ),
    "count.out": "{player}: out, no score",
    # Problems of the companion
    "trouble.disk_full": "The disk is full, and what is told is not saved. Free some space; "
    "until this has gone, do not pull the plug.",
    "trouble.disk_readonly": "The disk is read-only, and what is told is not saved. Make it "
    "writable; a card that went read-only by itself is worn out. Until this has gone, do not pull "
    "the plug.",
    "trouble.disk_denied": "The companion may not write where games are kept, and what is told is "
    "not saved. Let its user write there; until this has gone, do not pull the plug.",
    "trouble.disk": "The disk refuses ({reason}), and what is told is not saved. If this does not "
    "go by itself, copy the games away and change the card; do not pull the plug.",
    "trouble.matrix": "The matrix cannot be written to ({reason}): check its wires and its supply.",
    "trouble.no_matrix": "There is no light, and the game goes on. For whoever built the table: "
    "{advice}.",
    "trouble.buttons": "Not every button is heard. For whoever built the table: {advice}.",
    "trouble.fault": "The companion has a fault and must be started again ({reason}).",
    # Reasons for a refusal
    "no.resume_first": "A game is waiting: OK goes on with it.",
    "no.hold_back_longer": "Hold BACK down longer to put the game away; OK goes on with it.",
    "no.first_page": "This is the first page: there is nothing to go back to.",
    "no.audit_without_game": "There is no game to compare with the cardboard yet.",
    "no.nothing_to_put_away": "There is no game to put away.",
    "no.not_begun": "The game has not begun: agree on the set-up first.",
    "no.players": "Marrakech is for 2, 3 or 4 players.",
    "no.same_names": "Two seats have the same name: {name}. Change one of them.",
    "no.seat": "There is no further seat that way.",
    "no.behind": "Assam never turns round: {facing} is behind him.",
    "no.faces_already": "Assam faces {facing} already.",
    "no.turn_before_roll": "Assam goes the way he faces: roll.",
    "no.roll_first": "Roll the die and press its number.",
    "no.rolled_already": "The die is in already. BACK takes it back.",
    "no.pay_first": "The tribute comes first: OK when it is paid.",
    "no.draw": "Say which rug is next: west is {west}, east is {east}.",
    "no.placement_there": "No rug can be laid further {facing}.",
    "no.nowhere_to_lay": "The rug can lie nowhere: OK when it is back in the box.",
    "no.must_pivot": "Assam must be turned left or right first.",
    "no.pivot_first": "Assam is turned for the next player first: OK when he stands.",
    "no.over": "The game is over: OK begins a new one, BACK takes the last thing back.",
    "no.nothing_told": "This is the start of the game: there is nothing to take back.",
    "no.putting_back": "Put the cardboard back first: OK when it is done, "
    "west for further back, east to tell it again.",
    "no.both_longer": "OK and BACK were let go too soon: hold both longer for a phone's code.",
    "no.setup_is_over": "There is a game already: set one up when it is over or put away.",
    "no.leave_audit": "The cardboard is being compared: hold OK to leave that.",
    "no.edge": "The market ends here.",
    "no.dirhams_below": "A purse cannot hold less than nothing.",
    "no.dirhams": "The box has {box} dirhams, and the others have {others} of them: "
    "make another purse smaller first.",
    "no.rugs_left": "More {colour} rugs would be seen than were laid: "
    "clear the square where one is too many first.",
    # Pairing a phone
    "pair.shown": "The matrix shows the code for phones, two digits at a time: one dot over the "
    "first two, two dots over the last two. Any button puts it away.",
    "pair.put_away": "The code was put away, and nothing else was done.",
    "pair.no_code": "No code is valid now: hold OK and BACK together, and read it on the matrix.",
    "pair.wrong": (
        "That is not the code on the matrix: {count} try is left.",
        "That is not the code on the matrix: {count} tries are left.",
    ),
    "pair.void": "That was not the code, and one time too often: hold OK and BACK together for "
    "a new one.",
    "pair.too_many": "Too many codes were tried: wait a minute.",
    # The die pad
    "pad.searching": "Looking for the die pad.",
    "pad.absent": "No die pad is plugged in: plug it in, or play without it.",
    "pad.missing": "There is no port {port}: plug the die pad in, or change [pad] port "
    "in the config.",
    "pad.silent": "{port} does not answer as a die pad does: load the pad's firmware onto it, "
    "or say in the config which port is the pad's.",
    "pad.denied": "{port} may not be used: run 'sudo adduser $USER dialout' and log in again.",
    "pad.busy": "Another program uses {port}: close it, and the die pad is found by itself.",
    "pad.unusable": "{port} cannot be used as a serial port ({why}): plug the die pad in again, "
    "or change [pad] port in the config.",
    "pad.lost": "The die pad does not answer: check its cable. Until then, play without it.",
    "pad.version_old": "The die pad speaks version {theirs} and the companion {ours}: "
    "load the companion's firmware onto the pad.",
    "pad.version_new": "The die pad speaks version {theirs} and the companion {ours}: "
    "update the companion.",
    # Coins
    "coins.all": "That is all there is: every coin goes over.",
    "coins.change": (
        "Too few 1s? Give {given} and take {count} back.",
        "Too few 1s? Give {given} and take {count} back.",
    ),
    "coins.change_first": "Too few 1s? Change a 5 first, with another player or in the box.",
    # Archived games
    "past.damaged": "This game is damaged: {reason}",
    "past.unreadable": "This game cannot be read: {reason}",
    "past.simulated": "Simulated",
    # Errors of the web server
    "page.no_http": "This is no request that a browser sends.",
    "page.one_host": "A request names one host.",
    "page.host": "This page is not called {host}: open it at the address that 'marrakech status' "
    "shows, or add the name to [web] hosts in the config.",
    "page.origin": "Another page asks for this: only the table's own page may.",
    "page.not_found": "There is nothing here.",
    "page.method": "This cannot be asked in that way.",
    "page.no_json": "A request is a JSON object, sent as application/json.",
    "page.too_large": "A request has at most {most} bytes.",
    "page.slow": "The request took too long to arrive.",
    "page.busy": "Too much is asked at once: try again in a moment.",
    "page.full": "Too many pages are open already: close some of them.",
    "page.no_table": "The table cannot be reached: it is starting, or it was stopped.",
    "page.no_answer": "The table does not answer: look whether it still runs.",
    "page.no_code": "The code has four digits.",
    "page.too_many_tries": "Too many codes were tried: wait a minute.",
    "page.not_paired": "This phone only watches: hold OK and BACK at the table, and type the code "
    "that the matrix shows.",
    "page.unreadable": "This cannot be read: {why}",
    "page.fault": "A fault in the page's server: {why}.",
}
