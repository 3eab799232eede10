/* SPDX-License-Identifier: MIT */
/* Tests the one queue for all workers. Every worker sees the same tasks, first in, first out. Steals find no task. A
 * reserved slot stays valid. test_task_queue.c tests the common contract. */
#include "../../harness.h"

#include "one_queue.h"

enum { workers = 3 };

static void global_open(struct queue *queue, uint64_t capacity)
{
    ck_assert_int_eq(queue_init(queue, &gws__task_queue_global, workers, 3, capacity), GWS_OK);
}

START_TEST(first_in_first_out_for_all)
{
    for (uint64_t count = 0; count < 200; count++) {
        struct queue queue = {0};
        global_open(&queue, 1);
        for (uint64_t i = 0; i < count; i++) ck_assert(queue_push(&queue, (uint32_t)(i % workers), i));
        for (uint32_t w = 0; w < workers; w++) ck_assert_uint_eq(queue_length(&queue, w), count);
        for (uint64_t i = 0; i < count; i++)
            ck_assert_int_eq(queue_pop(&queue, (uint32_t)(i * 7 / 5 % workers)), (int64_t)i);
        queue_expect(&queue, 0, 0, 1, 0);
        queue_destroy(&queue);
    }
}
END_TEST

START_TEST(pop_gives_up_to_max)
{
    struct queue queue = {0};
    uint64_t out[5 * 3];
    global_open(&queue, 4);
    queue_push_all(&queue, 0, 0, 7);
    ck_assert_uint_eq(queue.ops->pop(queue.state, 1, 5, out), 5);
    for (int i = 0; i < 5; i++) ck_assert_int_eq(queue_read(&queue, out + 3 * (ptrdiff_t)i), i);
    ck_assert_uint_eq(queue.ops->pop(queue.state, 2, 5, out), 2);
    ck_assert_int_eq(queue_read(&queue, out), 5);
    ck_assert_uint_eq(queue.ops->pop(queue.state, 0, 5, out), 0);
    queue_destroy(&queue);
}
END_TEST

START_TEST(nothing_is_stolen)
{
    struct queue queue = {0};
    global_open(&queue, 4);
    queue_push_all(&queue, 0, 0, 3);
    struct gws_steal_request request = {.thief = 1, .victim = 0, .amount = queue_half, .wait = true};
    ck_assert_int_eq(queue_steal(&queue, &request).acquired, GWS_ACQUIRE_EMPTY);
    ck_assert_uint_eq(queue_length(&queue, 1), 3);
    queue_destroy(&queue);
}
END_TEST

START_TEST(no_worker_goes_idle_while_there_are_tasks)
{
    struct queue queue = {0};
    global_open(&queue, 4);
    ck_assert(gws__task_queue_global.mark_idle(queue.state, 1));
    queue_push_all(&queue, 0, 0, 1);
    ck_assert(!gws__task_queue_global.mark_idle(queue.state, 2));
    gws__task_queue_global.mark_active(queue.state, 1);
    queue_expect(&queue, 1, 0, 1, 1);
    ck_assert(gws__task_queue_global.mark_idle(queue.state, 2));
    queue_destroy(&queue);
}
END_TEST

/* All workers have reserved a slot when memory runs out. Each worker must still be able to commit its task. */
START_TEST(reserved_slots_remain_valid)
{
    struct queue queue = {0};
    global_open(&queue, 8);
    queue.memory.fail_at = queue.memory.calls + 1;
    queue.memory.fail_after = true;
    uint64_t *slot[workers], made = 0;
    for (uint32_t w = 0; w < workers; w++) slot[w] = queue.ops->reserve(queue.state, w);
    for (uint32_t w = 0; w < workers; w++) ck_assert_ptr_eq(queue.ops->reserve(queue.state, w), slot[w]);
    while (queue_push(&queue, 0, made)) made++;
    ck_assert_uint_ge(made, 8);
    for (uint32_t w = 1; w < workers; w++) {
        queue_write(&queue, slot[w], made++);
        queue.ops->commit(queue.state, w);
    }
    for (uint32_t w = 0; w < workers; w++) ck_assert(!queue_push(&queue, w, 99));
    ck_assert_int_eq(queue_pop(&queue, 2), 0);
    ck_assert(queue_push(&queue, 1, made++) && !queue_push(&queue, 2, 99));
    queue_expect(&queue, 0, 1, 1, made - 1);
    queue_destroy(&queue);
}
END_TEST

START_TEST(memory_that_fails_at_any_call)
{
    for (uint64_t k = 1;; k += gws_test_step()) {
        struct queue queue = {.memory = {.fail_at = k}};
        gws_status status = queue_init(&queue, &gws__task_queue_global, workers, 3, 2);
        ck_assert_int_eq(status, queue.memory.failed ? GWS_NO_MEMORY : GWS_OK);
        uint64_t made = 0;
        while (status == GWS_OK && made < 60) made += queue_push(&queue, (uint32_t)(made % workers), made);
        if (status == GWS_OK) queue_expect(&queue, 0, 0, 1, made);
        queue_destroy(&queue);
        if (!queue.memory.failed) break;
        ck_assert_uint_lt(k, 20);
    }
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{first_in_first_out_for_all, 1},
                                    {pop_gives_up_to_max, 1},
                                    {nothing_is_stolen, 1},
                                    {no_worker_goes_idle_while_there_are_tasks, 1},
                                    {reserved_slots_remain_valid, 1},
                                    {memory_that_fails_at_any_call, 1},
                                    {0}};
    return gws_test_run("global", test);
}
