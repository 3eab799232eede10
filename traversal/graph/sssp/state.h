/* SPDX-License-Identifier: MIT */
/* State of a search for shortest paths; sssp.c explains it. */
#ifndef GWS_TRAVERSAL_SSSP_STATE_H
#define GWS_TRAVERSAL_SSSP_STATE_H

#include <stdalign.h>
#include <stdatomic.h>

#include "../../../lib/parallel.h"
#include "../../sssp.h"

enum {
    sssp_slots = 64,         /* number of buckets that a worker holds at once; `full` has a bit for each */
    sssp_block_entries = 61, /* entries of a block, which has 512 bytes */
    sssp_jump = 8,           /* prefetch distance of a walk through a list, in blocks */
    sssp_slab_blocks = 64,
    sssp_batch = 256,        /* number of arcs that a worker reads before it relaxes them */
    sssp_segment_arcs = 256, /* max arcs of a segment; a longer row is divided into segments */
};

/* A vertex in a bucket. The entry is valid while its tag equals the tag of the vertex's distance. A vertex whose
 * distance has fallen has another entry. */
struct gws__sssp_entry {
    uint32_t vertex, tag;
};

struct gws__sssp_block {
    struct gws__sssp_block *next;
    const struct gws__sssp_block *jump; /* a block sssp_jump blocks ahead in the list; or another block, or NULL */
    uint64_t count;
    struct gws__sssp_entry entry[sssp_block_entries];
};

struct gws__sssp_slab {
    struct gws__sssp_slab *next;
    struct gws__sssp_block block[sssp_slab_blocks];
};

/* A list of blocks; entries are added to the first block. */
struct gws__sssp_bin {
    struct gws__sssp_block *first;
    uint64_t blocks, added; /* blocks: number since the bin was empty; added: number since the search began */
    const struct gws__sssp_block *recent[sssp_jump]; /* the blocks added last */
};

/* Some arcs of a vertex with a long row. */
struct gws__sssp_segment {
    uint64_t begin;
    uint32_t vertex, arcs;
};

/* An arc to relax: a path through `from` reaches `to` at this distance. */
struct gws__sssp_claim {
    uint64_t distance;
    uint32_t to, from;
};

/* The state of one worker. Only that worker uses it between two barriers. */
struct gws__sssp_worker {
    /* One cache line holds all fields that the caller reads after each round. */
    alignas(128) uint64_t full; /* bit i: bin[i] is not empty */
    uint64_t far_min;           /* the lowest bucket of `far`; UINT64_MAX: none */
    uint64_t arcs;              /* number of arcs relaxed in this search */
    uint64_t segments;          /* number of entries of segment[] */
    bool no_memory, bad_weight, too_far;
    bool waits; /* may_relax() of relax_body.h refused a vertex in this round */
    uint32_t claims;
    uint64_t held, limit; /* blocks in bins; the number of blocks at which the worker drops outdated entries */
    struct gws__sssp_block *empty;
    uint64_t empty_blocks;
    struct gws__sssp_segment *segment;
    uint64_t segment_capacity;
    uint64_t tasks; /* number of entries processed outside of loops and not yet added to the statistics */
    uint64_t reached, reached_arcs;
    uint64_t max_distance;
    struct gws__sssp_bin bin[sssp_slots];
    struct gws__sssp_bin far; /* entries of buckets beyond the slots */
    struct gws__sssp_claim claim[sssp_batch];
};

/* Memory that later searches reuse. */
struct gws__sssp_scratch {
    struct gws_allocator allocator;
    uint32_t workers;
    void *distance; /* vertices entries of 8 bytes: distances of a result, or words of a search */
    uint32_t *parent;
    void *worker_memory; /* the allocation of worker[] */
    struct gws__sssp_worker *worker;
    struct gws_range *part; /* workers entries */
    struct gws__sssp_block **block;
    uint64_t block_capacity;
    atomic_flag lock; /* protects the next three fields */
    struct gws__sssp_block *empty;
    uint64_t empty_blocks;
    struct gws__sssp_slab *slab;
};

/* A search. */
struct sssp {
    struct gws_runtime *runtime;
    const struct gws_graph *graph;
    const struct gws__sssp_loops *loops;
    struct gws__sssp_scratch *scratch;
    _Atomic uint64_t *word; /* vertices entries, encoded as the loops define */
    uint32_t *parent;
    uint32_t source;
    uint32_t parent_bits; /* number of bits of a word that hold the parent; for the packed loops */
    uint32_t shift;       /* integers: a bucket is distance >> shift */
    double factor;        /* real distances: a bucket is distance * factor */
    uint64_t base;        /* the lowest bucket that has entries */
    double delta;         /* the width of a bucket */
    uint64_t fused;       /* number of buckets that one round processes */
    uint32_t workers;
    uint64_t blocks; /* number of blocks in scratch->block[] in this round */
    uint64_t rounds;
    uint64_t arcs; /* number of arcs relaxed before this round */
    /* Among ranks (graph/ranks/sssp.c): vertices are rows of this rank. */
    uint64_t first;                      /* the vertex of row 0 */
    struct gws__outbox *outbox;          /* paths to vertices of other ranks; NULL: ranks share memory, as follows */
    _Atomic uint64_t *all;               /* the words of all vertices of the graph */
    _Atomic uint32_t *all_parents;       /* likewise; NULL: words hold the parents */
    _Atomic uint64_t *mark, *mark_of_64; /* bitmaps: vertices that other ranks have lowered; words of mark with bits */
};

