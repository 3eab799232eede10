/* SPDX-License-Identifier: MIT */
/* Runs over the pieces of an input in parallel, while the rest of it is still being inflated or read. */
#ifndef GWS_IO_PIECES_H
#define GWS_IO_PIECES_H

#include "input.h"

/* Reads a piece from piece->at to piece->end. Called on several threads at once, on each with its own worker, which is
 * below gws_runtime_workers(). */
typedef gws_status gws__piece_body(void *context, uint32_t worker, const struct gws__piece *piece,
                                   struct gws_where *where);

/* Calls body for each piece that is left, from where the header ended. If several fail, the answer is that of the first
 * in the file: it does not depend on the number of threads. */
gws_status gws__pieces_run(struct gws__input *input, gws__piece_body *body, void *context, struct gws_where *where);

/* Fills *where with the line and column of the byte at, and returns status. */
gws_status gws__piece_fail(const struct gws__input *input, const struct gws__piece *piece, const char *at,
                           gws_status status, struct gws_where *where, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

#endif
