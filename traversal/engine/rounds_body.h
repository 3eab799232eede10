/* SPDX-License-Identifier: MIT */
/* The engine on CPU threads for an operator that re-enters: rounds over the arcs of a frontier until no vertex changes.
 * A source includes it after the operator, which is inlined. A frontier is a bitmap, in s->visited; each word of it is
 * consumed by one worker, while all add to the next one, so that each vertex enters that once. The loops' barriers
 * publish what a round wrote. */
#include "../../lib/parallel.h"

enum { rounds_grain = 64 /* words of a bitmap worth waking one more worker for */ };

struct rounds {
    struct engine *s;
    uint32_t *next;
    uint32_t found;   /* the next frontier is not empty */
    uint64_t counted; /* vertices for which op_counts() is true */
};

static void rounds_first(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct rounds *all = context;
    (void)worker;
    for (uint64_t word = begin; word < end; word++) {
        uint32_t bits = 0;
        for (uint64_t v = word * 32; v < word * 32 + 32 && v < all->s->graph->vertices; v++)
            bits |= (uint32_t)op_first(all->s, (uint32_t)v) << v % 32;
        all->s->visited[word] = bits;
        all->next[word] = 0;
    }
}

/* Offers a vertex's arcs to the operator; returns whether a vertex entered the next frontier. */
static bool rounds_row(const struct rounds *all, uint32_t from)
{
    const struct gws_graph *graph = all->s->graph;
    bool found = false;
    for (uint64_t arc = graph->offset[from]; arc < graph->offset[from + (uint64_t)1]; arc++) {
        uint32_t to = graph->target[arc], bit = 1U << to % 32;
        if (!op_commit(all->s, from, to, op_claim(all->s, from, to, op_peek(all->s, from, to, arc)))) continue;
        if (!(word_fresh(&all->next[to / 32]) & bit)) (void)word_or(&all->next[to / 32], bit);
        found = true;
    }
    return found;
}

static void rounds_push(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct rounds *all = context;
    bool found = false;
    (void)worker;
    for (uint64_t word = begin; word < end; word++) {
        uint32_t bits = all->s->visited[word];
        all->s->visited[word] = 0;
        for (; bits; bits &= bits - 1)
            if (rounds_row(all, (uint32_t)word * 32 + first_bit(bits))) found = true;
    }
    if (found) word_store(&all->found, 1);
}

static void rounds_count(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct rounds *all = context;
    uint64_t counted = 0;
    (void)worker;
    for (uint64_t v = begin; v < end; v++) counted += op_counts(all->s, (uint32_t)v);
    word_sum(&all->counted, counted);
}

/* Runs the operator, whose data, weights and words *s has, over s->graph by s->runtime. Into *rounds and *counted: how
 * many rounds it took, and how many vertices count at the end. GWS_NO_MEMORY: two bits a vertex. */
static gws_status run_rounds(struct engine *s, uint32_t *rounds, uint64_t *counted)
{
    uint64_t vertices = s->graph->vertices, words = (vertices + 31) / 32;
    uint32_t *bitmap = gws_allocate(s->runtime, 2 * words, sizeof *bitmap);
    struct rounds all = {.s = s, .next = bitmap + words, .found = words > 0};
    if (!bitmap) return GWS_NO_MEMORY;
    s->visited = bitmap;
    gws_parallel_for(s->runtime, words, rounds_grain, rounds_first, &all);
    for (s->level = 0; all.found; s->level++) {
        all.found = 0;
        gws_parallel_for(s->runtime, words, rounds_grain, rounds_push, &all);
        uint32_t *consumed = s->visited;
        s->visited = all.next;
        all.next = consumed;
    }
    gws_parallel_for(s->runtime, vertices, rounds_grain * 32, rounds_count, &all);
    gws_release(s->runtime, bitmap, 2 * words, sizeof *bitmap);
    *rounds = s->level;
    *counted = all.counted;
    return GWS_OK;
}
