/* SPDX-License-Identifier: MIT */
/* Reads queries. Each line has a keyword and some numbers. The caller defines the meaning of the keywords. */
#ifndef GWS_QUERY_IO_H
#define GWS_QUERY_IO_H

#include "../lib/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { GWS_QUERY_NUMBERS = 8 };

/* A kind of query. It has the keyword of its lines, the count of finite numbers after the keyword (at most
 * GWS_QUERY_NUMBERS), and the whole form, such as "ball X Y Z RADIUS", for messages. */
struct gws_query_kind {
    const char *name;
    uint32_t numbers;
    const char *form;
};

struct gws_query {
    uint32_t kind; /* index of the query's kind */
    uint64_t line; /* the query's line in the file, from 1 */
    double number[GWS_QUERY_NUMBERS];
    uint32_t column[GWS_QUERY_NUMBERS]; /* where each number begins, from 1 */
};

/* Reads path ("-": standard input), plain or gzip. Each line has one query, with blanks or commas between the tokens.
 * The file may have comments with # and blank lines. Sets *query to a new array of *count entries. The caller releases
 * it with gws_release(runtime, *query, *count, sizeof **query). Errors: GWS_SYSTEM, GWS_SYNTAX (an unknown keyword,
 * too few or too many numbers, a number that is not finite), GWS_NO_MEMORY, those of compressed files. where receives
 * line and column. */
GWS_API gws_status gws_queries_read(struct gws_runtime *runtime, const char *path, const struct gws_query_kind *kind,
                                    uint32_t kinds, struct gws_query **query, uint64_t *count,
                                    struct gws_diagnostic *where);

#ifdef __cplusplus
}
#endif
#endif
