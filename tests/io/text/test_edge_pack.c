/* SPDX-License-Identifier: MIT */
/* Packed edges are the edges again: all of them, any part, and after their ends have become smaller. */
#include "../../harness.h"

#include "../../../io/text/edge_pack.h"
#include "../../../lib/random.h"

enum { edges = 5000, orders = 5 };

/* Edges in the orders that texts have: by source with any targets, by source with near targets, in no order, the
 * largest ids among small ones, and all alike. */
static void make_edges(int order, struct gws_edge *edge)
{
    for (uint32_t i = 0; i < edges; i++) {
        const uint32_t from = (uint32_t)gws_random_at(1, i), to = (uint32_t)gws_random_at(2, i);
        edge[i] = order == 0   ? (struct gws_edge){i / 7, to % 100000}
                  : order == 1 ? (struct gws_edge){900000 + i, 900000 + i + to % 50}
                  : order == 2 ? (struct gws_edge){from, to}
                  : order == 3 ? (struct gws_edge){i % 999 ? 5 : UINT32_MAX, i % 777 ? 3 : UINT32_MAX}
                               : (struct gws_edge){0, 0};
    }
}

static void check_part(const struct gws__edge_pack *pack, const struct gws_edge *wanted, uint64_t begin, uint64_t end)
{
    struct gws_edge *edge = malloc((end - begin + 1) * sizeof *edge);
    ck_assert(edge != NULL);
    gws__edge_pack_read(pack, begin, end, edge);
    for (uint64_t i = begin; i < end; i++)
        ck_assert(edge[i - begin].from == wanted[i].from && edge[i - begin].to == wanted[i].to);
    free(edge);
}

START_TEST(test_packed)
{
    static const uint64_t count[] = {0, 1, GWS__PACK_EDGES - 1, GWS__PACK_EDGES, GWS__PACK_EDGES + 1, edges};
    struct gws_runtime *runtime = NULL;
    ck_assert_int_eq(gws_runtime_open(NULL, &runtime), GWS_OK);
    struct gws_edge *edge = malloc(edges * sizeof *edge);
    make_edges(_i, edge);
    for (size_t i = 0; i < sizeof count / sizeof *count; i++) {
        struct gws__edge_pack *pack = gws__edge_pack_new(runtime, edge, count[i]);
        ck_assert(pack != NULL);
        check_part(pack, edge, 0, count[i]);
        for (uint64_t begin = 0; begin < count[i]; begin += 311)
            check_part(pack, edge, begin, begin + gws_random_at(3, begin) % (count[i] - begin + 1));
        gws__edge_pack_free(runtime, pack);
    }
    free(edge);
    gws_runtime_close(runtime);
}
END_TEST

/* A number is added to all sources, also of edges that are written after it. */
START_TEST(test_added)
{
    struct gws_runtime *runtime = NULL;
    ck_assert_int_eq(gws_runtime_open(NULL, &runtime), GWS_OK);
    struct gws_edge *edge = malloc(edges * sizeof *edge);
    make_edges(_i, edge);
    struct gws__edge_pack *pack = gws__edge_pack_new(runtime, edge, edges);
    ck_assert(pack != NULL);
    gws__edge_pack_add(pack, 1000);
    gws__edge_pack_add(pack, 234);
    gws__edge_pack_write(pack, GWS__PACK_EDGES, edge + GWS__PACK_EDGES);
    for (uint32_t i = 0; i < edges; i++) edge[i].from += 1234;
    check_part(pack, edge, 0, edges);
    gws__edge_pack_free(runtime, pack);
    free(edge);
    gws_runtime_close(runtime);
}
END_TEST

/* The ends become half as large. */
START_TEST(test_written)
{
    struct gws_runtime *runtime = NULL;
    ck_assert_int_eq(gws_runtime_open(NULL, &runtime), GWS_OK);
    struct gws_edge *edge = malloc(edges * sizeof *edge);
    make_edges(_i, edge);
    struct gws__edge_pack *pack = gws__edge_pack_new(runtime, edge, edges);
    ck_assert(pack != NULL);
    for (uint32_t i = 0; i < edges; i++) edge[i] = (struct gws_edge){edge[i].from / 2, edge[i].to / 2};
    for (uint64_t begin = 0; begin < edges; begin += GWS__PACK_EDGES)
        if (begin / GWS__PACK_EDGES % 2) gws__edge_pack_write(pack, begin, edge + begin);
    for (uint64_t begin = 0; begin < edges; begin += GWS__PACK_EDGES)
        if (begin / GWS__PACK_EDGES % 2 == 0) gws__edge_pack_write(pack, begin, edge + begin);
    check_part(pack, edge, 0, edges);
    gws__edge_pack_free(runtime, pack);
    free(edge);
    gws_runtime_close(runtime);
}
END_TEST

static gws_status pack_once(struct gws_runtime *runtime, const void *context)
{
    struct gws__edge_pack *pack = gws__edge_pack_new(runtime, context, edges);
    gws__edge_pack_free(runtime, pack);
    return pack ? GWS_OK : GWS_NO_MEMORY;
}

START_TEST(test_failing)
{
    struct gws_edge *edge = malloc(edges * sizeof *edge);
    make_edges(0, edge);
    gws_test_each_allocation(1, pack_once, edge);
    free(edge);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {
        {test_packed, orders}, {test_added, orders}, {test_written, orders}, {test_failing, 1}, {0}};
    return gws_test_run("edge_pack", test);
}
