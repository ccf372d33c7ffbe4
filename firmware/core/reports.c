#include "reports.h"

#include <string.h>

void reports_init(reports_t *reports)
{
    memset(reports, 0, sizeof *reports);
    reports->first_number = 1;
}

bool reports_add(reports_t *reports, uint8_t key, uint8_t pips)
{
    if (reports->count == REPORTS_MAX) {
        return false;
    }
    const uint8_t last = (uint8_t)((reports->first + reports->count) % REPORTS_MAX);
    reports->ring[last].key = key;
    reports->ring[last].pips = pips;
    reports->count++;
    return true;
}

bool reports_due(reports_t *reports, uint32_t now_ms, report_t *report)
{
    if (reports->count == 0) {
        return false;
    }
    if (reports->was_sent && now_ms - reports->sent_ms < REPORTS_REPEAT_MS) {
        return false;
    }
    reports->was_sent = true;
    reports->sent_ms = now_ms;
    report->number = reports->first_number;
    report->key = reports->ring[reports->first].key;
    report->pips = reports->ring[reports->first].pips;
    return true;
}

void reports_acknowledge(reports_t *reports, uint16_t number)
{
    /* A report that was never sent cannot be acknowledged. */
    if (reports->count == 0 || !reports->was_sent || number != reports->first_number) {
        return;
    }
    reports->first = (uint8_t)((reports->first + 1) % REPORTS_MAX);
    reports->count--;
    reports->first_number = number == UINT16_MAX ? 1 : (uint16_t)(number + 1);
    reports->was_sent = false;
}
