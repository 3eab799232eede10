/* SPDX-License-Identifier: MIT */
/* Sorts the reached vertices by depth, and within a level by number. The sort is a stable radix sort with one or two
 * digits of the depth. Each block of the input counts its keys. A prefix sum over digits and blocks gives every block
 * its output positions. So the order does not depend on the workers, and a large level reads its rows in the order of
 * memory. */
#include "state.h"

enum { byte_bits = 8, max_counters = 1 << 20, min_block = 4096 };

struct sorting {
    struct gws__bc *bc;
    const uint32_t *depth;
    uint64_t *pair;  /* pairs of depth and vertex between the two digits, in the memory of value[] */
    uint32_t *count; /* blocks * digits counters, and after the prefix sum output positions */
    uint64_t items;  /* number of input items, vertices or pairs */
    uint32_t blocks, bits, shift;
    bool from_pairs, to_pairs;
};

static uint64_t block_begin(const struct sorting *s, uint64_t block)
{
    return s->items / s->blocks * block + (block < s->items % s->blocks ? block : s->items % s->blocks);
}

/* Returns the counter for this digit of a depth. */
static uint32_t *counter(const struct sorting *s, uint64_t block, uint32_t depth)
{
    return &s->count[(block << s->bits) + (depth >> s->shift & ((1u << s->bits) - 1))];
}

static void count_vertices(const struct sorting *s, uint64_t block)
{
    uint8_t *tag = s->bc->scratch->tag;
    for (uint64_t v = block_begin(s, block); v < block_begin(s, block + 1); v++) {
        tag[v] = (uint8_t)s->depth[v];
        if (s->depth[v] != GWS_NO_VERTEX) ++*counter(s, block, s->depth[v]);
    }
}

static void count_block(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    const struct sorting *s = context;
    for (uint64_t block = begin; block < end; block++) {
        for (uint32_t i = 0; i < 1u << s->bits; i++) s->count[(block << s->bits) + i] = 0;
        if (!s->from_pairs) count_vertices(s, block);
        for (uint64_t i = block_begin(s, block); s->from_pairs && i < block_begin(s, block + 1); i++)
            ++*counter(s, block, (uint32_t)(s->pair[i] >> 32));
    }
}

static void scatter_vertices(const struct sorting *s, uint64_t block)
{
    for (uint64_t v = block_begin(s, block); v < block_begin(s, block + 1); v++) {
        uint32_t depth = s->depth[v];
        if (depth == GWS_NO_VERTEX) continue;
        uint32_t place = (*counter(s, block, depth))++;
        if (s->to_pairs)
            s->pair[place] = (uint64_t)depth << 32 | v;
        else
            s->bc->order[place] = (uint32_t)v;
    }
}

static void scatter_block(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    const struct sorting *s = context;
    for (uint64_t block = begin; block < end; block++) {
        if (!s->from_pairs) scatter_vertices(s, block);
        for (uint64_t i = block_begin(s, block); s->from_pairs && i < block_begin(s, block + 1); i++)
            s->bc->order[(*counter(s, block, (uint32_t)(s->pair[i] >> 32)))++] = (uint32_t)s->pair[i];
    }
}

static void make_places(const struct sorting *s)
{
    uint32_t place = 0;
    for (uint32_t digit = 0; digit < 1u << s->bits; digit++)
        for (uint64_t block = 0; block < s->blocks; block++) {
            uint32_t *count = &s->count[(block << s->bits) + digit], size = *count;
            *count = place;
            place += size;
        }
}

static gws_status sort_digit(struct sorting *s)
{
    struct gws__betweenness_scratch *scratch = s->bc->scratch;
    uint64_t blocks = 4 * (uint64_t)gws_runtime_workers(s->bc->runtime), limit = (uint64_t)max_counters >> s->bits;
    if (blocks > s->items / min_block + 1) blocks = s->items / min_block + 1;
    s->blocks = (uint32_t)(blocks < limit ? blocks : limit);
    s->count = gws__bc_array_of(scratch, GWS__BC_HISTOGRAM, (uint64_t)s->blocks << s->bits, sizeof *s->count);
    if (!s->count) return GWS_NO_MEMORY;
    struct gws_loop loop = {.count = s->blocks, .chunk = 1, .body = count_block, .context = s, .uncounted = true};
    gws_status status = gws_parallel_try(s->bc->runtime, &loop);
    if (status != GWS_OK) return status;
    make_places(s);
    loop.body = scatter_block;
    return gws_parallel_try(s->bc->runtime, &loop);
}

/* Finds the positions of the levels in the order, and marks the levels that have long rows. */
static gws_status list_levels(struct gws__bc *bc)
{
    struct gws__betweenness_scratch *scratch = bc->scratch;
    const struct gws_bfs_result *bfs = &scratch->bfs;
    uint64_t begin = 0;
    scratch->level = gws__bc_array_of(scratch, GWS__BC_LEVEL, bfs->levels + (uint64_t)1, sizeof *scratch->level);
    if (!scratch->level) return GWS_NO_MEMORY;
    for (uint32_t i = 0; i <= bfs->levels; i++) {
        scratch->level[i] = (struct gws__bc_level){.begin = begin};
        if (i < bfs->levels) begin += bfs->level[i].size;
    }
    for (uint64_t i = 0; i < scratch->in.count; i++) {
        uint32_t depth = bfs->depth[scratch->in.vertex[i]];
        if (depth != GWS_NO_VERTEX) scratch->level[depth].heavy_in = true;
    }
    for (uint64_t i = 0; i < scratch->out.count; i++) {
        uint32_t depth = bfs->depth[scratch->out.vertex[i]];
        if (depth != GWS_NO_VERTEX) scratch->level[depth].heavy_out = true;
    }
    return GWS_OK;
}

gws_status gws__bc_sort(struct gws__bc *bc)
{
    struct gws_bfs_result *bfs = &bc->scratch->bfs;
    struct sorting s = {.bc = bc, .depth = bfs->depth, .items = bc->graph->vertices, .bits = byte_bits};
    gws_status status = list_levels(bc);
    if (status != GWS_OK) return status;
    bc->order = bfs->parent;
    bc->levels = bfs->levels;
    bc->exact = bc->graph->directed && bfs->levels > UINT8_MAX ? bfs->depth : NULL;
    s.pair = (uint64_t *)(void *)bc->scratch->value;
    while (s.bits < 32 && (bfs->levels - 1) >> s.bits) s.bits++;
    s.to_pairs = s.bits > byte_bits;
    if (s.to_pairs) s.bits = (s.bits + 1) / 2;
    status = sort_digit(&s);
    if (status != GWS_OK || !s.to_pairs) return status;
    s.shift = s.bits;
    s.items = bfs->reached;
    s.from_pairs = true;
    return sort_digit(&s);
}
