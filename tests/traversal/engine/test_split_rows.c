/* SPDX-License-Identifier: MIT */
/* Tests the cached part of rows, and the positions of both parts of a row (traversal/engine/split_rows.h). The oracle
 * makes the same choices serially, row by row. */
#include "../../harness.h"

#include "../../../lib/random.h"
#include "../../../traversal/engine/split_rows.h"

static struct gws_runtime *workers;

static void open_workers(uint32_t threads)
{
    struct gws_options options = {.threads = threads};
    ck_assert_int_eq(gws_runtime_open(&options, &workers), GWS_OK);
}

/* ---- graphs ---- */

static struct gws_graph *generated(const char *description)
{
    struct gws_graph *graph = NULL;
    ck_assert_int_eq(gws_graph_generate(workers, description, &graph, NULL), GWS_OK);
    return graph;
}

/* Makes a graph of random arcs, some of them parallel. One vertex in `every` has long_row arcs. The other vertices
 * have at most 11 arcs. */
static struct gws_graph *uneven(uint64_t vertices, uint64_t every, uint64_t long_row)
{
    struct gws_graph *graph = NULL;
    uint64_t arcs = 0, random = 5;
    struct gws_edge *edge = malloc((vertices * 12 + (vertices / every + 1) * long_row + 1) * sizeof *edge);
    for (uint32_t v = 0; v < vertices; v++) {
        uint64_t row = v % every == every - 1 ? long_row : gws_random_below(gws_random_next(&random), 12);
        for (uint64_t a = 0; a < row; a++)
            edge[arcs++] = (struct gws_edge){v, gws_random_below(gws_random_next(&random), (uint32_t)vertices)};
    }
    struct gws_edge_block block = {.edge = edge, .count = arcs};
    struct gws_edges all = {vertices, 1, &block};
    ck_assert_int_eq(gws_graph_build(workers, &all, NULL, &graph), GWS_OK);
    free(edge);
    return graph;
}

/* ---- the oracle, which gives words to one row after the other up to the capacity ---- */

struct split_oracle {
    const struct gws_graph *graph;
    uint64_t *cached, capacity;
};

static void give_heads(struct split_oracle *oracle, uint64_t max)
{
    bool given = true;
    for (uint64_t round = 0; round < max && given; round++) {
        given = false;
        for (uint64_t v = oracle->graph->vertices; v-- > 0;) {
            if (oracle->capacity == 0 || gws_graph_degree(oracle->graph, (uint32_t)v) <= round) continue;
            oracle->cached[v]++;
            oracle->capacity--;
            given = true;
        }
    }
}

static const struct gws_graph *sorted; /* for qsort() */

static int by_length(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    uint64_t long_x = gws_graph_degree(sorted, x), long_y = gws_graph_degree(sorted, y);
    return long_x != long_y ? (long_x < long_y ? -1 : 1) : (x > y ? -1 : 1);
}

static int by_length_down(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    bool equal = gws_graph_degree(sorted, x) == gws_graph_degree(sorted, y);
    return equal ? by_length(a, b) : -by_length(a, b);
}

/* Takes whole rows until a row does not fit. */
static void give_rows(struct split_oracle *oracle, int (*order)(const void *, const void *))
{
    uint64_t vertices = oracle->graph->vertices;
    uint32_t *vertex = malloc(vertices * sizeof *vertex + 1);
    for (uint32_t v = 0; v < vertices; v++) vertex[v] = v;
    sorted = oracle->graph;
    qsort(vertex, vertices, sizeof *vertex, order);
    for (uint64_t i = 0; i < vertices; i++) {
        uint64_t more = gws_graph_degree(oracle->graph, vertex[i]) - oracle->cached[vertex[i]];
        if (more > oracle->capacity) break;
        oracle->cached[vertex[i]] += more;
        oracle->capacity -= more;
    }
    free(vertex);
}

static void compare(const struct gws__split_rows *rows, uint64_t capacity, const struct split_oracle *oracle)
{
    ck_assert_uint_eq(capacity, oracle->capacity);
    for (uint64_t v = 0; v < rows->graph->vertices; v++)
        ck_assert_uint_eq(gws__split_rows_cached(rows, v), oracle->cached[v]);
}

/* ---- where the words lie ---- */

/* Computes a number from base and low as the kernel does. */
static uint64_t whole_number(uint64_t base, uint32_t low)
{
    while ((uint32_t)base != low) base++;
    return base;
}

