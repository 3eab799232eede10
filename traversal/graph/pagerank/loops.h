/* SPDX-License-Identifier: MIT */
/* The loops of PageRank for one type of shares. A source defines SHARE (the type) and includes this header once. */
#include <math.h>

#include "state.h"

/* Uses four sums to hide the latency of additions; the loads are independent. */
static double row_sum(const SHARE *share, const uint32_t *source, uint64_t arcs)
{
    double a = 0, b = 0, c = 0, d = 0;
    uint64_t i = 0;
    for (; i + 4 <= arcs; i += 4) {
        a += (double)share[source[i]];
        b += (double)share[source[i + 1]];
        c += (double)share[source[i + 2]];
        d += (double)share[source[i + 3]];
    }
    for (; i < arcs; i++) a += (double)share[source[i]];
    return (a + b) + (c + d);
}

/* Returns the sum of a row of at most 4 arcs. The function has no branch on the length, since the lengths of rows of a
 * road network are unpredictable. The function always reads 4 arcs. The surplus arcs belong to the next rows, which the
 * caller reads soon. */
static inline double short_row_sum(const SHARE *share, const uint32_t *source, uint64_t arcs)
{
    static const double counts[5][4] = {{0}, {1}, {1, 1}, {1, 1, 1}, {1, 1, 1, 1}};
    const double *count = counts[arcs];
    return ((double)share[source[0]] * count[0] + (double)share[source[1]] * count[1]) +
           ((double)share[source[2]] * count[2] + (double)share[source[3]] * count[3]);
}

/* Writes the new share of a vertex whose sum is known, and adds the vertex to the sums. */
static inline void finish_vertex(const struct gws__pagerank *run, uint64_t place, double sum,
                                 struct gws__pagerank_sums *sums)
{
    const SHARE *now = run->now;
    SHARE *next = run->next;
    uint64_t degree = gws__pagerank_degree(run, place);
    double parts = degree > 0 ? (double)degree : 1;
    double rank = run->damping * sum + gws__pagerank_restarts(run, place);
    SHARE share = (SHARE)(rank / parts);
    double change = rank - (double)now[place] * parts;
    next[place] = share;
    sums->error += change < 0 ? -change : change;
    sums->given += (double)share * (double)degree;
    sums->total += (double)share * parts;
}

static void pull_rows(const struct gws__pagerank *run, uint64_t task)
{
    struct gws__pagerank_sums sums = {0};
    uint64_t begin = run->offset[run->plan.first[task]];
    for (uint64_t v = run->plan.first[task]; v < run->plan.first[task + 1]; v++) {
        uint64_t end = run->offset[v + 1];
        const uint32_t *source = run->source + begin;
        if (end - begin <= 4 && begin + 4 <= run->arcs)
            finish_vertex(run, v, short_row_sum(run->all, source, end - begin), &sums);
        else if (end - begin <= pagerank_task)
            finish_vertex(run, v, row_sum(run->all, source, end - begin), &sums);
        begin = end;
    }
    run->plan.sums[task] = sums;
}

static void pull(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct gws__pagerank *run = context;
    (void)worker;
    for (uint64_t i = begin; i < end; i++) {
        if (i >= run->plan.pieces) {
            pull_rows(run, i - run->plan.pieces);
            continue;
        }
        struct gws__pagerank_piece *piece = &run->plan.piece[i];
        piece->sum = row_sum(run->all, run->source + piece->begin, piece->end - piece->begin);
    }
}

static void finish_heavy(const struct gws__pagerank *run, struct gws__pagerank_sums *sums)
{
    const struct gws__pagerank_piece *piece = run->plan.piece, *end = piece + run->plan.pieces;
    while (piece < end) {
        uint32_t vertex = piece->vertex;
        double sum = 0;
        for (; piece < end && piece->vertex == vertex; piece++) sum += piece->sum;
        finish_vertex(run, vertex, sum, sums);
    }
}

/* The tasks write the first shares, and add up the mass that arcs carry. */
static void begin_shares(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct gws__pagerank *run = context;
    SHARE *now = run->now;
    (void)worker;
    for (uint64_t task = begin; task < end; task++) {
        struct gws__pagerank_sums sums = {0};
        for (uint64_t v = run->plan.first[task]; v < run->plan.first[task + 1]; v++) {
            uint64_t degree = gws__pagerank_degree(run, v);
            now[v] = (SHARE)(gws__pagerank_restarts(run, v) / (degree > 0 ? (double)degree : 1));
            sums.given += (double)now[v] * (double)degree;
        }
        run->plan.sums[task] = sums;
    }
}

/* If places are vertices, `now` may be the array of ranks itself. */
static void write_ranks(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct gws__pagerank *run = context;
    const SHARE *now = run->now;
    (void)worker;
    for (uint64_t v = begin; v < end; v++) {
        uint64_t place = run->number ? run->number[v] : v, degree = gws__pagerank_degree(run, place);
        run->rank[v] = (double)now[place] * (degree > 0 ? (double)degree : 1) * run->scale;
    }
}

/* value: 0 .. 2 */
static inline void add_exact(uint64_t word[2], double value)
{
    const double scaled = value * 0x1p40;
    const uint64_t high = (uint64_t)scaled;
    word[0] += high;
    word[1] += (uint64_t)((scaled - (double)high) * 0x1p32);
}

/* Adds the sums of a block of vertices, which are in double, and makes their next shares the current ones. */
static inline void add_block(const struct gws__pagerank *run, uint64_t block, uint64_t word[pagerank_words])
{
    const uint64_t begin = block * pagerank_block, left = run->vertices - begin;
    const uint64_t end = begin + (left < pagerank_block ? left : pagerank_block);
    SHARE *now = run->now;
    const SHARE *next = run->next;
    struct gws__pagerank_sums sums = {0};
    for (uint64_t v = begin; v < end; v++) {
        const uint64_t degree = gws__pagerank_degree(run, v), is_sink = degree == 0;
        const double parts = (double)(degree + is_sink), rank = (double)next[v] * parts;
        sums.error += fabs(rank - (double)now[v] * parts);
        sums.given += rank * (double)(1 - is_sink); /* without a branch, which would be unpredictable */
        sums.total += rank;
        now[v] = next[v];
    }
    add_exact(&word[pagerank_error], sums.error);
    add_exact(&word[pagerank_given], sums.given);
    add_exact(&word[pagerank_total], sums.total);
}

static void add_exact_sums(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws__pagerank *run = context;
    uint64_t word[pagerank_words] = {0};
    (void)worker;
    for (uint64_t block = begin; block < end; block++) add_block(run, block, word);
    /* relaxed: the caller reads the sums after the loop has ended. */
    for (int i = 0; i < pagerank_words; i++) atomic_fetch_add_explicit(&run->exact[i], word[i], memory_order_relaxed);
}
