/* SPDX-License-Identifier: MIT */
/* What text may begin with (a byte-order mark: Unicode 15, section 23.8), and bytes that no line of it has. */
#include <string.h>

#include "input.h"

bool gws__input_has_mark(const void *bytes, uint64_t size, uint64_t *mark)
{
    static const struct {
        const char *bytes;
        unsigned size, skip;
    } marks[] = {{"\xef\xbb\xbf", 3, 3}, {"\xff\xfe", 2, 0}, {"\xfe\xff", 2, 0}, {"\0\0\xfe\xff", 4, 0}};
    for (unsigned i = 0; i < sizeof marks / sizeof *marks; i++) {
        if (size < marks[i].size || memcmp(bytes, marks[i].bytes, marks[i].size) != 0) continue;
        *mark = marks[i].skip;
        return true;
    }
    return false;
}

gws_status gws__input_skip_mark(struct gws__input *input)
{
    const void *bytes = NULL;
    uint64_t got = 0, mark = 0;
    unsigned char skipped[4];
    gws_status status = gws__input_head(input, sizeof skipped, &bytes, &got);
    if (status != GWS_OK || !gws__input_has_mark(bytes, got, &mark)) return status;
    if (mark == 0)
        return gws__input_fail(input, GWS_UNSUPPORTED, 1, 1,
                               "the text is encoded in UTF-16 or UTF-32; only UTF-8 and ASCII are read");
    input->offset += mark;
    return gws__input_take(input, skipped, mark, &got);
}

const char *gws__line_flaw(const char *at, const char *end)
{
    const char *nul = at < end ? memchr(at, 0, (size_t)(end - at)) : NULL;
    for (const char *p = at; p < end && (p = memchr(p, '\r', (size_t)(end - p))); p++) {
        const char *next = p;
        while (next < end && *next == '\r') next++;
        if (next < end) return nul && nul < p ? nul : p;
        p = next;
    }
    return nul;
}
