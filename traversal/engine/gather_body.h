/* SPDX-License-Identifier: MIT */
/* Copies arcs of entry, whose vertex is head, into arc[*arcs ..] until entry or batch is used up, and moves on in
 * entry. A strip is copied whatever the degree, so that on road networks no branch depends on it. */
static void gather(const struct gws_graph *graph, uint32_t head, struct gws__entry *entry, struct gws__claim *arc,
                   uint32_t *arcs)
{
    struct gws__claim *out = arc + *arcs;
    if (entry->degree <= engine_strip) {
        for (uint32_t i = 0; i < engine_strip; i++) out[i] = (struct gws__claim){entry->target[i], head};
        *arcs += (uint32_t)entry->degree;
        entry->degree = 0;
        return;
    }
    const uint32_t *target = graph->target + entry->begin;
    uint64_t count = entry->degree;
    if (count > engine_batch - *arcs) count = engine_batch - *arcs;
    for (uint64_t i = 0; i < count; i++) out[i] = (struct gws__claim){target[i], head};
    *arcs += (uint32_t)count;
    entry->begin += count;
    entry->degree -= count;
    if (entry->degree <= engine_strip)
        for (uint64_t i = 0; i < entry->degree; i++) entry->target[i] = graph->target[entry->begin + i];
}
