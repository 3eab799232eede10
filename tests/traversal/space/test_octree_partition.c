/* SPDX-License-Identifier: MIT */
/* Tests non-temporal stores of records: copies of any length and alignment, in touched and untouched memory. Trees
 * built in memory of a previous tree must equal the trees built in fresh memory. */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "../../harness.h"

#include <sys/mman.h>

#include "../../../lib/caching_allocator.h"
#include "../../../traversal/octree.h"
#include "../../../traversal/space/octree_partition.h"

START_TEST(copies_are_exact)
{
    enum { capacity = 1024, longest = 400 };
    static unsigned char from[capacity], to[capacity];
    for (int i = 0; i < capacity; i++) from[i] = (unsigned char)(i * 7 + i / 251 + 1);
    for (int to_at = 0; to_at < 70; to_at++)
        for (int bytes = 0; bytes < longest; bytes += 1 + bytes / 9) {
            memset(to, 0, sizeof to);
            gws__octree_stream(to + to_at, from + bytes % 13, (uint64_t)bytes);
            if (memcmp(to + to_at, from + bytes % 13, (size_t)bytes) != 0) ck_abort_msg("%d bytes", bytes);
            for (int i = 0; i < capacity; i++)
                if ((i < to_at || i >= to_at + bytes) && to[i]) ck_abort_msg("byte %d of %d at %d", i, bytes, to_at);
        }
}
END_TEST

START_TEST(touched_memory_is_known)
{
    enum { bytes = 1 << 20 };
    char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(memory, MAP_FAILED);
    ck_assert(!gws__octree_is_touched(memory, bytes));
    memset(memory, 1, bytes);
#ifdef __linux__
    ck_assert(gws__octree_is_touched(memory, bytes));
    ck_assert(gws__octree_is_touched(memory + 100, bytes - 100));
#endif
    munmap(memory, bytes);
}
END_TEST

/* ---- trees ---- */

/* Enough points for 32 MiB of records. The builder may stream records from this size on. */
static const uint64_t enough = (UINT64_C(32) << 20) / 8 + 12345;

static void make_points(uint64_t count, float *axis[3], struct gws_points *points)
{
    uint32_t state = 1;
    for (int a = 0; a < 3; a++) {
        axis[a] = malloc(count * sizeof(float));
        ck_assert_ptr_nonnull(axis[a]);
        for (uint64_t i = 0; i < count; i++) {
            state = state * 1664525U + 1013904223U;
            axis[a][i] = (float)(state >> 8) / (float)(1 << 24);
        }
    }
    *points = (struct gws_points){.count = count, .x = axis[0], .y = axis[1], .z = axis[2]};
}

static void must_be_same(const struct gws_octree *a, const struct gws_octree *b)
{
    ck_assert_uint_eq(a->nodes, b->nodes);
    ck_assert_uint_eq(a->leaves, b->leaves);
    ck_assert_mem_eq(a->leaf, b->leaf, a->leaves * sizeof *a->leaf);
    for (uint64_t i = 0; i < a->nodes; i++)
        if (a->node[i].key != b->node[i].key || a->node[i].begin != b->node[i].begin ||
            a->node[i].end != b->node[i].end || a->node[i].first_child != b->node[i].first_child)
            ck_abort_msg("node %llu", (unsigned long long)i);
    if (a->index32) ck_assert_mem_eq(a->index32, b->index32, a->points * sizeof *a->index32);
    if (a->index64) ck_assert_mem_eq(a->index64, b->index64, a->points * sizeof *a->index64);
}

/* Builds a tree in fresh memory, then again in memory of another tree, and then with failing allocations. */
static void build_again(bool wide, uint32_t threads)
{
    struct gws_test_memory memory = {.fail_at = 0};
    struct gws_allocator under = gws_test_allocator(&memory);
    struct gws_caching_allocator *cache = NULL;
    ck_assert_int_eq(gws_caching_allocator_open(&under, &cache), GWS_OK);
    struct gws_options fresh = {.threads = threads}, cached = {.threads = threads, .allocator = under};
    cached.allocator = gws_caching_allocator_calls(cache);
    struct gws_runtime *runtime[2] = {0};
    ck_assert_int_eq(gws_runtime_open(&fresh, &runtime[0]), GWS_OK);
    ck_assert_int_eq(gws_runtime_open(&cached, &runtime[1]), GWS_OK);
    float *axis[3];
    struct gws_points points;
    make_points(enough, axis, &points);
    struct gws_octree_options options = {.wide = wide};
    struct gws_octree *one = NULL, *again = NULL;
    ck_assert_int_eq(gws_octree_build(runtime[0], &points, &options, &one, NULL), GWS_OK);
    const struct gws_points others = {.count = points.count, .x = axis[1], .y = axis[2], .z = axis[0]};
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(gws_octree_build(runtime[1], i == 1 ? &points : &others, &options, &again, NULL), GWS_OK);
        if (i == 1) must_be_same(one, again);
        gws_octree_destroy(again);
        again = NULL;
    }
    for (uint64_t k = 1; k <= (gws_test_quick() ? 2 : 16); k++) {
        memory.fail_at = memory.calls + k;
        gws_status status = gws_octree_build(runtime[1], &points, &options, &again, NULL);
        if (status == GWS_OK) must_be_same(one, again);
        if (status != GWS_OK) ck_assert(status == GWS_NO_MEMORY && again == NULL);
        gws_octree_destroy(again);
        again = NULL;
    }
    gws_octree_destroy(one);
    for (int a = 0; a < 3; a++) free(axis[a]);
    for (int r = 0; r < 2; r++) gws_runtime_close(runtime[r]);
    gws_caching_allocator_close(cache);
    gws_test_memory_check(&memory);
}

START_TEST(a_tree_where_another_was)
{
    build_again(_i & 1, _i & 2 ? 3 : 1);
}
END_TEST

static Suite *partition_suite(void)
{
    Suite *suite = suite_create("octree_partition");
    TCase *tcase = tcase_create("octree_partition");
    tcase_add_test(tcase, copies_are_exact);
    tcase_add_test(tcase, touched_memory_is_known);
    tcase_add_loop_test(tcase, a_tree_where_another_was, gws_test_quick() ? 3 : 0, 4);
    suite_add_tcase(suite, tcase);
    return suite;
}

int main(void)
{
    return gws_test_main(partition_suite);
}
