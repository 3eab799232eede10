/* SPDX-License-Identifier: MIT */
/* Host queues (kernels/hetero/host_queue.cl), with threads as groups: each task runs once and finds what the host wrote
 * before, in batches of all sizes; the queue ends each group; a stopped queue ends all groups. */
#include "../harness.h"

#include "../../lib/random.h"

/* clang-format off */
#include "../../kernels/portability/host.h"
#include "../../lib/hetero/host_ring.h"
#include "../../kernels/hetero/host_queue.cl"
#include "host_queue_litmus.cl"
/* clang-format on */
#include "emulate.h"

enum { max_tasks = 4000, max_capacity = 64 };

static struct {
    atom64 words[HOST_QUEUE_SLOTS + max_capacity], state[HOST_QUEUE_BATCH + max_capacity];
    u64 sent[max_tasks], capacity;
    u32 seen[max_tasks], result[2];
} run;

static void groups(void)
{
    host_queue_mark(run.words, run.state, run.capacity, run.seen, run.sent, run.result);
}

/* Enqueues one batch of up to `max` of the words from `next` to `end`: task numbers, and HOST_QUEUE_HALT from `tasks`
 * on. */
static u64 enqueue(struct gws__host_ring *ring, u64 next, u64 tasks, u64 end, u64 max)
{
    u64 task[max_capacity], count = end - next < max ? end - next : max;
    for (u64 i = 0; i < count; i++) {
        task[i] = next + i < tasks ? next + i : HOST_QUEUE_HALT;
        if (next + i < tasks) run.sent[next + i] = (next + i) * LITMUS_KEY;
    }
    return gws__host_ring_enqueue(ring, task, count);
}

static void host_queue_groups(u32 number, u64 capacity, u64 tasks, bool stops)
{
    struct emulated_group group[max_emulated_groups];
    u64 seed = capacity * 100 + number;
    memset(&run, 0, sizeof run);
    run.capacity = capacity;
    struct gws__host_ring ring = {run.words, capacity, 0};
    start_groups(group, groups, number);
    for (u64 next = 0, end = stops ? tasks : tasks + number; next < end;) {
        u64 count = enqueue(&ring, next, tasks, end, 1 + gws_random_below(gws_random_next(&seed), (u32)capacity));
        if (count == 0) sched_yield();
        next += count;
    }
    if (stops) gws__host_ring_stop(&ring);
    join_groups(group, number);
    ck_assert_uint_eq(run.result[0], 0);
    ck_assert_uint_eq(run.result[1], number);
    for (u64 i = 0; i < tasks; i++) ck_assert_uint_le(run.seen[i], 1);
    for (u64 i = 0; i < tasks && !stops; i++) ck_assert_uint_eq(run.seen[i], 1);
    if (!stops) ck_assert_uint_eq(gws__host_ring_space(&ring), capacity);
}

START_TEST(each_task_once)
{
    static const u64 capacities[] = {1, 2, 5, 64};
    u64 tasks = gws_test_quick() ? 400 : max_tasks;
    for (u32 number = 1; number <= 4; number++) host_queue_groups(number, capacities[_i], tasks, false);
    host_queue_groups(3, capacities[_i], 0, false);
}
END_TEST

START_TEST(a_stopped_queue_ends_all_groups)
{
    for (u32 number = 1; number <= 4; number++) {
        host_queue_groups(number, 8, 100, true);
        host_queue_groups(number, 8, 0, true);
    }
}
END_TEST

/* The host fills all slots and no more, before any group runs. */
START_TEST(a_full_queue)
{
    memset(&run, 0, sizeof run);
    run.capacity = 8;
    struct gws__host_ring ring = {run.words, 8, 0};
    ck_assert_uint_eq(enqueue(&ring, 0, 20, 20, 12), 8);
    ck_assert_uint_eq(enqueue(&ring, 8, 20, 20, 12), 0);
    ck_assert_uint_eq(gws__host_ring_space(&ring), 0);
    gws__host_ring_stop(&ring);
    emulate_groups(groups, 2);
    ck_assert_uint_eq(run.result[1], 2);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{each_task_once, 4}, {a_stopped_queue_ends_all_groups, 1}, {a_full_queue, 1}, {0}};
    return gws_test_run("emulated queues", test);
}
