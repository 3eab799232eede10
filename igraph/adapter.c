/* SPDX-License-Identifier: MIT */
/* igraph's settings during a call, and the statuses of its errors. Error handlers have no context argument, so a
 * thread-local variable stores the message of the first error. */
#define _POSIX_C_SOURCE 200809L /* for newlocale(), uselocale() */
#include "adapter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local char last_message[256];

static void record_message(const char *reason, const char *file, int line, igraph_error_t error)
{
    (void)file;
    (void)line;
    (void)error;
    if (!last_message[0])
        snprintf(last_message, sizeof last_message, "%s",
                 reason); /* only the first message names the cause of a failure */
    IGRAPH_FINALLY_FREE();
}

static void ignore(const char *reason, const char *file, int line)
{
    (void)reason;
    (void)file;
    (void)line;
}

void gws__igraph_enter(struct gws__igraph_before *before)
{
    last_message[0] = '\0';
    before->handler = igraph_set_error_handler(record_message);
    before->warnings = igraph_set_warning_handler(ignore);
    before->attributes = igraph_set_attribute_table(&igraph_cattribute_table);
    before->c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    before->locale = uselocale(before->c);
}

void gws__igraph_restore(const struct gws__igraph_before *before)
{
    uselocale(before->locale);
    if (before->c != (locale_t)0) freelocale(before->c);
    igraph_set_attribute_table(before->attributes);
    igraph_set_warning_handler(before->warnings);
    igraph_set_error_handler(before->handler);
}

static gws_status status_of(igraph_error_t error)
{
    switch ((int)error) {
    case IGRAPH_ENOMEM:
        return GWS_NO_MEMORY;
    case IGRAPH_PARSEERROR:
        return GWS_SYNTAX;
    case IGRAPH_EFILE:
        return GWS_SYSTEM;
    case IGRAPH_UNIMPLEMENTED:
        return GWS_UNSUPPORTED;
    case IGRAPH_EOVERFLOW:
        return GWS_TOO_LARGE;
    default:
        return GWS_INVALID;
    }
}

gws_status gws__igraph_failed(igraph_error_t error, const char *file, struct gws_diagnostic *where)
{
    const char *line = strstr(last_message, "line ");
    uint64_t number = line ? strtoull(line + 5, NULL, 10) : 0;
    return gws_diagnostic_set(where, status_of(error), file, number, 0, "%s",
                              last_message[0] ? last_message : igraph_strerror(error));
}
