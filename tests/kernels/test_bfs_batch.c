/* SPDX-License-Identifier: MIT */
/* The emulated kernel of searches from many sources, checked against a serial search from each source. */
#include "../harness.h"

#define GWS_GROUP_SIZE 1
#define NONE 0xffffffffu /* for graph.h */
#define BATCH_PIECE 24u

/* clang-format off */
#include "../../kernels/portability/host.h"
#include "../../kernels/engine/engine_words.h"
#include "../../kernels/engine/grid.cl"
#include "../../kernels/graph/bfs_batch_words.h"
#include "../../kernels/graph/bfs_batch_rows.cl"
#include "../../kernels/graph/bfs_batch.cl"
/* clang-format on */
#include "emulate.h"
#include "graph.h"

enum { max_sources = 300, max_pieces = 40000, deep_shape = 3 };

static struct state {
    u64 seen[BATCH_WORDS * vertices], before[BATCH_WORDS * vertices];
    u32 mark[vertices], list[vertices], touched[vertices], piece[2 * max_pieces], in_piece[2 * max_pieces];
    u32 distance[max_sources * vertices];
    u32 count[BATCH_COUNTS], first, sources, words, given, width, max_depth;
    u64 pairs[vertices], arcs[BATCH_SLOTS], arrived, limit;
    u32 *stop, stops; /* stop: NULL, or &stops */
} run;

static struct sums {
    u32 source[max_sources], reached[max_sources], eccentricity[max_sources];
    u64 total[max_sources];
    double harmonic[max_sources];
} expected, found;

static u32 depth[max_sources][vertices]; /* of the oracle */

static void expect_sums(u32 sources)
{
    memset(&expected, 0, sizeof expected);
    for (u32 i = 0; i < sources; i++) {
        u64 at[vertices] = {0};
        expected.source[i] = found.source[i];
        free(graph.expected);
        search_serially(expected.source[i]);
        memcpy(depth[i], graph.expected, sizeof depth[i]);
        for (u32 v = 0; v < vertices; v++)
            if (graph.expected[v] != NONE) at[graph.expected[v]]++;
        expected.reached[i] = 1;
        for (u32 d = 1; d < vertices && at[d] > 0; d++) {
            expected.reached[i] += (u32)at[d];
            expected.eccentricity[i] = d;
            expected.total[i] += d * at[d];
            expected.harmonic[i] += (double)at[d] / d;
        }
    }
}

static void all_groups(void)
{
    graph_bfs_batch(graph.offset, graph.target, graph.reverse_offset, graph.source, found.source, run.seen, run.before,
                    run.mark, run.list, run.touched, run.piece, run.in_piece, found.reached, found.eccentricity,
                    found.total, found.harmonic, run.width > 0 ? run.pairs : NULL, run.distance, run.count, run.arcs,
                    &run.arrived, run.stop, run.limit, vertices, run.given, run.first, run.sources, run.words,
                    run.width, run.max_depth);
}

static u32 distance_at(u64 at)
{
    const unsigned char *bytes = (const unsigned char *)run.distance + at * run.width;
    u32 distance = 0;
    memcpy(&distance, bytes, run.width);
    return distance == NONE >> (32 - 8 * run.width) ? NONE : distance;
}

/* Compares the distances of a launch, which end at max_depth, and the pairs of vertices at each depth. */
static void judge_distances(void)
{
    u64 pairs[vertices] = {0};
    u32 levels = 0;
    bool unfinished = false;
    for (u32 i = 0; i < run.sources && run.width > 0; i++)
        for (u32 v = 0; v < vertices; v++) {
            u32 wanted = depth[run.first + i][v];
            if (wanted != NONE && wanted >= run.max_depth) unfinished = true;
            if (wanted > run.max_depth) wanted = NONE;
            if (distance_at((u64)(run.first + i) * vertices + v) != wanted)
                ck_abort_msg("source %u, vertex %u: not %u", i, v, wanted);
            if (wanted == NONE) continue;
            pairs[wanted]++;
            if (wanted >= levels) levels = wanted + 1;
        }
    if (run.width == 0) return;
    ck_assert_mem_eq(run.pairs, pairs, sizeof pairs);
    ck_assert_uint_eq(run.count[BATCH_LEVELS], levels);
    ck_assert_uint_eq(run.count[BATCH_UNFINISHED], unfinished);
}

