/* SPDX-License-Identifier: MIT */
/* The engine on CPU threads for an operator that re-enters. It runs rounds over the arcs of a frontier until no vertex
 * changes. A source includes this header after the operator, and the compiler inlines the operator. The frontier is
 * the bitmap s->visited. One worker consumes each word of the frontier, while all workers add to the next frontier. A
 * bitmap holds each vertex at most once. The loops' barriers publish the writes of a round. A cancelled call cuts the
 * loops, and the caller asks gws_cancelled() before it uses the results. */
#include "../../lib/parallel.h"
#include "hybrid.h"

enum { rounds_grain = 64 /* words of a bitmap that justify waking one more worker */ };

static void rounds_first(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws__rounds *all = context;
    (void)worker;
    for (uint64_t word = begin; word < end; word++) {
        uint32_t bits = 0;
        for (uint64_t v = word * 32; v < word * 32 + 32 && v < all->s->graph->vertices; v++)
            bits |= (uint32_t)op_first(all->s, (uint32_t)v) << v % 32;
        all->s->visited[word] = bits;
        all->next[word] = 0;
    }
}

/* Passes a vertex's arcs to the operator. Returns the number of vertices that entered the next frontier. Two workers
 * may count the same vertex. */
static uint32_t rounds_row(const struct gws__rounds *all, uint32_t from)
{
    const struct gws_graph *graph = all->s->graph;
    uint32_t found = 0;
    for (uint64_t arc = graph->offset[from]; arc < graph->offset[from + (uint64_t)1]; arc++) {
        uint32_t to = graph->target[arc], bit = 1U << to % 32;
        if (!op_commit(all->s, from, to, op_claim(all->s, from, to, op_peek(all->s, from, to, arc)))) continue;
        if (word_fresh(&all->next[to / 32]) & bit) continue;
        (void)word_or(&all->next[to / 32], bit);
        found++;
    }
    return found;
}

static void rounds_push(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws__rounds *all = context;
    uint64_t found = 0;
    (void)worker;
    for (uint64_t word = begin; word < end; word++) {
        uint32_t bits = all->s->visited[word];
        all->s->visited[word] = 0;
        for (; bits; bits &= bits - 1) found += rounds_row(all, (uint32_t)word * 32 + first_bit(bits));
    }
    if (found > 0) word_sum(&all->found, found);
}

static void rounds_count(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws__rounds *all = context;
    uint64_t counted = 0;
    (void)worker;
    for (uint64_t v = begin; v < end; v++) counted += op_counts(all->s, (uint32_t)v);
    word_sum(&all->counted, counted);
}

/* Runs rounds until the frontier is empty, the call is cancelled, or the rule, if not NULL, requires a handoff. Runs at
 * least one round. */
static void rounds_run(struct gws__rounds *all, const struct gws__handoff_rule *rule)
{
    struct engine *s = all->s;
    float lost = 0;
    for (uint32_t rounds = 0; all->found > 0; rounds++) {
        if (rule && handoff_due(rule, &lost, rounds, (uint32_t)all->found, 0) && rounds > 0) break;
        uint32_t *consumed = s->visited;
        all->found = 0;
        if (gws_parallel_try_for(s->runtime, (s->graph->vertices + 31) / 32, rounds_grain, rounds_push, all) != GWS_OK)
            break;
        s->visited = all->next;
        all->next = consumed;
        all->entered += all->found;
        s->level++;
        gws_report_progress(s->runtime, "running rounds", s->level, 0);
    }
}

static void rounds_count_all(struct gws__rounds *all)
{
    if (gws_parallel_try_for(all->s->runtime, all->s->graph->vertices, rounds_grain * 32, rounds_count, all) != GWS_OK)
        all->counted = 0;
}

static const struct gws__rounds_loops rounds_loops = {rounds_run, rounds_count_all};

/* Runs the operator over s->graph on s->runtime. The caller has set the operator's data, weights and words in *s. Sets
 * *rounds to the number of rounds, and *counted to the number of vertices for which op_counts() is true at the end.
 * Errors: GWS_NO_MEMORY (the run needs two bits for each vertex), GWS_CANCELLED. */
static inline gws_status run_rounds(struct engine *s, uint32_t *rounds, uint64_t *counted)
{
    uint64_t words = (s->graph->vertices + 31) / 32;
    uint32_t *bitmap = gws_allocate(s->runtime, 2 * words, sizeof *bitmap);
    struct gws__rounds all = {.s = s, .next = bitmap + words, .found = words};
    if (!bitmap) return GWS_NO_MEMORY;
    s->visited = bitmap;
    s->level = 0;
    gws_status status = gws_parallel_try_for(s->runtime, words, rounds_grain, rounds_first, &all);
    if (status == GWS_OK) rounds_loops.run(&all, NULL);
    if (status == GWS_OK) rounds_loops.count(&all);
    gws_release(s->runtime, bitmap, 2 * words, sizeof *bitmap);
    *rounds = s->level;
    *counted = all.counted;
    return gws_cancelled(s->runtime) ? GWS_CANCELLED : status;
}
