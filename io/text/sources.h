/* SPDX-License-Identifier: MIT */
/* gws_sources_read() from an open input. */
#ifndef GWS_IO_SOURCES_H
#define GWS_IO_SOURCES_H

#include "../../lib/graph.h"
#include "../input/input.h"

gws_status gws__sources_read_input(struct gws__input *input, const struct gws_graph *graph, uint32_t **source,
                                   uint64_t *count, struct gws_where *where);

#endif
