/* SPDX-License-Identifier: MIT */
/* The push level that one worker runs alone. A source includes this header after host.h with GWS_HOST_SERIAL and an
 * operator to which a vertex comes at most once. Road networks have such levels, since their frontiers hold a few
 * hundred vertices for a thousand levels and more. No access is atomic, and no branch depends on the data of short
 * rows. */
#include "commit_body.h"

/* The number of arcs that the loop gathers before it claims their heads. */
enum { serial_batch = engine_batch };

static uint32_t serial_claims(const struct engine *s, const struct gws__claim *arc, uint32_t arcs,
                              struct gws__claim *claim)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < arcs; i++) {
        struct gws__claim one = arc[i];
        op_word got = op_claim(s, one.parent, one.vertex, OPERATOR_WON);
        claim[count] = one;
        count += op_open(s, one.vertex, got);
    }
    return count;
}

static uint32_t serial_expand(const struct engine *s)
{
    struct gws__claim *claim = s->memory->serial, *arc = s->memory->worker[0].arc;
    uint32_t count = 0, arcs = 0;
    for (uint64_t i = 0; i < s->size; i++) {
        struct gws__entry *entry = &s->entry[i];
        uint32_t parent = s->queue[s->begin + i];
        do {
            gather(s->graph, parent, entry, arc, &arcs);
            if (arcs < serial_batch) continue;
            count += serial_claims(s, arc, arcs, claim + count);
            arcs = 0;
        } while (entry->degree);
    }
    return count + serial_claims(s, arc, arcs, claim + count);
}

static uint32_t push_serial(struct engine *s)
{
    uint32_t found = serial_expand(s);
    s->degrees = commit(s, s->memory->serial, found, s->end);
    return found;
}
