/* SPDX-License-Identifier: MIT */
/* Checks kernels/operator/sssp_parents.cl: the parents of given distances are a tree of shortest paths, with and
 * without arcs between equal distances. A test defines before this header: longer(), the distance behind an arc,
 * SSSP_UNREACHED if the type cannot hold it; weight_of(), a weight of one of three kinds. */
static sssp_distance distance[vertices];
static u32 parent[vertices], claimed[vertices];
static bool is_far; /* a distance exceeds the type */

static void run_parents(void)
{
    engine_rounds(graph.offset, graph.target, graph.reverse_offset, graph.source, run.weight, (u32 *)(void *)distance,
                  parent, claimed, NULL, run.visited, run.next, run.far, run.list, run.control, run.sums, run.cursors,
                  run.segments, NULL, run.stop, vertices, run.heavy, run.schedule, run.pull_size, run.word[0], 0, 0, 0);
}

/* Relaxes all arcs until no distance falls. */
static void search_by_weight(u32 source)
{
    bool falls = true;
    is_far = false;
    for (u32 v = 0; v < vertices; v++) distance[v] = v == source ? 0 : SSSP_UNREACHED;
    while (falls) {
        falls = false;
        for (u32 v = 0; v < vertices; v++)
            for (u64 a = graph.offset[v]; distance[v] != SSSP_UNREACHED && a < graph.offset[v + 1]; a++) {
                sssp_distance far = longer(distance[v], a);
                is_far |= far == SSSP_UNREACHED && distance[graph.target[a]] == SSSP_UNREACHED;
                if (far >= distance[graph.target[a]]) continue;
                distance[graph.target[a]] = far;
                falls = true;
            }
    }
}

static bool explains(u32 from, u32 to)
{
    for (u64 a = graph.offset[from]; a < graph.offset[from + 1]; a++)
        if (graph.target[a] == to && longer(distance[from], a) == distance[to]) return true;
    return false;
}

static void check_tree(void)
{
    memset(parent, 0x55, sizeof parent);
    memset(claimed, 0x55, sizeof claimed);
    poison();
    emulate_groups(run_parents, run.groups);
    for (u32 v = 0; v < vertices; v++) {
        u32 steps = 0;
        if (distance[v] == SSSP_UNREACHED && parent[v] != NONE && parent[v] != SSSP_TOO_FAR)
            ck_abort_msg("%u has a parent", v);
        if (distance[v] == SSSP_UNREACHED) continue;
        if (parent[v] >= vertices) ck_abort_msg("%u has no parent", v);
        if (v != run.word[0] && !explains(parent[v], v)) ck_abort_msg("%u is no parent of %u", parent[v], v);
        for (u32 at = v; at != run.word[0]; at = parent[at])
            if (steps++ > vertices) ck_abort_msg("%u is on or below a cycle", v);
    }
    if (!is_far) ck_assert_uint_eq(run.sums[SUM_COUNTED], 0);
}

static void weigh(int kind)
{
    u64 random = 3, arcs = graph.offset[vertices];
    ck_assert_uint_le(arcs, max_arcs);
    for (u64 a = 0; a < arcs; a++) run.weight[a] = weight_of(gws_random_below(gws_random_next(&random), 1000), kind);
}

START_TEST(parents_are_a_tree)
{
    if (gws_test_races() && _i / 3 % 3 != _i % 3) return; /* one kind of weights for each shape */
    make_shape(_i / 3);
    weigh(_i % 3);
    run.word[0] = _i % 2 ? 7 : 0;
    search_by_weight(run.word[0]);
    every_setting(check_tree);
    graph_free();
}
END_TEST

/* The graph is a path. Distances of 32 bits cannot hold those of the vertices behind vertex 5. */
START_TEST(far_vertices_are_counted)
{
    graph_make(0, 1500, vertices);
    weigh(2);
    run.word[0] = 0;
    search_by_weight(0);
    ck_assert_int_eq(is_far, sizeof *distance == sizeof(u32));
    choose(3, 0);
    check_tree();
    ck_assert_uint_eq(run.sums[SUM_COUNTED], is_far);
    graph_free();
}
END_TEST

static Suite *sssp_parents(void)
{
    Suite *suite = suite_create("sssp parents");
    TCase *tests = tcase_create("emulated");
    tcase_add_loop_test(tests, parents_are_a_tree, 0, 3 * shapes);
    tcase_add_test(tests, far_vertices_are_counted);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return gws_test_main(sssp_parents);
}
