/* SPDX-License-Identifier: MIT */
/* The loops of a search for shortest paths, for one encoding of distances. The source that includes this header must
 * define first:
 *
 *     uint64_t distance_at(search, vertex)                      the current distance; NO_PATH: none
 *     uint64_t plus(search, me, distance, arc)                  the distance over an arc; may set me->bad_weight
 *     uint64_t bucket_of(search, distance)
 *     uint32_t vertex_at(search, arc)                           the vertex that the arc leads to
 *     void prefetch_vertex(search, me, vertex)                  what improve() reads
 *     bool improve(search, me, vertex, distance, from)          lowers a vertex's distance; false: it is not lower
 *     uint32_t tag_of(distance)
 *     bool too_far(search, distance)                            adding a weight could overflow
 *     void write_result(search, vertex, &distance, &parent)
 *
 * and, if it defines LIMITS_ARCS,
 *
 *     bool may_relax(search, me, arcs, divided)                 false: the vertex must wait for the next round;
 *                                                               divided: any worker may relax the arcs
 *
 * A worker gathers the arcs of some vertices before it relaxes them, so that the loads of the distances overlap. */
#include "state.h"

enum { long_row = 24 };

#ifndef LIMITS_ARCS
static inline bool may_relax(const struct sssp *search, const struct gws__sssp_worker *me, uint64_t arcs, bool divided)
{
    (void)search;
    (void)me;
    (void)arcs;
    (void)divided;
    return true;
}
#endif

/* Drops the outdated entries of a bin. */
static void drop_from(struct sssp *search, struct gws__sssp_worker *me, struct gws__sssp_bin *bin)
{
    struct gws__sssp_block *block = bin->first;
    me->held -= bin->blocks;
    bin->first = NULL;
    bin->blocks = 0;
    for (struct gws__sssp_block *next; block; block = next) {
        next = block->next;
        for (uint64_t i = 0; i < block->count; i++)
            if (tag_of(distance_at(search, block->entry[i].vertex)) == block->entry[i].tag)
                me->no_memory |= !gws__sssp_bin_add(search, me, bin, block->entry[i]);
        gws__sssp_block_release(search, me, block);
    }
}

/* A vertex whose distance falls often leaves many outdated entries, which would need more memory than the valid
 * entries. */
static void drop_outdated(struct sssp *search, struct gws__sssp_worker *me)
{
    for (uint32_t slot = 0; slot < sssp_slots; slot++) {
        drop_from(search, me, &me->bin[slot]);
        if (!me->bin[slot].first) me->full &= ~((uint64_t)1 << slot);
    }
    drop_from(search, me, &me->far);
    me->limit = gws__sssp_limit(search, me->held);
}

static void relax(struct sssp *search, struct gws__sssp_worker *me)
{
    uint32_t claims = me->claims;
    me->claims = 0;
    me->arcs += claims;
    for (uint32_t i = 0; i < claims; i++) {
        const struct gws__sssp_claim *claim = &me->claim[i];
        if (!improve(search, me, claim->to, claim->distance, claim->from)) continue;
        struct gws__sssp_entry entry = {claim->to, tag_of(claim->distance)};
        gws__sssp_add(search, me, bucket_of(search, claim->distance), entry);
    }
    if (me->held > me->limit) drop_outdated(search, me);
}

/* A long row needs no buffer, since the loads of one row overlap without it. */
static void relax_row(struct sssp *search, struct gws__sssp_worker *me, uint32_t from, uint64_t begin, uint64_t end)
{
    uint64_t distance = distance_at(search, from);
    if (too_far(search, distance)) me->too_far = true;
    me->arcs += end - begin;
    for (uint64_t a = begin; a < end; a++) {
        uint64_t further = plus(search, me, distance, a);
        uint32_t to = vertex_at(search, a);
        if (improve(search, me, to, further, from))
            gws__sssp_add(search, me, bucket_of(search, further), (struct gws__sssp_entry){to, tag_of(further)});
    }
}

static inline void gather(struct sssp *search, struct gws__sssp_worker *me, uint32_t from, uint64_t begin, uint64_t end)
{
    uint64_t distance = distance_at(search, from);
    if (end - begin >= long_row) {
        relax_row(search, me, from, begin, end);
        return;
    }
    if (too_far(search, distance)) me->too_far = true;
    while (begin < end) {
        uint64_t left = end - begin, space = sssp_batch - me->claims, now = left < space ? left : space;
        struct gws__sssp_claim *claim = &me->claim[me->claims];
        for (uint64_t a = begin; a < begin + now; a++, claim++) {
            claim->to = vertex_at(search, a);
            claim->from = from;
            prefetch_vertex(search, me, claim->to);
            claim->distance = plus(search, me, distance, a);
        }
        me->claims += (uint32_t)now;
        begin += now;
        if (me->claims == sssp_batch) relax(search, me);
    }
}

/* Returns entry i of the block. Larger i continue in `next`, the block that the worker probably processes next. Returns
 * NULL beyond `next`. */
static inline const struct gws__sssp_entry *entry_ahead(const struct gws__sssp_block *block,
                                                        const struct gws__sssp_block *next, uint64_t i)
{
    if (i < block->count) return &block->entry[i];
    return next && i - block->count < next->count ? &next->entry[i - block->count] : NULL;
}

