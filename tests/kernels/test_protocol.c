/* SPDX-License-Identifier: MIT */
/* The host-device protocol and the two-ended range (kernels/hetero/range.cl). Threads emulate the device's groups. */
#include "../harness.h"

#include "../../lib/parallel.h"

/* clang-format off */
/* Each source needs the sources before it. */
#include "../../kernels/portability/host.h"
#include "../../kernels/hetero/protocol_words.h"
#include "../../kernels/hetero/range.cl"
#include "../../kernels/hetero/ring.cl"
#include "protocol_litmus.cl"
#include "protocol_litmus.h"
/* clang-format on */

enum { max_groups = 4, window = 2 };

static struct {
    atom64 words[PROTOCOL_WORDS], state[PROTOCOL_STATE], down[RING_SLOTS + litmus_ring], up[RING_SLOTS + litmus_ring];
    u64 mark[litmus_chunks], stats[max_groups * RANGE_STATS], twice, sent[PROTOCOL_SLOTS], patience;
    u32 groups;
    pthread_t thread[max_groups];
    u32 group[max_groups];
    struct litmus litmus;
    bool rings, running;
} run;

static void *group_main(void *argument)
{
    gws_host_group = *(u32 *)argument;
    gws_host_groups = run.groups;
    if (run.rings)
        protocol_rings(run.down, run.up, run.state, litmus_ring, UINT64_MAX);
    else
        protocol_ranges(run.words, run.state, run.mark, &run.twice, run.sent, run.stats, run.litmus.protocol.launches,
                        run.patience, window);
    return NULL;
}

static void join_groups(void)
{
    for (u32 g = 0; run.running && g < run.groups; g++) pthread_join(run.thread[g], NULL);
    run.running = false;
}

/* Launches a kernel, which begins after the previous kernel has ended, as on a device. */
static void launch(struct litmus *litmus)
{
    join_groups();
    litmus->protocol.launches++;
    run.running = true;
    for (u32 g = 0; g < run.groups; g++) {
        run.group[g] = g;
        ck_assert_int_eq(pthread_create(&run.thread[g], NULL, group_main, &run.group[g]), 0);
    }
}

static void begin(u32 groups, u64 patience)
{
    memset(&run, 0, sizeof run);
    run.groups = groups;
    run.patience = patience;
    run.litmus = (struct litmus){.protocol = {.words = run.words},
                                 .mark = run.mark,
                                 .twice = &run.twice,
                                 .sent = run.sent,
                                 .down = run.down,
                                 .up = run.up,
                                 .launch = launch};
}

static u64 rounds(u64 many)
{
    return gws_test_quick() ? many / 5 : many;
}

START_TEST(no_chunk_is_lost)
{
    for (u32 groups = 1; groups <= max_groups; groups++)
        for (u32 hosts = 0; hosts <= litmus_hosts; hosts++) {
            begin(groups, UINT64_MAX);
            launch(&run.litmus);
            litmus_ranges(&run.litmus, rounds(150), hosts, groups * 8 + hosts);
            litmus_end(&run.litmus);
            join_groups();
            ck_assert_uint_eq(run.litmus.protocol.launches, 1);
        }
}
END_TEST

/* Kernels exit after a few fruitless polls, and later kernels continue. */
START_TEST(kernels_exit_and_others_continue)
{
    u64 launches = 0;
    for (u32 groups = 1; groups <= max_groups; groups += 3) {
        begin(groups, 2);
        launch(&run.litmus);
        litmus_ranges(&run.litmus, rounds(100), 2, groups);
        litmus_end(&run.litmus);
        join_groups();
        launches += run.litmus.protocol.launches;
    }
    ck_assert_uint_gt(launches, 2);
}
END_TEST

/* The host runs a range alone, and the device arrives late. */
START_TEST(a_late_device_takes_nothing)
{
    u64 first, last;
    begin(1, UINT64_MAX);
    u64 order = gws__protocol_publish(&run.litmus.protocol, ORDER_RUN, 10, 4);
    ck_assert(gws__range_claim(&run.litmus.protocol, order, 10, 7, &first, &last) && first == 0 && last == 7);
    ck_assert(gws__range_claim(&run.litmus.protocol, order, 10, 7, &first, &last) && first == 7 && last == 10);
    ck_assert(!gws__range_claim(&run.litmus.protocol, order, 10, 7, &first, &last));
    launch(&run.litmus);
    litmus_await(&run.litmus, order);
    ck_assert_uint_eq(gws__protocol_reply_word(&run.litmus.protocol, order, REPLY_RAN), 0);
    litmus_end(&run.litmus);
    join_groups();
}
END_TEST

START_TEST(tasks_cross_exactly_once)
{
    for (u32 groups = 1; groups <= max_groups; groups++) {
        begin(groups, UINT64_MAX);
        run.rings = true;
        launch(&run.litmus);
        litmus_tasks(&run.litmus, rounds(4000));
        join_groups();
    }
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{no_chunk_is_lost, 1},
                                    {kernels_exit_and_others_continue, 1},
                                    {a_late_device_takes_nothing, 1},
                                    {tasks_cross_exactly_once, 1},
                                    {0}};
    return gws_test_run("host-device protocol", test);
}
