/* SPDX-License-Identifier: MIT */
/* Descriptions of things to generate, such as "kron:20:16" or "shell:1M", read by hand, so that an error knows its
 * column. */
#ifndef GWS_BASE_DESCRIPTION_H
#define GWS_BASE_DESCRIPTION_H

#include "../status.h"

/* text is the whole description, at what is still to be read. */
struct gws__description {
    const char *text, *at;
    struct gws_diagnostic *where;
};

/* Fills *where with "EXPECTED WHAT, found ..." at the place where the description stands, and returns status. */
gws_status gws__description_fail(const struct gws__description *description, gws_status status, const char *expected,
                                 const char *what);

/* A decimal number of least .. most. On failure the description stands where the number starts, or at the bad
 * character. GWS_SYNTAX (none, or too small), GWS_TOO_LARGE. */
gws_status gws__description_number(struct gws__description *description, const char *what, uint64_t least,
                                   uint64_t most, uint64_t *value);

/* ":NUMBER", or nothing: then *value stays as it is. */
gws_status gws__description_optional(struct gws__description *description, const char *what, uint64_t least,
                                     uint64_t most, uint64_t *value);

/* The end; form is the whole form, for the message. */
gws_status gws__description_end(const struct gws__description *description, const char *form);

#endif
