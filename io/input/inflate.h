/* SPDX-License-Identifier: MIT */
/* Gzip to text: any number of members one after the other (RFC 1952, 2.2), with zeros behind them as tapes leave
 * them. */
#ifndef GWS_IO_INFLATE_H
#define GWS_IO_INFLATE_H

#include "engine.h"
#include "input.h"

/* With the quickest engine of this build, or with the one given. NULL when memory is short. */
struct gws__inflater *gws__inflater_new(struct gws_runtime *runtime);
struct gws__inflater *gws__inflater_new_with(struct gws_runtime *runtime, const struct gws__engine *engine);
void gws__inflater_free(struct gws__inflater *inflater);

/* Gets more compressed bytes: sets input->at and input->end, which are equal at the end of the file. */
typedef gws_status gws__refill(struct gws__input *input, struct gws_where *where);

/* Fills up to size bytes of text; fewer than size only at the end.
 * Errors: GWS_TRUNCATED, GWS_CORRUPT (bad data or checksum, or something else behind the last member), GWS_NO_MEMORY,
 * those of refill. */
gws_status gws__inflate(struct gws__input *input, gws__refill *refill, void *bytes, uint64_t size, uint64_t *got,
                        struct gws_where *where);

#endif
