/* SPDX-License-Identifier: MIT */
/* A hand-written parser for descriptions of generated data, such as "kron:20:16" or "shell:1M". Its errors name the
 * column. */
#ifndef GWS_BASE_DESCRIPTION_H
#define GWS_BASE_DESCRIPTION_H

#include "../status.h"

/* text is the whole description, and at is the current position. */
struct gws__description {
    const char *text, *at;
    struct gws_diagnostic *where;
};

/* Fills *where with "EXPECTED WHAT, found ..." at the current position and returns status. */
gws_status gws__description_fail(const struct gws__description *description, gws_status status, const char *expected,
                                 const char *what);

/* Reads a decimal number of min .. max. On failure, the position is the start of the number or the bad character.
 * Errors: GWS_SYNTAX (no number, or too small), GWS_TOO_LARGE. */
gws_status gws__description_number(struct gws__description *description, const char *what, uint64_t min, uint64_t max,
                                   uint64_t *value);

/* Reads an optional ":NUMBER". If there is none, *value stays unchanged. */
gws_status gws__description_optional(struct gws__description *description, const char *what, uint64_t min, uint64_t max,
                                     uint64_t *value);

/* Checks that the description ends here. form is the whole syntax, for the message. */
gws_status gws__description_end(const struct gws__description *description, const char *form);

#endif
