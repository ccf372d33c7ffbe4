#include "promises.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../core/crc16.h"
#include "../core/pad.h"

/* A simple model of the pad, to compare with. */
static struct {
    pad_t pad;
    uint32_t now;
    uint8_t contacts;
    uint8_t looked_at; /* the contacts as the pad last read them */
    uint32_t still_ms[DEBOUNCE_KEYS]; /* how long each has been stable, by a clock that wraps */
    bool is_pressed[DEBOUNCE_KEYS];
    unsigned presses[DEBOUNCE_KEYS + 1]; /* since the session started, that may become reports */
    unsigned reported[DEBOUNCE_KEYS + 1];
    uint16_t last_number; /* of the newest sent report */
    uint16_t session;
    uint8_t sequence;
    unsigned sent;
} it;

static void must(bool holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "broken promise: %s\n", what);
        abort();
    }
}

static void sent(const uint8_t *bytes, uint8_t count)
{
    must(count >= FRAME_OVERHEAD && count <= FRAME_MAX, "a frame has 6 to 22 bytes");
    must(bytes[0] == FRAME_SYNC && bytes[1] == count - FRAME_OVERHEAD, "sync and length");
    must(bytes[3] == it.sequence++, "frames are counted");
    const uint16_t crc = crc16(&bytes[1], (uint8_t)(count - 3));
    must(bytes[count - 2] == (uint8_t)crc && bytes[count - 1] == crc >> 8, "the CRC");
    it.sent++;

    const uint16_t session = (uint16_t)(bytes[4] | bytes[5] << 8);
    if (bytes[2] == 0x82) {
        const uint16_t number = (uint16_t)(bytes[8] | bytes[9] << 8);
        const uint8_t key = bytes[10], pips = bytes[11];
        must(count == FRAME_OVERHEAD + 8, "a report has 8 bytes");
        must(session != 0 && session == it.pad.session, "a report is of the session");
        if (it.session != session) { /* the first report of a new session */
            it.session = session;
            it.last_number = 0;
            memset(it.reported, 0, sizeof it.reported);
        }
        must(key >= 1 && key <= 5, "a key is 1 to 5");
        must(key == PAD_ROLL ? pips >= 1 && pips <= 4 : pips == key, "the pips");
        if (number != it.last_number) {
            must(number == (it.last_number == UINT16_MAX ? 1 : it.last_number + 1), "in order");
            it.last_number = number;
            it.reported[key]++;
            must(it.reported[key] <= it.presses[key], "no key is invented");
        }
    } else if (bytes[2] == 0x83) {
        must(count == FRAME_OVERHEAD + 5 && bytes[8] <= REPORTS_MAX, "at most 16 wait");
    } else {
        must(bytes[2] == 0x81 && count == FRAME_OVERHEAD + 13, "identity, report or alive");
    }
}

static void new_session_clears(uint16_t before)
{
    if (it.pad.session != before) {
        must(it.pad.reports.count == 0, "a new session begins with nothing");
        memset(it.presses, 0, sizeof it.presses);
        it.session = 0;
    }
}

static void receive(uint8_t byte)
{
    const uint16_t before = it.pad.session;
    const uint8_t waiting = it.pad.reports.count;
    pad_receive(&it.pad, byte, it.now);
    must(it.pad.reports.count <= waiting, "bytes make no reports");
    new_session_clears(before);
}

static void receive_frame(uint8_t type, const uint8_t *payload, uint8_t length)
{
    frame_t frame = {.type = type, .length = length};
    uint8_t bytes[FRAME_MAX];
    memcpy(frame.payload, payload, length);
    const uint8_t count = frame_write(&frame, bytes);
    for (uint8_t i = 0; i < count; i++) {
        receive(bytes[i]);
    }
}

static void tick(void)
{
    it.now++;
    for (int key = 0; key < DEBOUNCE_KEYS; key++) {
        if ((it.contacts ^ it.looked_at) >> key & 1) {
            it.still_ms[key] = 0;
        } else {
            it.still_ms[key]++;
        }
        const bool is_closed = it.contacts >> key & 1;
        if (it.still_ms[key] >= DEBOUNCE_MS && is_closed != it.is_pressed[key]) {
            it.is_pressed[key] = is_closed;
            it.presses[key + 1] += is_closed && it.pad.session != 0;
        }
    }
    it.looked_at = it.contacts;
    pad_keys(&it.pad, it.contacts, it.now);
    const uint16_t before = it.pad.session;
    pad_tick(&it.pad, it.now);
    new_session_clears(before);
    (void)pad_led(&it.pad, it.now);
    must(it.pad.reports.count <= REPORTS_MAX, "at most 16 wait");
    must(it.pad.reader.count <= FRAME_MAX, "the reader keeps one frame at most");
}

unsigned promises_hold(const uint8_t *script, size_t length)
{
    const pad_identity_t identity = {.board = {1, 2, 3, 4}, .boots = 9};
    memset(&it, 0, sizeof it);
    it.now = UINT32_MAX - 1000;
    pad_init(&it.pad, sent, &identity, it.now);

    for (size_t at = 0; at + 1 < length;) {
        const uint8_t what = script[at] % 12, value = script[at + 1];
        const uint8_t session[2] = {(uint8_t)it.pad.session, (uint8_t)(it.pad.session >> 8)};
        at += 2;
        if (what <= 3) {
            receive(value);
        } else if (what == 4) {
            for (uint8_t left = value % 64; left > 0 && at < length; left--) {
                receive(script[at++]);
            }
        } else if (what == 5) {
            it.contacts = value;
        } else if (what == 6) {
            for (unsigned ms = 0; ms <= value; ms++) {
                tick();
            }
        } else if (what == 7) {
            const uint32_t passed = (uint32_t)value << 24; /* may be 0 */
            it.now += passed;
            for (int key = 0; key < DEBOUNCE_KEYS; key++) {
                it.still_ms[key] += passed;
            }
        } else if (what == 8) {
            receive_frame(0x01, (uint8_t[]){1, value, 0}, 3);
        } else if (what == 9) {
            receive_frame(0x02, (uint8_t[]){session[0], session[1], value, 0}, 4);
        } else if (what == 10) {
            receive_frame(
                0x03,
                (uint8_t[]){session[0], session[1], value & 3, value >> 2 & 3, value >> 4}, 5);
        } else {
            pad_stir(&it.pad, value);
        }
    }
    return it.sent;
}
