/* SPDX-License-Identifier: MIT */
/* Checks kernels/operator/sssp.cl against Dijkstra's algorithm: with one bucket and with many. A test defines before
 * this header: length, the type of the oracle's sums, and NO_LENGTH; weight_of(); encode(), the distance for a sum;
 * weigh(), which draws weights; bucket, the widths of buckets. */
static sssp_distance expected[vertices];
static u32 reached;

/* Dijkstra's algorithm; each step scans all vertices for the nearest one. */
static void search_by_weight(u32 source)
{
    static bool done[vertices];
    static length sum[vertices];
    memset(done, 0, sizeof done);
    for (u32 v = 0; v < vertices; v++) sum[v] = v == source ? 0 : NO_LENGTH;
    for (;;) {
        u32 nearest = NONE;
        for (u32 v = 0; v < vertices; v++)
            if (!done[v] && sum[v] < NO_LENGTH && (nearest == NONE || sum[v] < sum[nearest])) nearest = v;
        if (nearest == NONE) break;
        done[nearest] = true;
        for (u64 a = graph.offset[nearest]; a < graph.offset[nearest + 1]; a++) {
            length far = sum[nearest] + weight_of(a);
            if (far < sum[graph.target[a]]) sum[graph.target[a]] = far;
        }
    }
    reached = 0;
    for (u32 v = 0; v < vertices; v++) {
        expected[v] = encode(sum[v]);
        reached += expected[v] != SSSP_UNREACHED;
    }
}

/* Takes every third width of buckets, in turn: each setting meets all of them on the twelve graphs. */
static size_t calls;

static void check_distances(void)
{
    for (size_t i = calls++ % 3; i < sizeof bucket / sizeof *bucket; i += 3) {
        run.word[2] = bucket[i][0];
        run.word[3] = bucket[i][1];
        poison();
        if (i < 5)
            emulate_groups(all_rounds, run.groups);
        else
            (void)rounds_with_handoffs(2);
        for (u32 v = 0; v < vertices; v++) {
            sssp_distance distance = ((const sssp_distance *)(const void *)&run.data)[v];
            if (distance != expected[v])
                ck_abort_msg("buckets %zu: vertex %u: %llx for %llx", i, v, (unsigned long long)distance,
                             (unsigned long long)expected[v]);
        }
        ck_assert_uint_eq(run.sums[SUM_COUNTED], reached);
    }
}

START_TEST(distances_equal_the_oracles)
{
    if (gws_test_races() && _i / 2 % 2 != _i % 2) return; /* one kind of weights for each shape */
    make_shape(_i / 2);
    weigh(_i % 2);
    run.word[0] = _i % 3 ? 7 : 0;
    search_by_weight(run.word[0]);
    calls = (size_t)_i;
    every_setting(check_distances);
    graph_free();
}
END_TEST

static Suite *sssp(void)
{
    Suite *suite = suite_create("sssp");
    TCase *tests = tcase_create("emulated");
    tcase_add_loop_test(tests, distances_equal_the_oracles, 0, 2 * shapes);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return gws_test_main(sssp);
}
