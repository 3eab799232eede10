/* SPDX-License-Identifier: MIT */
/* The emulated kernel that reads a path from a tree of parents. */
#include "../harness.h"

#define GWS_GROUP_SIZE 1

/* clang-format off */
#include "../../kernels/portability/host.h"
#include "../../kernels/engine/engine_words.h"
#include "../../kernels/engine/grid.cl"
#include "../../kernels/graph/path_words.h"
#include "../../kernels/graph/path.cl"
/* clang-format on */
#include "emulate.h"

enum { vertices = 1000, source = 17 };

static struct {
    u32 parent[vertices], distance[2 * vertices], vertex[vertices + 1], length;
    u64 at[vertices + 1];
    u32 target, capacity, form;
} run;

static void one_group(void)
{
    graph_path(run.parent, run.distance, run.vertex, run.at, &run.length, source, run.target, vertices, run.capacity,
               run.form);
}

/* The parent of v is v - 7, or the source for vertices up to 7 behind it. Smaller vertices are not reached. */
static void make_tree(void)
{
    for (u32 v = 0; v < vertices; v++) {
        run.parent[v] = v < source ? NONE : v - source <= 7 ? (u32)source : v - 7;
        u64 distance = v * (run.form == PATH_LONGS ? 0x100000001u : 1u);
        if (run.form == PATH_LONGS)
            ((u64 *)(void *)run.distance)[v] = distance;
        else
            run.distance[v] = (u32)distance;
    }
}

static void judge(void)
{
    u32 v = run.target, length = v < source ? 0 : v == source ? 1 : 1 + (v - source + 6) / 7;
    ck_assert_uint_eq(run.length, length);
    ck_assert_uint_eq(run.vertex[run.capacity], 0x5a5a5a5a); /* nothing lies behind the capacity */
    if (length > run.capacity) return;
    for (u32 i = length; i-- > 0; v = run.parent[v]) {
        ck_assert_uint_eq(run.vertex[i], v);
        ck_assert_uint_eq(run.at[i], v * (run.form == PATH_LONGS ? 0x100000001u : 1u));
    }
}

START_TEST(paths_equal_the_tree)
{
    static const u32 targets[] = {source, source + 1, source + 7, source + 8, 700, 999, 16, 0};
    run.form = _i ? PATH_LONGS : PATH_WORDS;
    make_tree();
    for (u32 t = 0; t < sizeof targets / sizeof *targets; t++)
        for (u32 mode = 0; mode < 3; mode++) {
            static const u32 capacity[] = {1, 99, vertices};
            memset(run.vertex, 0x5a, sizeof run.vertex);
            run.target = targets[t];
            run.capacity = capacity[mode];
            emulate_groups(one_group, 1);
            judge();
        }
}
END_TEST

/* A tree with a cycle is an error of the search. The kernel ends. */
START_TEST(a_cycle_ends)
{
    run.form = PATH_WORDS;
    make_tree();
    run.target = 700;
    run.capacity = vertices;
    run.parent[693] = 700;
    emulate_groups(one_group, 1);
    ck_assert_uint_eq(run.length, 0);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{paths_equal_the_tree, 2}, {a_cycle_ends, 1}, {0}};
    return gws_test_run("path", test);
}
