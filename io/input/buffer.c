/* SPDX-License-Identifier: MIT */
#include "input.h"

#include <string.h>

enum { max_token_bytes = 16 << 20 };

static uint64_t buffer_bytes(uint64_t capacity)
{
    return sizeof(struct gws__buffer) + capacity + gws__chunk_padding;
}

struct gws__buffer *gws__buffer_new(struct gws_runtime *runtime, uint64_t capacity)
{
    struct gws__buffer *buffer = gws_allocate(runtime, buffer_bytes(capacity), 1);
    if (buffer) *buffer = (struct gws__buffer){.capacity = capacity};
    return buffer;
}

void gws__buffer_free(struct gws_runtime *runtime, struct gws__buffer *buffer)
{
    if (buffer) gws_release(runtime, buffer, buffer_bytes(buffer->capacity), 1);
}

gws_status gws__buffer_enlarge(struct gws_runtime *runtime, struct gws__buffer **buffer)
{
    struct gws__buffer *larger = gws__buffer_new(runtime, (*buffer)->capacity * 2);
    if (!larger) return GWS_NO_MEMORY;
    memcpy(larger->text, (*buffer)->text, (*buffer)->used);
    larger->used = (*buffer)->used;
    gws__buffer_free(runtime, *buffer);
    *buffer = larger;
    return GWS_OK;
}

void gws__buffer_seal(struct gws__buffer *buffer)
{
    if (buffer->text[buffer->used - 1] != '\n') buffer->text[buffer->used++] = '\n';
    memset(buffer->text + buffer->used, 0, gws__chunk_padding - 1);
}

static bool is_separator(char c)
{
    return c == ' ' || c == '\t' || c == ',' || c == ';' || c == '\r' || c == '\n';
}

const char *gws__buffer_flaw(const struct gws__buffer *buffer, uint64_t start)
{
    const char *begin = buffer->text + start, *end = buffer->text + buffer->used, *word = end;
    const char *zero = memchr(begin, 0, (size_t)(end - begin));
    if (zero) return zero;
    while (word > begin && !is_separator(word[-1])) word--;
    return end - word < max_token_bytes ? NULL : word;
}

gws_status gws__buffer_fail(const struct gws__input *input, const char *flaw, const char *start, uint64_t line)
{
    return gws__input_fail(input, *flaw ? GWS_TOO_LARGE : GWS_SYNTAX, line, (uint64_t)(flaw - start) + 1,
                           *flaw ? "a token of more than 16 MiB" : "expected text, found a NUL");
}

/* Counts line feeds in at most 240 bytes at a time. So the count fits in a byte, and the compiler vectorises the
 * loop. */
uint64_t gws__count_lines(const char *at, const char *end)
{
    uint64_t lines = 0;
    while (at < end) {
        uint8_t some = 0;
        size_t size = end - at < 240 ? (size_t)(end - at) : 240;
        for (size_t i = 0; i < size; i++) some = (uint8_t)(some + (at[i] == '\n'));
        lines += some;
        at += size;
    }
    return lines;
}

bool gws__resize(struct gws_runtime *runtime, void *array, uint64_t count, uint64_t *capacity, uint64_t new_capacity,
                 uint64_t size)
{
    void *old, *made = gws_allocate(runtime, new_capacity, size);
    if (!made) return false;
    memcpy(&old, array, sizeof old);
    if (count > 0) memcpy(made, old, count * size);
    gws_release(runtime, old, *capacity, size);
    memcpy(array, &made, sizeof made);
    *capacity = new_capacity;
    return true;
}

bool gws__grow(struct gws_runtime *runtime, void *array, uint64_t count, uint64_t *capacity, uint64_t size)
{
    return count < *capacity || gws__resize(runtime, array, count, capacity, *capacity > 0 ? 2 * *capacity : 16, size);
}
