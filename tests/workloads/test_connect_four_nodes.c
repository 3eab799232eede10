/* SPDX-License-Identifier: MIT */
/* The memory of open positions. Workers reuse nodes that one worker acquired and another released, so the memory stays
 * near the number of nodes in use. No two workers acquire the same node. */
#include "../policies.h"

#include "../../workloads/connect_four_nodes.h"

enum { magazine = gws__magazine_nodes };

static struct gws_runtime *two_workers(struct gws_test_memory *memory)
{
    struct gws_options options = {.threads = 2, .allocator = gws_test_allocator(memory)};
    struct gws_runtime *runtime = NULL;
    ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
    return runtime;
}

START_TEST(nodes_go_round)
{
    struct gws_test_memory memory = {0};
    struct gws_runtime *runtime = two_workers(&memory);
    struct gws__nodes nodes;
    ck_assert_int_eq(gws__nodes_make(runtime, &nodes), GWS_OK);
    for (int i = 0; i < 200 * magazine; i++) gws__nodes_release(&nodes, 1, gws__nodes_acquire(&nodes, 0));
    ck_assert_uint_le(nodes.magazines, 4);
    gws__nodes_clear(&nodes);
    gws_runtime_close(runtime);
    gws_test_memory_check(&memory);
}
END_TEST

/* One worker acquires all nodes, and the other worker releases them. Then the workers reuse them without new memory. */
START_TEST(all_at_once)
{
    enum { count = 10 * magazine + 3 };
    static struct gws__node *out[count];
    struct gws_test_memory memory = {0};
    struct gws_runtime *runtime = two_workers(&memory);
    struct gws__nodes nodes;
    ck_assert_int_eq(gws__nodes_make(runtime, &nodes), GWS_OK);
    for (uint32_t round = 0; round < 6; round++) {
        for (uint64_t i = 0; i < count; i++) {
            out[i] = gws__nodes_acquire(&nodes, round % 2);
            out[i]->as.level = i;
        }
        for (uint64_t i = 0; i < count; i++)
            if (out[i]->as.level != i) ck_abort_msg("node %llu was handed out twice", (unsigned long long)i);
        for (uint64_t i = 0; i < count; i++) gws__nodes_release(&nodes, (round + 1) % 2, out[i]);
        ck_assert_uint_le(nodes.magazines, 11 + 4);
    }
    gws__nodes_clear(&nodes);
    gws_runtime_close(runtime);
    gws_test_memory_check(&memory);
}
END_TEST

START_TEST(no_memory)
{
    struct gws_test_memory memory = {0};
    struct gws_runtime *runtime = two_workers(&memory);
    struct gws__nodes nodes;
    ck_assert_int_eq(gws__nodes_make(runtime, &nodes), GWS_OK);
    memory.fail_at = atomic_load(&memory.calls) + 2;
    for (int i = 0; i < magazine; i++) ck_assert_ptr_nonnull(gws__nodes_acquire(&nodes, 0));
    ck_assert_ptr_null(gws__nodes_acquire(&nodes, 1));
    ck_assert_ptr_nonnull(gws__nodes_acquire(&nodes, 1));
    gws__nodes_clear(&nodes);
    gws_runtime_close(runtime);
    gws_test_memory_check(&memory);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{nodes_go_round, 1}, {all_at_once, 1}, {no_memory, 1}, {0}};
    return gws_test_run("nodes of four-in-a-row", test);
}