/* The loops of one encoding of distances, which relax_body.h defines. */
struct gws__sssp_loops {
    gws_body *fill; /* writes the words of unreached vertices */
    void (*start)(struct sssp *search);
    gws_body *by_blocks; /* tasks are blocks of the round */
    gws_body *by_segments;
    gws_body *fuse;   /* processes the entries that the worker itself added to the round's buckets */
    gws_body *nearer; /* tasks are workers: moves entries from `far` to slots */
    gws_body *finish; /* writes distances and parents, and counts; tasks are vertices */
};

extern const struct gws__sssp_loops gws__sssp_packed, gws__sssp_wide, gws__sssp_real;

/* Prepares scratch for searches of graph by the runtime's workers; reuses it if it fits. */
gws_status gws__sssp_prepare(struct gws_runtime *runtime, const struct gws_graph *graph,
                             struct gws_sssp_result *result);

/* gws__sssp_block_acquire() returns an empty block, or NULL if memory ran out. gws__sssp_block_release() returns the
 * block to the worker. */
struct gws__sssp_block *gws__sssp_block_acquire(struct sssp *search, struct gws__sssp_worker *me);
void gws__sssp_block_release(struct sssp *search, struct gws__sssp_worker *me, struct gws__sssp_block *block);

/* Empties all bins after a failed search. */
void gws__sssp_bins_clear(struct gws__sssp_scratch *scratch);

/* Adds the row's arcs as segments. */
void gws__sssp_segments_add(struct sssp *search, struct gws__sssp_worker *me, uint32_t vertex, uint64_t begin,
                            uint64_t end);

static inline struct gws__sssp_worker *gws__sssp_worker_of(const struct sssp *search, uint32_t worker)
{
    return &search->scratch->worker[worker];
}

/* Returns the slots of the worker, starting at the base: bit i is bucket base + i. */
static inline uint64_t gws__sssp_ahead(const struct sssp *search, const struct gws__sssp_worker *me)
{
    uint32_t turn = (uint32_t)search->base % sssp_slots;
    return me->full >> turn | me->full << (-turn & (sssp_slots - 1));
}

/* Returns the bits of the buckets that the round processes. */
static inline uint64_t gws__sssp_round_bits(const struct sssp *search)
{
    return search->fused < 64 ? ((uint64_t)1 << search->fused) - 1 : UINT64_MAX;
}

/* Takes all blocks of a bin. */
static inline struct gws__sssp_block *gws__sssp_bin_take(struct gws__sssp_worker *me, uint32_t slot)
{
    struct gws__sssp_block *first = me->bin[slot].first;
    me->held -= me->bin[slot].blocks;
    me->bin[slot].first = NULL;
    me->bin[slot].blocks = 0;
    me->full &= ~((uint64_t)1 << slot);
    return first;
}

static inline bool gws__sssp_bin_add(struct sssp *search, struct gws__sssp_worker *me, struct gws__sssp_bin *bin,
                                     struct gws__sssp_entry entry)
{
    if (!bin->first || bin->first->count == sssp_block_entries) {
        struct gws__sssp_block *block = gws__sssp_block_acquire(search, me);
        if (!block) return false;
        const struct gws__sssp_block **recent = &bin->recent[bin->added++ % sssp_jump];
        block->next = bin->first;
        block->jump = *recent;
        *recent = bin->first = block;
        bin->blocks++;
        me->held++;
    }
    bin->first->entry[bin->first->count++] = entry;
    return true;
}

/* The number of blocks that a worker may hold before it drops outdated entries again. held: the blocks that it holds
 * after it dropped them. All workers together then hold at most 1.25 entries per vertex, and some blocks that are
 * not full. */
static inline uint64_t gws__sssp_limit(const struct sssp *search, uint64_t held)
{
    return (search->graph->vertices / search->workers / sssp_block_entries + 9 * held) / 8 + 2 * sssp_slots;
}

/* Adds an entry to the bucket, which is not below the base. */
static inline void gws__sssp_add(struct sssp *search, struct gws__sssp_worker *me, uint64_t bucket,
                                 struct gws__sssp_entry entry)
{
    uint32_t slot = (uint32_t)bucket % sssp_slots;
    bool is_far = bucket - search->base >= sssp_slots;
    if (!gws__sssp_bin_add(search, me, is_far ? &me->far : &me->bin[slot], entry))
        me->no_memory = true;
    else if (!is_far)
        me->full |= (uint64_t)1 << slot;
    else if (bucket < me->far_min)
        me->far_min = bucket;
}

#endif
