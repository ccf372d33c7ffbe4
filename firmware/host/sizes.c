/* The sizes of the structures, for tests that mirror them in another language. */
#include <stddef.h>

#include "../core/boots.h"
#include "../core/pad.h"

size_t size_of_frame(void);
size_t size_of_reader(void);
size_t size_of_debounce(void);
size_t size_of_reports(void);
size_t size_of_led(void);
size_t size_of_pad(void);

size_t size_of_frame(void)
{
    return sizeof(frame_t);
}

size_t size_of_reader(void)
{
    return sizeof(frame_reader_t);
}

size_t size_of_debounce(void)
{
    return sizeof(debounce_t);
}

size_t size_of_reports(void)
{
    return sizeof(reports_t);
}

size_t size_of_led(void)
{
    return sizeof(led_t);
}

size_t size_of_pad(void)
{
    return sizeof(pad_t);
}