/* Reads the words piece by piece, and checks that each read writes no word outside its piece. */
static uint32_t *part_words(const struct gws__split_rows *rows, uint32_t part, uint64_t piece)
{
    uint64_t count = rows->base[rows->blocks * gws__row_parts + part];
    uint32_t *words = malloc(count * 4 + 4), *staging = malloc((piece + 2) * 4);
    for (uint64_t at = 0; at < count; at += piece) {
        uint64_t end = at + piece < count ? at + piece : count;
        staging[0] = staging[1 + end - at] = 0xfeedbeef;
        gws__split_rows_words(workers, rows, part, at, end, staging + 1);
        ck_assert(staging[0] == 0xfeedbeef && staging[1 + end - at] == 0xfeedbeef);
        memcpy(words + at, staging + 1, (end - at) * 4);
    }
    free(staging);
    return words;
}

static void check_words(struct gws__split_rows *rows, uint64_t piece)
{
    gws__split_rows_layout(workers, rows);
    const struct gws_graph *graph = rows->graph;
    uint64_t *bound = malloc((graph->vertices + 1) * sizeof *bound), touched = 0, whole = 0;
    for (uint64_t b = 0; b < rows->blocks; b++)
        gws__split_rows_bounds(workers, rows, b, b + 1, bound + b * SPLIT_ROWS_BLOCK);
    uint32_t *cached = part_words(rows, gws__row_on_device, piece), *rest = part_words(rows, gws__row_on_host, piece);
    for (uint64_t v = 0; v < graph->vertices; v++) {
        uint32_t first = (uint32_t)bound[v + 1] - (uint32_t)bound[v];
        uint32_t others = (uint32_t)(bound[v + 1] >> 32) - (uint32_t)(bound[v] >> 32);
        const uint32_t *row = graph->target + graph->offset[v];
        const uint64_t *base = rows->base + v / SPLIT_ROWS_BLOCK * gws__row_parts;
        ck_assert_uint_eq(first, gws__split_rows_cached(rows, v));
        ck_assert_uint_eq((uint64_t)first + others, gws_graph_degree(graph, (uint32_t)v));
        ck_assert_mem_eq(cached + whole_number(base[gws__row_on_device], (uint32_t)bound[v]), row, first * 4);
        ck_assert_mem_eq(rest + whole_number(base[gws__row_on_host], (uint32_t)(bound[v] >> 32)), row + first,
                         others * 4);
        touched += first > 0;
        whole += first > 0 && others == 0;
    }
    ck_assert_uint_eq(rows->touched, touched);
    ck_assert_uint_eq(rows->whole, whole);
    free(bound);
    free(cached);
    free(rest);
}

/* ---- the tests ---- */

enum { heads, heads_and_hubs, hubs, small, strategies };

static void cache(struct gws__split_rows *rows, int strategy, uint64_t max, uint64_t *capacity)
{
    if (strategy <= heads_and_hubs) gws__split_rows_cache_heads(workers, rows, max, capacity);
    if (strategy == heads_and_hubs || strategy == hubs) gws__split_rows_cache_hubs(workers, rows, capacity);
    if (strategy == small) gws__split_rows_cache_small(workers, rows, capacity);
}

static void give(struct split_oracle *oracle, int strategy, uint64_t max)
{
    if (strategy <= heads_and_hubs) give_heads(oracle, max);
    if (strategy == heads_and_hubs || strategy == hubs) give_rows(oracle, by_length_down);
    if (strategy == small) give_rows(oracle, by_length);
}

static void choose(const struct gws_graph *graph, uint64_t capacity, uint64_t max)
{
    for (int strategy = 0; strategy < strategies; strategy++) {
        struct gws__split_rows rows = {0};
        struct split_oracle oracle = {graph, calloc(graph->vertices + 1, sizeof *oracle.cached), capacity};
        uint64_t left = capacity;
        ck_assert_int_eq(gws__split_rows_open(workers, graph, &rows, NULL), GWS_OK);
        cache(&rows, strategy, max, &left);
        give(&oracle, strategy, max);
        compare(&rows, left, &oracle);
        check_words(&rows, graph->arcs / 7 + 1);
        gws__split_rows_close(workers, &rows);
        free(oracle.cached);
    }
}

