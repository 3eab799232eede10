/* SPDX-License-Identifier: MIT */
/* The levels that rank 0 walks. */
#include <string.h>

#include "../../engine/engine.h"
#include "bfs_walk.h"

enum {
    block = 16,  /* vertices in a step of the pipeline of gws__rank_walk_commit() */
    batch = 1024 /* arcs between gathering and claiming */
};

/* ---- the frontier ----
 *
 * The accesses of a vertex run as a pipeline over blocks of claims, as in traversal/engine/commit_body.h. */

static void request_vertices(const struct gws__rank_walk *walk, uint64_t begin, uint64_t end)
{
    const struct gws__rank_walk at = *walk; /* so that the compiler keeps it in registers */
    for (uint64_t i = begin; i < end; i++) {
        const uint32_t vertex = at.claim[i].vertex;
        const struct gws__rank_walk_part *part = gws__rank_walk_part_of(&at, vertex);
        const uint64_t row = vertex - part->first;
        __builtin_prefetch(&part->offset[row]);
        gws__prefetch_write(&part->depth[row]);
        gws__prefetch_write(&part->parent[row]);
    }
}

/* Returns the number of arcs. */
static uint64_t request_rows(const struct gws__rank_walk *walk, uint64_t begin, uint64_t end)
{
    const struct gws__rank_walk at = *walk;
    uint64_t arcs = 0;
    for (uint64_t i = begin; i < end; i++) {
        const uint32_t vertex = at.claim[i].vertex;
        const struct gws__rank_walk_part *part = gws__rank_walk_part_of(&at, vertex);
        const uint64_t *offset = &part->offset[vertex - part->first];
        const uint32_t *target = &part->target[offset[0]], degree = (uint32_t)(offset[1] - offset[0]);
        __builtin_prefetch(target);
        at.entry[i].target = target;
        at.entry[i].vertex = vertex;
        at.entry[i].degree = degree;
        arcs += degree;
    }
    return arcs;
}

/* Copies the first targets of an entry that ends a part: `left` targets are left. */
static void copy_last(uint64_t left, struct gws__rank_walk_entry *entry)
{
    for (uint64_t i = 0; i < gws__rank_walk_strip; i++) entry->first[i] = i < left ? entry->target[i] : 0;
}

static void commit_vertices(const struct gws__rank_walk *walk, uint64_t begin, uint64_t end)
{
    const struct gws__rank_walk at = *walk;
    const uint32_t level = at.search->level;
    for (uint64_t i = begin; i < end; i++) {
        const struct gws__pair one = at.claim[i];
        const struct gws__rank_walk_part *part = gws__rank_walk_part_of(&at, one.vertex);
        const uint64_t row = one.vertex - part->first;
        part->depth[row] = level;
        part->parent[row] = one.value;
        at.known[one.vertex / 64] = at.reached[one.vertex / 64];
        struct gws__rank_walk_entry *entry = &at.entry[i];
        const uint64_t left = (uint64_t)(part->end - entry->target);
        if (left >= gws__rank_walk_strip)
            memcpy(entry->first, entry->target, sizeof entry->first);
        else
            copy_last(left, entry);
    }
}

void gws__rank_walk_commit(struct gws__rank_walk *walk)
{
    const uint64_t claims = walk->claims;
    uint64_t arcs = 0;
    for (uint64_t i = 0; i < claims + 2 * block; i += block) {
        request_vertices(walk, gws_smaller(i, claims), gws_smaller(i + block, claims));
        if (i >= block) arcs += request_rows(walk, gws_smaller(i - block, claims), gws_smaller(i, claims));
        if (i >= 2 * block) commit_vertices(walk, i - 2 * block, gws_smaller(i - block, claims));
    }
    walk->arcs = arcs;
    walk->count = claims;
}

/* Of several parents the smallest remains. */
static void lower_parents(const struct gws__rank_walk *walk)
{
    const struct gws__pair *end = walk->claim + gws__rank_walk_claims;
    for (const struct gws__pair *other = end - walk->others; other < end; other++) {
        const struct gws__rank_walk_part *part = gws__rank_walk_part_of(walk, other->vertex);
        uint32_t *parent = &part->parent[other->vertex - part->first];
        if (other->value < *parent) *parent = other->value;
    }
}

/* Claims the vertices of some arcs that are not known, without a branch. */
static void claim(struct gws__rank_walk *walk, const struct gws__pair *arc, uint32_t arcs)
{
    const uint64_t *all_known = walk->known;
    uint64_t *all_reached = walk->reached;
    struct gws__pair *end = walk->claim + gws__rank_walk_claims - 1;
    struct gws__pair *next = walk->claim + walk->claims, *other = end - walk->others;
    for (uint32_t i = 0; i < arcs; i++) {
        const uint32_t vertex = arc[i].vertex, bit = vertex % 64;
        const uint64_t reached = all_reached[vertex / 64], known = all_known[vertex / 64];
        *next = *other = arc[i];
        next += ~reached >> bit & 1;
        other -= (reached & ~known) >> bit & 1;
        all_reached[vertex / 64] = reached | UINT64_C(1) << bit;
    }
    walk->claims = (uint64_t)(next - walk->claim);
    walk->others = (uint64_t)(end - other);
}

/* Runs a level. A whole strip is copied for any degree, so that no branch depends on the degrees of a road map. */
void gws__rank_walk_level(struct gws__rank_walk *walk)
{
    struct gws__pair arc[batch + gws__rank_walk_strip];
    uint32_t arcs = 0;
    walk->claims = walk->others = 0;
    for (uint64_t i = 0; i < walk->count; i++) {
        const struct gws__rank_walk_entry *entry = &walk->entry[i];
        for (uint32_t k = 0; k < gws__rank_walk_strip; k++)
            arc[arcs + k] = (struct gws__pair){entry->first[k], entry->vertex};
        arcs += entry->degree < gws__rank_walk_strip ? entry->degree : gws__rank_walk_strip;
        for (uint32_t k = gws__rank_walk_strip; k < entry->degree || arcs >= batch; k++) {
            if (arcs >= batch) {
                claim(walk, arc, arcs);
                arcs = 0;
            }
            if (k < entry->degree) arc[arcs++] = (struct gws__pair){entry->target[k], entry->vertex};
        }
    }
    claim(walk, arc, arcs);
    walk->total += walk->count;
    walk->passed += walk->arcs;
    walk->search->level++;
    gws__rank_walk_commit(walk);
    lower_parents(walk);
}
