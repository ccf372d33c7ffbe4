#include "pad.h"

#include <string.h>

#include "../version.h"

enum {
    HELLO = 0x01,
    ACK = 0x02,
    STATE = 0x03,
    IDENTITY = 0x81,
    REPORT = 0x82,
    ALIVE = 0x83,
};

enum { /* minimum lengths of payloads */
    HELLO_BYTES = 3,
    ACK_BYTES = 4,
    STATE_BYTES = 5,
};

void pad_init(pad_t *pad, pad_send_t send, const pad_identity_t *identity, uint32_t now_ms)
{
    memset(pad, 0, sizeof *pad);
    pad->send = send;
    pad->identity = *identity;
    pad->heard_ms = now_ms;
    pad->alive_ms = now_ms - PAD_ALIVE_MS; /* the first ALIVE is due at once */
    frame_reader_init(&pad->reader);
    debounce_init(&pad->debounce);
    reports_init(&pad->reports);
    led_init(&pad->led);
    dice_init(&pad->dice);
}

void pad_stir(pad_t *pad, uint32_t value)
{
    dice_stir(&pad->dice, value);
}

/* --- Sending ---------------------------------------------------------------------------- */

static void put(frame_t *frame, uint8_t byte)
{
    frame->payload[frame->length++] = byte;
}

static void put16(frame_t *frame, uint16_t number)
{
    put(frame, (uint8_t)number);
    put(frame, (uint8_t)(number >> 8));
}

static void send(pad_t *pad, frame_t *frame)
{
    uint8_t bytes[FRAME_MAX];
    frame->sequence = pad->sequence++;
    pad->send(bytes, frame_write(frame, bytes));
}

static void send_identity(pad_t *pad, uint16_t session)
{
    frame_t frame = {.type = IDENTITY};
    put(&frame, PAD_VERSION);
    put16(&frame, session);
    put(&frame, VERSION_MAJOR);
    put(&frame, VERSION_MINOR);
    put(&frame, VERSION_PATCH);
    for (uint8_t i = 0; i < PAD_BOARD_BYTES; i++) {
        put(&frame, pad->identity.board[i]);
    }
    put(&frame, PAD_CAPABILITIES);
    put16(&frame, pad->identity.boots);
    send(pad, &frame);
}

static void send_alive(pad_t *pad)
{
    frame_t frame = {.type = ALIVE};
    put16(&frame, pad->session);
    put16(&frame, pad->identity.boots);
    put(&frame, pad->reports.count);
    send(pad, &frame);
}

/* Sends the oldest report, if it is due. */
static void send_report(pad_t *pad, uint32_t now_ms)
{
    report_t report;
    if (!reports_due(&pad->reports, now_ms, &report)) {
        return;
    }
    frame_t frame = {.type = REPORT};
    put16(&frame, pad->session);
    put16(&frame, pad->identity.boots);
    put16(&frame, report.number);
    put(&frame, report.key);
    put(&frame, report.pips);
    send(pad, &frame);
}

/* --- Receiving -------------------------------------------------------------------------- */

static uint16_t get16(const uint8_t *bytes)
{
    return (uint16_t)(bytes[0] | (uint16_t)bytes[1] << 8);
}

static void hear_hello(pad_t *pad, const uint8_t *payload, uint32_t now_ms)
{
    const uint8_t version = payload[0];
    const uint16_t session = get16(&payload[1]);
    if (version != PAD_VERSION) {
        send_identity(pad, 0);
        return;
    }
    if (session == 0) {
        return;
    }
    if (session != pad->session) {
        pad->session = session;
        pad->flash_count = 0;
        reports_init(&pad->reports);
        led_mode(&pad->led, LED_DARK, now_ms);
    }
    send_identity(pad, session);
}

static void hear_state(pad_t *pad, const uint8_t *payload, uint32_t now_ms)
{
    led_mode(&pad->led, payload[2], now_ms);
    if (payload[4] != pad->flash_count) {
        pad->flash_count = payload[4];
        led_flash(&pad->led, payload[3], now_ms);
    }
}

static void hear(pad_t *pad, const frame_t *frame, uint32_t now_ms)
{
    pad->heard_ms = now_ms;
    led_lost(&pad->led, false, now_ms);

    if (frame->type == HELLO) {
        if (frame->length >= HELLO_BYTES) {
            hear_hello(pad, frame->payload, now_ms);
        }
        return;
    }
    if (frame->length < 2 || pad->session == 0 || get16(frame->payload) != pad->session) {
        return;
    }
    if (frame->type == ACK && frame->length >= ACK_BYTES) {
        reports_acknowledge(&pad->reports, get16(&frame->payload[2]));
        send_report(pad, now_ms); /* send the next report at once */
    } else if (frame->type == STATE && frame->length >= STATE_BYTES) {
        hear_state(pad, frame->payload, now_ms);
    }
}

static void hear_all(pad_t *pad, uint32_t now_ms)
{
    frame_t frame;
    while (frame_reader_next(&pad->reader, now_ms, &frame)) {
        hear(pad, &frame, now_ms);
    }
}

void pad_receive(pad_t *pad, uint8_t byte, uint32_t now_ms)
{
    hear_all(pad, now_ms); /* a frame that timed out must not get this byte */
    frame_reader_put(&pad->reader, byte, now_ms);
    hear_all(pad, now_ms);
}

/* --- Keys, time, LED -------------------------------------------------------------------- */

static void press(pad_t *pad, uint8_t key, uint32_t now_ms)
{
    if (pad->session == 0) {
        led_flash(&pad->led, LED_REFUSED, now_ms);
        return;
    }
    const uint8_t pips = key == PAD_ROLL ? dice_roll(&pad->dice) : key;
    if (!reports_add(&pad->reports, key, pips)) {
        led_flash(&pad->led, LED_REFUSED, now_ms);
    }
}

void pad_keys(pad_t *pad, uint8_t contacts, uint32_t now_ms)
{
    const uint8_t pressed = debounce_read(&pad->debounce, contacts, now_ms);
    for (uint8_t key = 1; key <= DEBOUNCE_KEYS; key++) {
        if (pressed & (1u << (key - 1))) {
            press(pad, key, now_ms);
        }
    }
    send_report(pad, now_ms);
}

void pad_tick(pad_t *pad, uint32_t now_ms)
{
    hear_all(pad, now_ms);
    send_report(pad, now_ms);
    if (now_ms - pad->alive_ms >= PAD_ALIVE_MS) {
        pad->alive_ms = now_ms;
        send_alive(pad);
    }
    if (now_ms - pad->heard_ms >= PAD_LOST_MS) { /* until a frame arrives: the clock may wrap */
        led_lost(&pad->led, true, now_ms);
    }
}

bool pad_led(pad_t *pad, uint32_t now_ms)
{
    return led_is_lit(&pad->led, now_ms);
}