/* One and three workers take half of the limits each. */
static void choose_all(struct gws_graph *graph, uint32_t threads)
{
    static const uint64_t max[] = {0, 1, 8, 3000, gws__row_all};
    uint64_t capacities[] = {
        0, 1, graph->vertices / 2, graph->vertices * 5, graph->arcs / 2, graph->arcs - 1, graph->arcs, UINT64_MAX / 8};
    size_t step = gws_test_quick() ? 5 : 2;
    for (size_t r = 0; r < sizeof capacities / sizeof *capacities; r++)
        for (size_t m = (r + threads / 2) % step; m < sizeof max / sizeof *max; m += step)
            if (graph->arcs > 0 || capacities[r] < graph->arcs) choose(graph, capacities[r], max[m]);
    gws_graph_destroy(graph);
}

START_TEST(rows_are_chosen_like_the_serial_choice)
{
    for (uint32_t threads = gws_test_quick() ? 3 : 1; threads <= 3; threads += 2) {
        open_workers(threads);
        choose_all(generated("kron:11"), threads);
        choose_all(generated("grid:64x32"), threads); /* two whole blocks */
        choose_all(generated("grid:1x1"), threads);
        choose_all(uneven(3000, 100, 1100), threads);
        choose_all(uneven(1025, 1025, 5000), threads);
        gws_runtime_close(workers);
    }
}
END_TEST

/* The length of a row has three digits of the histogram. */
START_TEST(a_row_of_millions_is_measured)
{
    uint64_t row = ((uint64_t)1 << 20) + 1029;
    open_workers(2);
    struct gws_graph *graph = uneven(40, 40, row);
    for (uint64_t capacity = row - 2; capacity <= row + 400; capacity += 402) choose(graph, capacity, gws__row_all);
    gws_graph_destroy(graph);
    gws_runtime_close(workers);
}
END_TEST

/* The bounds describe more than 2^32 words, for which this machine may not have the memory. The test reads none of
 * these words. */
START_TEST(too_many_arcs_in_a_block_are_refused)
{
    enum { vertices = 2048 };
    static uint64_t offset[vertices + 1];
    struct gws__split_rows rows = {0};
    struct gws_diagnostic where = {0};
    open_workers(1);
    for (uint64_t v = 0; v <= vertices; v++) offset[v] = v * (((uint64_t)1 << 21) - 1);
    struct gws_graph graph = {.vertices = vertices, .arcs = offset[vertices], .offset = offset};
    ck_assert_int_eq(gws__split_rows_open(workers, &graph, &rows, &where), GWS_OK);
    gws__split_rows_layout(workers, &rows);
    ck_assert_uint_eq(rows.base[2 * gws__row_parts + gws__row_on_host], graph.arcs);
    uint64_t bound[vertices + 1];
    gws__split_rows_bounds(workers, &rows, 0, 2, bound);
    for (uint64_t v = 0; v <= vertices; v++) ck_assert_uint_eq(bound[v], offset[v] << 32);
    gws__split_rows_close(workers, &rows);
    for (uint64_t v = 1500; v <= vertices; v++) offset[v] += (uint64_t)1 << 31;
    ck_assert_int_eq(gws__split_rows_open(workers, &graph, &rows, &where), GWS_TOO_LARGE);
    ck_assert(strstr(where.message, "1024 to 2047"));
    gws__split_rows_close(workers, &rows);
    gws_runtime_close(workers);
}
END_TEST

START_TEST(short_of_memory)
{
    for (uint64_t k = 1;; k += gws_test_step()) {
        struct gws_test_memory memory = {.fail_at = 0};
        struct gws_options options = {.threads = 1, .allocator = gws_test_allocator(&memory)};
        struct gws__split_rows rows = {0};
        uint64_t capacity = 300;
        ck_assert_int_eq(gws_runtime_open(&options, &workers), GWS_OK);
        struct gws_graph *graph = generated("kron:6");
        memory.fail_at = atomic_load(&memory.calls) + k;
        gws_status status = gws__split_rows_open(workers, graph, &rows, NULL);
        if (status == GWS_OK) gws__split_rows_cache_heads(workers, &rows, 3, &capacity);
        ck_assert_int_eq(status, memory.failed ? GWS_NO_MEMORY : GWS_OK);
        memory.fail_at = 0;
        gws__split_rows_close(workers, &rows);
        gws_graph_destroy(graph);
        gws_runtime_close(workers);
        gws_test_memory_check(&memory);
        if (!memory.failed) break;
    }
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{rows_are_chosen_like_the_serial_choice, 1},
                                    {a_row_of_millions_is_measured, 1},
                                    {too_many_arcs_in_a_block_are_refused, 1},
                                    {short_of_memory, 1},
                                    {0}};
    return gws_test_run("rows of a search in the host's memory", test);
}
