/* SPDX-License-Identifier: MIT */
/* Edges that wait in less memory, in their order: those of a text, which mostly follow each other by source, take 3 or
 * 4 bytes instead of 8. */
#ifndef GWS_IO_EDGE_PACK_H
#define GWS_IO_EDGE_PACK_H

#include "../../lib/graph.h"

enum { GWS__PACK_EDGES = 512 }; /* edges of a group */

struct gws__edge_pack;

/* Packs edges. Returns NULL when memory is short. */
struct gws__edge_pack *gws__edge_pack_new(struct gws_runtime *runtime, const struct gws_edge *edge, uint64_t count);
void gws__edge_pack_free(struct gws_runtime *runtime, struct gws__edge_pack *pack);

/* Copies edges begin .. end - 1. It is faster if begin is a multiple of GWS__PACK_EDGES. */
void gws__edge_pack_read(const struct gws__edge_pack *pack, uint64_t begin, uint64_t end, struct gws_edge *edge);

/* Replaces the edges of the group that begins at edge `begin`. No end may be larger than before, and no two ends may
 * differ by more than before. Several threads may replace different groups at once. */
void gws__edge_pack_write(const struct gws__edge_pack *pack, uint64_t begin, const struct gws_edge *edge);

/* Adds a number to all sources. Edges that are written later are the sum less that number. */
void gws__edge_pack_add(struct gws__edge_pack *pack, uint32_t number);

#endif
