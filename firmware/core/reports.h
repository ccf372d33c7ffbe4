/* Reports that wait for their ACK (PROTOCOL.md, "Keys"): numbered, in order; the oldest is repeated. */
#ifndef REPORTS_H
#define REPORTS_H

#include <stdbool.h>
#include <stdint.h>

enum {
    REPORTS_MAX = 16,
    REPORTS_REPEAT_MS = 100,
};

typedef struct {
    uint16_t number;
    uint8_t key;
    uint8_t pips;
} report_t;

typedef struct {
    struct {
        uint8_t key;
        uint8_t pips;
    } ring[REPORTS_MAX];
    uint8_t first;
    uint8_t count;
    uint16_t first_number; /* of the oldest waiting report, or of the next one */
    bool was_sent;         /* whether the oldest was sent */
    uint32_t sent_ms;
} reports_t;

/* Drops all reports and restarts the numbers at 1, for a new session. */
void reports_init(reports_t *reports);

/* Adds a report. False if 16 are waiting already. */
bool reports_add(reports_t *reports, uint8_t key, uint8_t pips);

/* True if the oldest report is due. It then counts as sent. */
bool reports_due(reports_t *reports, uint32_t now_ms, report_t *report);

/* Removes the oldest report, if this is its number. Other numbers are repeated ACKs. */
void reports_acknowledge(reports_t *reports, uint16_t number);

#endif
