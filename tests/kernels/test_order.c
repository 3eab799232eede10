/* SPDX-License-Identifier: MIT */
/* The emulated kernel that orders rows by degree. */
#include "../harness.h"

#define GWS_GROUP_SIZE 1
#define ORDER_HEAVY 64u

/* clang-format off */
#include "../../kernels/portability/host.h"
#include "../../kernels/engine/engine_words.h"
#include "../../kernels/engine/grid.cl"
#include "../../kernels/graph/order_words.h"
#include "../../kernels/graph/order.cl"
/* clang-format on */
#include "emulate.h"
#include "graph.h"

enum { max_groups = 5, max_arcs = 90000 };

static struct {
    u32 number[vertices], vertex[vertices], degree[vertices], place[max_arcs];
    u32 counts[max_groups * ORDER_BUCKETS], heavy[max_arcs / ORDER_HEAVY], heavies;
    u64 row[vertices + 1], sums[max_groups], arrived;
} run;

static void all_groups(void)
{
    graph_order(graph.offset, graph.reverse_offset, graph.source, run.number, run.vertex, run.degree, run.row,
                run.place, run.counts, run.sums, run.heavy, &run.heavies, &run.arrived, vertices);
}

static void check_place(u32 p)
{
    const u32 v = run.vertex[p];
    const u64 begin = graph.reverse_offset[v], arcs = graph.reverse_offset[v + 1] - begin;
    ck_assert_uint_lt(v, vertices);
    ck_assert_uint_eq(run.number[v], p); /* so each vertex has one place */
    ck_assert_uint_eq(run.degree[p], graph.offset[v + 1] - graph.offset[v]);
    if (p > 0) ck_assert_uint_le(run.degree[p], run.degree[p - 1] + run.degree[p - 1] / 32);
    ck_assert_uint_eq(run.row[p + 1] - run.row[p], arcs);
    u64 equal = 0;
    for (u64 i = 0; i < arcs; i++) equal += run.place[run.row[p] + i] == run.number[graph.source[begin + i]] ? 1 : 0;
    ck_assert_uint_eq(equal, arcs);
}

START_TEST(rows_are_in_order)
{
    make_shape(_i);
    ck_assert_uint_le(graph.offset[vertices], max_arcs);
    for (u32 groups = 1; groups <= max_groups; groups += 2) {
        memset(&run, 0x55, sizeof run);
        run.heavies = 0;
        run.arrived = 0;
        emulate_groups(all_groups, groups);
        ck_assert_uint_eq(run.row[0], 0);
        for (u32 p = 0; p < vertices; p++) check_place(p);
    }
    graph_free();
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{rows_are_in_order, shapes}, {0}};
    return gws_test_run("order", test);
}
