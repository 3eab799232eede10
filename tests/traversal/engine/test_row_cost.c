/* SPDX-License-Identifier: MIT */
/* The cost of levels over a bus (traversal/engine/row_cost.h). The tests compare the expected reads with a count word
 * by word, and check levels of known best direction. */
#include "../../harness.h"

#define GWS_HOST_WORKER
#include "../../../kernels/portability/host.h"

#include "../../../kernels/engine/direction.h"
#include "../../../lib/graph.h"
#include "../../../traversal/bfs.h"
#include "../../../traversal/engine/row_cost.h"

enum { piece = 8 };

static struct gws_runtime *workers;

/* Returns the position of each row's uncached words in memory. */
static uint64_t *packed(const struct gws_graph *graph, uint64_t head)
{
    uint64_t *place = malloc(graph->vertices * sizeof *place), at = 0;
    for (uint32_t v = 0; v < graph->vertices; v++) {
        place[v] = at;
        at += gws_graph_degree(graph, v) > head ? gws_graph_degree(graph, v) - head : 0;
    }
    return place;
}

/* Returns the number of pieces of v's row that contain a word that pull reads. */
static uint64_t pieces_of_row(const struct gws_graph *graph, uint32_t v, uint64_t head, uint64_t place,
                              const uint32_t *depth, uint32_t level)
{
    uint64_t arcs = gws_graph_degree(graph, v), pieces = 0, last = UINT64_MAX;
    for (uint64_t a = 0; a < arcs; a++) {
        if (a >= head && (place + a - head) / piece != last) {
            last = (place + a - head) / piece;
            pieces++;
        }
        if (depth[graph->target[graph->offset[v] + a]] == level) break;
    }
    return pieces;
}

/* Fills *level from a level of a search. Returns the number of pieces that pull fetches in that level. */
static uint64_t see_level(const struct gws_graph *graph, const struct gws_bfs_result *result, uint32_t at,
                          uint64_t head, const uint64_t *place, struct gws__row_level *level)
{
    uint64_t pieces = 0;
    *level = (struct gws__row_level){0};
    for (uint32_t v = 0; v < graph->vertices; v++) {
        uint64_t arcs = gws_graph_degree(graph, v);
        if (result->depth[v] == at) level->size++, level->arcs += arcs;
        if (result->depth[v] <= at || arcs == 0) continue;
        level->left++;
        level->left_arcs += arcs;
        pieces += pieces_of_row(graph, v, head, place[v], result->depth, at);
    }
    return pieces;
}

static void compare(const char *description, uint64_t head, double within)
{
    struct gws_graph *graph = NULL;
    struct gws_bfs_result result = {0};
    struct gws__row_cost readers[2];
    uint32_t compared = 0;
    ck_assert_int_eq(gws_graph_generate(workers, description, &graph, NULL), GWS_OK);
    uint64_t *place = packed(graph, head);
    gws__row_costs((double)head, 1, 16, readers);
    for (uint32_t source = 1; source < graph->vertices; source += (uint32_t)graph->vertices / 4) {
        ck_assert_int_eq(gws_bfs(workers, graph, source, NULL, &result), GWS_OK);
        for (uint32_t at = 0; at < result.levels; at++) {
            struct gws__row_level level;
            double counted = (double)see_level(graph, &result, at, head, place, &level);
            double expected = gws__row_pull_pieces(&readers[0], &level);
            if (counted < 2000) continue;
            ck_assert_msg(expected > counted * (1 - within) && expected < counted * (1 + within),
                          "%s, head %llu, level %u: %.0f expected, %.0f counted", description, (unsigned long long)head,
                          at, expected, counted);
            compared++;
        }
    }
    ck_assert_uint_ge(compared, 4);
    free(place);
    gws_bfs_result_clear(&result);
    gws_graph_destroy(graph);
}

START_TEST(pieces_are_as_many_as_expected)
{
    struct gws_options options = {.threads = 1};
    ck_assert_int_eq(gws_runtime_open(&options, &workers), GWS_OK);
    compare("uniform:14", 0, 0.06);
    compare("uniform:14", 3, 0.06);
    compare("uniform:13:4", 0, 0.06);
    compare("uniform:14", 8, 0.10);
    gws_runtime_close(workers);
}
END_TEST

/* Returns true if the direction rule selects pull with these costs. */
static bool pulls(const struct gws__row_cost *cost, uint32_t count, const struct gws__row_level *level)
{
    const struct direction_rule rule = {DIRECTION_THREADS};
    double push, pull;
    gws__row_shared_ns(cost, count, level, &push, &pull);
    const struct direction_view view = {.push_cost = (float)push, .pull_cost = (float)pull};
    return direction_pulls(&rule, &view);
}

static bool pulls_at(double head, double absent, uint32_t count, struct gws__row_level level)
{
    struct gws__row_cost readers[2];
    gws__row_costs(head, absent, 16, readers);
    return pulls(readers, count, &level);
}

/* The levels are from real searches. A rule that used only the frontier's size chose the wrong direction for `tenth`.
 * That level then took ten times as long. */
START_TEST(levels_run_in_the_cheaper_direction)
{
    const struct gws__row_level first = {1, 32, 16777215, 536870880}, tenth = {1 << 20, 33 << 20, 15000000, 480000000},
                                widest = {12000000, 400000000, 3000000, 90000000}, last = {3000000, 90000000, 0, 0},
                                hubs = {7309, 19180000, 2389000, 109100000},
                                middle = {427087, 107332000, 1969000, 19800000};
    for (uint32_t count = 1; count <= 2; count++) {
        ck_assert(!pulls_at(0, 1, count, first));
        ck_assert(!pulls_at(0, 1, count, tenth));
        ck_assert(pulls_at(0, 1, count, widest));
        ck_assert(pulls_at(0, 1, count, last));
        ck_assert(!pulls_at(0, 1, count, hubs));
        ck_assert(pulls_at(0, 1, count, middle));
    }
    /* Pull is not slower over the bus if the device caches the first words of the rows. */
    ck_assert(pulls_at(32, 0.75, 1, hubs));
    /* Only the tests of words cost time if the device caches all words. Pull tests fewer words once the search has
     * reached half of the vertices. */
    ck_assert(pulls_at(1000, 0, 1, widest));
    ck_assert(!pulls_at(1000, 0, 1, first));
}
END_TEST

/* Levels without open vertices cost nothing. All costs are finite. */
START_TEST(ends_are_no_exceptions)
{
    struct gws__row_cost readers[2];
    const struct gws__row_level none = {0}, armless = {5, 0, 100, 300}, over = {5, 10, 0, 0};
    gws__row_costs(0, 1, 1, readers);
    for (int r = 0; r < 2; r++) {
        ck_assert(gws__row_push_ns(&readers[r], &none) == 0 && gws__row_pull_ns(&readers[r], &none) == 0);
        ck_assert(gws__row_push_ns(&readers[r], &armless) == 0);
        ck_assert(gws__row_pull_ns(&readers[r], &armless) > 0);
        ck_assert(gws__row_push_ns(&readers[r], &over) > 0 && gws__row_pull_ns(&readers[r], &over) == 0);
    }
    ck_assert(!pulls(readers, 2, &none));
    ck_assert(!pulls(readers, 2, &armless));
    ck_assert(pulls(readers, 2, &over));
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{pieces_are_as_many_as_expected, 1},
                                    {levels_run_in_the_cheaper_direction, 1},
                                    {ends_are_no_exceptions, 1},
                                    {0}};
    return gws_test_run("what levels cost over a bus", test);
}