/* Runs all batches. Results must be the same in every bit for any number of groups. */
static void run_batches(u32 sources, u32 words, u32 groups)
{
    memset(&run, 0x55, offsetof(struct state, count));
    memset(found.reached, 0x55, sizeof found - offsetof(struct sums, reached));
    run.arrived = 0;
    run.words = words;
    for (run.first = 0; run.first < sources; run.first += 64 * words) {
        run.sources = sources - run.first < 64 * words ? sources - run.first : 64 * words;
        memset(run.count, 0, sizeof run.count);
        memset(run.arcs, 0, sizeof run.arcs);
        if (run.width > 0) memset(run.pairs, 0, sizeof run.pairs);
        if (run.width > 0) memset(run.distance, 0xff, (size_t)run.width * sources * vertices);
        emulate_groups(all_groups, groups);
        judge_distances();
    }
}

static void judge(u32 sources)
{
    for (u32 i = 0; i < sources; i++)
        if (found.reached[i] != expected.reached[i] || found.eccentricity[i] != expected.eccentricity[i] ||
            found.total[i] != expected.total[i] || found.harmonic[i] != expected.harmonic[i])
            ck_abort_msg("source %u, vertex %u: reached %u for %u, eccentricity %u for %u, total %llu for %llu", i,
                         found.source[i], found.reached[i], expected.reached[i], found.eccentricity[i],
                         expected.eccentricity[i], (unsigned long long)found.total[i],
                         (unsigned long long)expected.total[i]);
}

static void choose_sources(u32 sources, bool given)
{
    u64 random = 11;
    run.given = given;
    for (u32 i = 0; i < sources; i++) {
        bool repeats = given && i > 0 && i % 7 == 0;
        u32 drawn = repeats ? found.source[i - 1] : gws_random_below(gws_random_next(&random), vertices);
        found.source[i] = given ? drawn : i;
    }
}

START_TEST(sums_equal_the_oracles)
{
    static const u32 sources[] = {1, 64, 100, 300};
    static const u64 limits[] = {0, 2000, UINT64_MAX}; /* pull; both; push */
    const u32 counts = gws_test_quick() ? 3 : 4;
    make_shape(_i);
    for (u32 c = 0; c < counts; c++) {
        choose_sources(sources[c], c != 2);
        expect_sums(sources[c]);
        for (u32 mode = 0; mode < 6; mode++) {
            const u32 groups = mode % 2 ? 3 : 1, words = (mode + c) % 4 < 2 ? BATCH_WORDS : 1;
            if (_i == deep_shape && groups > 1 && c > 0) continue; /* the run would have thousands of barriers */
            run.limit = limits[mode / 2];
            run.stop = mode < 3 ? &run.stops : NULL;
            run.width = mode == c && c < 2 ? 2 : 0; /* one byte does not hold the depths of the path */
            run.max_depth = NONE;
            run_batches(sources[c], words, groups);
            judge(sources[c]);
        }
    }
    graph_free();
}
END_TEST

/* Distances have 1, 2 or 4 bytes. */
START_TEST(searches_end_at_a_depth)
{
    make_shape(deep_shape);
    choose_sources(20, true);
    expect_sums(20);
    run.stop = NULL;
    for (u32 mode = 0; mode < 6; mode++) {
        run.limit = mode % 2 ? UINT64_MAX : 0; /* push, or pull */
        run.width = 1u << mode / 2;
        run.max_depth = 1 + 10 * mode;
        run_batches(20, mode % 4 < 2 ? 1 : BATCH_WORDS, 3);
    }
    graph_free();
}
END_TEST

/* The kernel ends after the first level. */
START_TEST(a_cancelled_run_ends)
{
    make_shape(deep_shape);
    choose_sources(1, true);
    found.source[0] = 0; /* the begin of the path */
    run.stop = &run.stops;
    run.stops = 1;
    run.width = 0;
    run.max_depth = NONE;
    for (u32 mode = 0; mode < 4; mode++) {
        run.limit = mode % 2 ? UINT64_MAX : 0;
        run_batches(1, 1, mode < 2 ? 1 : 3);
        ck_assert_uint_eq(found.eccentricity[0], 1);
    }
    graph_free();
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {
        {sums_equal_the_oracles, shapes}, {searches_end_at_a_depth, 1}, {a_cancelled_run_ends, 1}, {0}};
    return gws_test_run("bfs_batch", test);
}
