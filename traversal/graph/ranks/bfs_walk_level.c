/* SPDX-License-Identifier: MIT */
/* The levels that rank 0 walks. */
#include <string.h>

#include "bfs_walk.h"

enum {
    block = 16,  /* vertices in a step of the pipeline of gws__rank_walk_commit() */
    batch = 1024 /* arcs between gathering and claiming */
};

/* ---- the frontier ----
 *
 * The accesses of a vertex run as a pipeline over blocks of claims, as in traversal/engine/commit_body.h. */

static uint64_t end_of_block(const struct gws__rank_walk *walk, uint64_t begin)
{
    return begin + block < walk->claims ? begin + block : walk->claims;
}

static void request_vertices(const struct gws__rank_walk *walk, uint64_t begin)
{
    for (uint64_t i = begin; i < end_of_block(walk, begin); i++) {
        const uint32_t vertex = walk->claim[i].vertex;
        const struct gws__rank_walk_part *part = &walk->part[gws_rank_graph_owner(walk->graph, vertex)];
        const uint64_t row = vertex - part->first;
        walk->entry[i].part = part;
        walk->entry[i].vertex = vertex;
        __builtin_prefetch(&part->offset[row]);
        __builtin_prefetch(&part->depth[row], 1);
        __builtin_prefetch(&part->parent[row], 1);
    }
}

static void request_rows(struct gws__rank_walk *walk, uint64_t begin)
{
    for (uint64_t i = begin; i < end_of_block(walk, begin); i++) {
        struct gws__rank_walk_entry *entry = &walk->entry[i];
        const uint64_t *offset = entry->part->offset + (entry->vertex - entry->part->first);
        entry->target = entry->part->target + offset[0];
        entry->degree = (uint32_t)(offset[1] - offset[0]);
        walk->arcs += entry->degree;
        __builtin_prefetch(entry->target);
    }
}

/* Copies the first targets. A part's last arcs need a bounds check. */
static void copy_strip(struct gws__rank_walk_entry *entry)
{
    const uint64_t left = entry->part->arcs - (uint64_t)(entry->target - entry->part->target);
    if (left >= gws__rank_walk_strip)
        memcpy(entry->first, entry->target, sizeof entry->first);
    else
        for (uint64_t i = 0; i < gws__rank_walk_strip; i++) entry->first[i] = i < left ? entry->target[i] : 0;
}

static void commit_vertices(const struct gws__rank_walk *walk, uint64_t begin)
{
    for (uint64_t i = begin; i < end_of_block(walk, begin); i++) {
        struct gws__rank_walk_entry *entry = &walk->entry[i];
        const uint64_t row = entry->vertex - entry->part->first;
        entry->part->depth[row] = walk->search->level;
        entry->part->parent[row] = walk->claim[i].value;
        walk->known[entry->vertex / 64] |= UINT64_C(1) << entry->vertex % 64;
        copy_strip(entry);
    }
}

void gws__rank_walk_commit(struct gws__rank_walk *walk)
{
    walk->arcs = 0;
    for (uint64_t i = 0; i < walk->claims + 2 * block; i += block) {
        if (i < walk->claims) request_vertices(walk, i);
        if (i >= block && i - block < walk->claims) request_rows(walk, i - block);
        if (i >= 2 * block) commit_vertices(walk, i - 2 * block);
    }
    walk->count = walk->claims;
}

/* Of several parents the smallest remains. */
static void lower_parents(const struct gws__rank_walk *walk)
{
    const struct gws__pair *end = walk->claim + gws__rank_walk_claims;
    for (const struct gws__pair *other = end - walk->others; other < end; other++) {
        const struct gws__rank_walk_part *part = &walk->part[gws_rank_graph_owner(walk->graph, other->vertex)];
        uint32_t *parent = &part->parent[other->vertex - part->first];
        if (other->value < *parent) *parent = other->value;
    }
}

/* Claims the vertices of some arcs that are not known, without a branch. */
static void claim(struct gws__rank_walk *walk, const struct gws__pair *arc, uint32_t arcs)
{
    for (uint32_t i = 0; i < arcs; i++) {
        const uint32_t vertex = arc[i].vertex, bit = vertex % 64;
        const uint64_t reached = walk->reached[vertex / 64], known = walk->known[vertex / 64];
        walk->claim[walk->claims] = walk->claim[gws__rank_walk_claims - 1 - walk->others] = arc[i];
        walk->claims += ~reached >> bit & 1;
        walk->others += (reached & ~known) >> bit & 1;
        walk->reached[vertex / 64] = reached | UINT64_C(1) << bit;
    }
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