/* Expands the vertices of a block. */
static void process(struct sssp *search, struct gws__sssp_worker *me, const struct gws__sssp_block *block,
                    const struct gws__sssp_block *next)
{
    enum { far = 16, near = 8 };
    const struct gws_graph *graph = search->graph;
    const struct gws__sssp_entry *entry = block->entry;
    for (uint64_t i = 0, count = block->count; i < count; i++) {
        const struct gws__sssp_entry *ahead = entry_ahead(block, next, i + far);
        if (ahead) {
            __builtin_prefetch(&graph->offset[ahead->vertex]);
            __builtin_prefetch((const void *)&search->word[ahead->vertex]);
        }
        ahead = entry_ahead(block, next, i + near);
        if (ahead) {
            uint64_t arc = graph->offset[ahead->vertex];
            __builtin_prefetch(&graph->target[arc]);
            prefetch_weight(graph, arc);
        }
        uint32_t vertex = entry[i].vertex;
        if (tag_of(distance_at(search, vertex)) != entry[i].tag) continue;
        uint64_t begin = graph->offset[vertex], end = graph->offset[vertex + (uint64_t)1];
        bool divided = end - begin > sssp_segment_arcs && search->workers > 1;
        if (!may_relax(search, me, end - begin, divided)) {
            me->waits = true;
            gws__sssp_add(search, me, bucket_of(search, distance_at(search, vertex)), entry[i]);
        } else if (divided)
            gws__sssp_segments_add(search, me, vertex, begin, end);
        else
            gather(search, me, vertex, begin, end);
    }
    relax(search, me);
}

static void by_blocks(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct sssp *search = context;
    struct gws__sssp_worker *me = gws__sssp_worker_of(search, worker);
    for (uint64_t b = begin; b < end; b++) {
        process(search, me, search->scratch->block[b], b + 1 < end ? search->scratch->block[b + 1] : NULL);
        gws__sssp_block_release(search, me, search->scratch->block[b]);
    }
}

/* Returns the first block of the worker's next bin. */
static inline const struct gws__sssp_block *next_bin(const struct sssp *search, const struct gws__sssp_worker *me)
{
    uint64_t ahead = gws__sssp_ahead(search, me);
    return ahead ? me->bin[(search->base + (uint64_t)__builtin_ctzll(ahead)) % sssp_slots].first : NULL;
}

/* Bucket fusion. A worker does not fuse a large bin, since other workers can share the bin in the next round. */
static void fuse(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)begin;
    (void)end;
    enum { max_blocks = 12 };
    struct sssp *search = context;
    struct gws__sssp_worker *me = gws__sssp_worker_of(search, worker);
    while (me->segments == 0 && !me->waits) {
        uint64_t ahead = gws__sssp_ahead(search, me) & gws__sssp_round_bits(search);
        if (ahead == 0) return;
        uint32_t slot = (uint32_t)(search->base + (uint64_t)__builtin_ctzll(ahead)) % sssp_slots;
        if (me->bin[slot].blocks > max_blocks && search->workers > 1) return;
        for (struct gws__sssp_block *block = gws__sssp_bin_take(me, slot), *next; block; block = next) {
            next = block->next;
            me->tasks += block->count;
            process(search, me, block, next ? next : next_bin(search, me));
            gws__sssp_block_release(search, me, block);
        }
    }
}

static void by_segments(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct sssp *search = context;
    struct gws__sssp_worker *me = gws__sssp_worker_of(search, worker), *owner = search->scratch->worker;
    const struct gws_range *part = search->scratch->part;
    for (; begin < end; begin++) {
        while (begin >= part->end) part++, owner++;
        const struct gws__sssp_segment *segment = &owner->segment[begin - part->begin];
        gather(search, me, segment->vertex, segment->begin, segment->begin + segment->arcs);
    }
    relax(search, me);
}

static void nearer_of(struct sssp *search, struct gws__sssp_worker *me)
{
    struct gws__sssp_block *block = me->far.first;
    me->held -= me->far.blocks;
    me->far.first = NULL;
    me->far.blocks = 0;
    me->far_min = UINT64_MAX;
    for (struct gws__sssp_block *next; block; block = next) {
        next = block->next;
        for (uint64_t i = 0; i < block->count; i++) {
            uint64_t distance = distance_at(search, block->entry[i].vertex), bucket = bucket_of(search, distance);
            if (tag_of(distance) == block->entry[i].tag && bucket >= search->base)
                gws__sssp_add(search, me, bucket, block->entry[i]);
        }
        gws__sssp_block_release(search, me, block);
    }
}

static void nearer(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    struct sssp *search = context;
    for (uint64_t w = begin; w < end; w++) nearer_of(search, gws__sssp_worker_of(search, (uint32_t)w));
}

static void finish(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct sssp *search = context;
    struct gws__sssp_worker *me = gws__sssp_worker_of(search, worker);
    uint64_t reached = 0, arcs = 0, max = me->max_distance, *distance = search->scratch->distance;
    for (uint64_t v = begin; v < end; v++) {
        if (!write_result(search, v, &distance[v])) continue;
        reached++;
        arcs += gws_graph_degree(search->graph, (uint32_t)v);
        if (distance[v] > max) max = distance[v];
    }
    me->reached += reached;
    me->reached_arcs += arcs;
    me->max_distance = max;
}
