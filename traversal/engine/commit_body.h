/* SPDX-License-Identifier: MIT */
/* Part of advance_body.h and serial_body.h. The code here gathers the arcs of a push step, commits the vertices that
 * the step reached, and prefetches the data of the next step.
 *
 * Each vertex takes some random accesses, to the operator's data, the row's bounds, and then the arcs. These accesses
 * run as a pipeline over blocks of claims. The code prefetches a block's bounds and data two blocks ahead, and its
 * arcs one block ahead. So some dozens of misses are always in flight. */
enum { commit_block = 16 };

static uint32_t commit_end(uint32_t begin, uint32_t count)
{
    return begin + commit_block < count ? begin + commit_block : count;
}

static void commit_prefetch(const struct engine *s, const struct gws__claim *claim, uint32_t i, uint32_t count)
{
    for (uint32_t end = commit_end(i, count); i < end; i++) {
        __builtin_prefetch(&s->graph->offset[claim[i].vertex]);
        for (uint32_t d = 0; d < OPERATOR_WRITES; d++) gws__prefetch_write(&s->data[d][claim[i].vertex]);
    }
}

static uint64_t commit_bounds(const struct engine *s, const struct gws__claim *claim, uint32_t i, uint32_t count,
                              struct gws__entry *entry)
{
    uint64_t degrees = 0;
    for (uint32_t end = commit_end(i, count); i < end; i++) {
        struct gws__entry its = gws__entry_bounds(s->graph, claim[i].vertex);
        degrees += its.degree;
        if (!entry) continue;
        __builtin_prefetch(&s->graph->target[its.begin]);
        entry[i].begin = its.begin;
        entry[i].degree = its.degree;
    }
    return degrees;
}

static void commit_write(const struct engine *s, const struct gws__claim *claim, uint32_t i, uint32_t count,
                         uint32_t *queue, struct gws__entry *entry)
{
    for (uint32_t end = commit_end(i, count); i < end; i++) {
        struct gws__claim one = claim[i];
        queue[i] = one.vertex;
        (void)op_commit(s, one.parent, one.vertex, OPERATOR_WON);
        if (entry) gws__entry_targets(s->graph, &entry[i]);
    }
}

/* Commits count claimed vertices and appends them at queue[to ..], with their entries if these still fit into the next
 * frontier. Returns the sum of their degrees. */
static uint64_t commit(const struct engine *s, const struct gws__claim *claim, uint32_t count, uint64_t to)
{
    uint64_t place = to - s->end, degrees = 0;
    struct gws__entry *entry = place + count <= engine_entries ? s->next_entry + place : NULL;
    for (uint32_t i = 0; i < count + 2 * commit_block; i += commit_block) {
        if (i < count) commit_prefetch(s, claim, i, count);
        if (i >= commit_block && i - commit_block < count)
            degrees += commit_bounds(s, claim, i - commit_block, count, entry);
        if (i >= 2 * commit_block) commit_write(s, claim, i - 2 * commit_block, count, s->queue + to, entry);
    }
    return degrees;
}

/* Copies arcs of entry, whose vertex is head, into arc[*arcs ..] until the entry or the batch is exhausted, and
 * advances the entry. The function copies a whole strip for any degree, so no branch depends on the degree on road
 * networks. */
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
