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
    u64 seen[BATCH_WORDS * vertices], front[BATCH_WORDS * vertices], next[BATCH_WORDS * vertices];
    u32 mark[vertices], list[vertices], touched[vertices], piece[2 * max_pieces], in_piece[2 * max_pieces];
    u32 count[BATCH_COUNTS], first, sources, words, given;
    u64 arcs[BATCH_SLOTS], arrived, limit;
    u32 *stop, stops; /* stop: NULL, or &stops */
} run;

static struct sums {
    u32 source[max_sources], reached[max_sources], eccentricity[max_sources];
    u64 total[max_sources];
    double harmonic[max_sources];
} expected, found;

static void expect_sums(u32 sources)
{
    memset(&expected, 0, sizeof expected);
    for (u32 i = 0; i < sources; i++) {
        u64 at[vertices] = {0};
        expected.source[i] = found.source[i];
        free(graph.expected);
        search_serially(expected.source[i]);
        for (u32 v = 0; v < vertices; v++)
            if (graph.expected[v] != NONE) at[graph.expected[v]]++;
        expected.reached[i] = 1;
        for (u32 depth = 1; depth < vertices && at[depth] > 0; depth++) {
            expected.reached[i] += (u32)at[depth];
            expected.eccentricity[i] = depth;
            expected.total[i] += depth * at[depth];
            expected.harmonic[i] += (double)at[depth] / depth;
        }
    }
}

static void all_groups(void)
{
    graph_bfs_batch(graph.offset, graph.target, graph.reverse_offset, graph.source, found.source, run.seen, run.front,
                    run.next, run.mark, run.list, run.touched, run.piece, run.in_piece, found.reached,
                    found.eccentricity, found.total, found.harmonic, run.count, run.arcs, &run.arrived, run.stop,
                    run.limit, vertices, run.given, run.first, run.sources, run.words);
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
        emulate_groups(all_groups, groups);
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
            run_batches(sources[c], words, groups);
            judge(sources[c]);
        }
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
    for (u32 mode = 0; mode < 4; mode++) {
        run.limit = mode % 2 ? UINT64_MAX : 0;
        run_batches(1, 1, mode < 2 ? 1 : 3);
        ck_assert_uint_eq(found.eccentricity[0], 1);
    }
    graph_free();
}
END_TEST

static Suite *batch_suite(void)
{
    Suite *suite = suite_create("bfs_batch");
    TCase *tests = tcase_create("emulated");
    tcase_add_loop_test(tests, sums_equal_the_oracles, 0, shapes);
    tcase_add_test(tests, a_cancelled_run_ends);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return gws_test_main(batch_suite);
}
