/* SPDX-License-Identifier: MIT */
/* Tests the limits of the split queue: short memory, and a held lock. */
#include "../../harness.h"

#include <pthread.h>
#include <sched.h>

#include "one_queue.h"

enum { owner, thief, third, workers };

static const struct gws_steal_request steal_whole = {.thief = thief, .victim = owner, .amount = queue_whole};
static const struct gws_steal_request steal_one = {.thief = thief, .victim = owner, .amount = queue_chunk, .chunk = 1};

static void split_open(struct queue *queue, uint64_t capacity)
{
    ck_assert_int_eq(queue_init(queue, &gws__task_queue_split, workers, 3, capacity), GWS_OK);
}

/* ---- memory ---- */

START_TEST(a_full_queue_that_cannot_grow_says_so_and_goes_on)
{
    struct queue queue = {0};
    split_open(&queue, 8);
    queue.memory.fail_at = queue.memory.calls + 1;
    queue.memory.fail_after = true;
    queue_push_all(&queue, owner, 0, 8);
    ck_assert(!queue_push(&queue, owner, 8) && !queue_push(&queue, owner, 8));
    ck_assert_uint_eq(queue_length(&queue, owner), 8);
    ck_assert_int_eq(queue_steal(&queue, &steal_one).first, 0); /* a steal frees slots too */
    ck_assert(queue_push(&queue, owner, 8) && !queue_push(&queue, owner, 9));
    ck_assert_int_eq(queue_pop(&queue, owner), 8);
    ck_assert(queue_push(&queue, owner, 9) && !queue_push(&queue, owner, 10));
    ck_assert_int_eq(queue_pop(&queue, owner), 9);
    queue_expect(&queue, owner, 7, -1, 7);
    queue_destroy(&queue);
}
END_TEST

START_TEST(a_thief_that_cannot_grow_takes_what_fits)
{
    struct queue queue = {0};
    split_open(&queue, 4);
    queue_push_all(&queue, owner, 0, 60);
    queue.memory.fail_at = queue.memory.calls + 1;
    queue.memory.fail_after = true;
    struct queue_stolen stolen = queue_steal(&queue, &steal_whole);
    ck_assert_int_eq(stolen.acquired, GWS_ACQUIRED);
    ck_assert_uint_eq(stolen.taken, 5);
    queue_expect(&queue, thief, 4, -1, 4);
    ck_assert_uint_eq(queue_length(&queue, owner), 55);
    queue_destroy(&queue);
}
END_TEST

START_TEST(memory_that_fails_at_any_call)
{
    for (uint64_t k = 1;; k += gws_test_step()) {
        struct queue queue = {.memory = {.fail_at = k}};
        gws_status status = queue_init(&queue, &gws__task_queue_split, workers, 3, 2);
        ck_assert_int_eq(status, queue.memory.failed ? GWS_NO_MEMORY : GWS_OK);
        int64_t made = 0;
        while (status == GWS_OK && made < 40 && (queue_push(&queue, owner, (uint64_t)made) || queue.memory.failed))
            made += queue_length(&queue, owner) > (uint64_t)made;
        if (status == GWS_OK) queue_expect(&queue, owner, made - 1, -1, (uint64_t)made);
        queue_destroy(&queue);
        if (!queue.memory.failed) break;
        ck_assert_uint_lt(k, 20);
    }
}
END_TEST

START_TEST(sizes_that_cannot_be)
{
    struct queue queue = {0};
    ck_assert_int_eq(queue_init(&queue, &gws__task_queue_split, 1, 512, (uint64_t)1 << 52), GWS_NO_MEMORY);
    queue_destroy(&queue);
}
END_TEST

/* ---- a lock that is held ---- */

/* A steal calls the amount once before the victim's lock, to grow the thief's queue, and once under the lock. Another
 * thief arrives during the second call. */
static struct {
    struct queue *queue;
    uint32_t calls;
    struct queue_stolen other;
    pthread_t thread;
    _Atomic bool came;
} meeting;

static uint64_t meet_one_who_gives_up(uint64_t length, uint64_t chunk)
{
    (void)chunk;
    struct gws_steal_request request = {.thief = third, .victim = owner, .amount = queue_half};
    if (++meeting.calls == 2) meeting.other = queue_steal(meeting.queue, &request);
    return length;
}

START_TEST(a_thief_aborts_where_another_is_at_it)
{
    struct queue queue = {0};
    split_open(&queue, 32);
    queue_push_all(&queue, owner, 0, 30);
    meeting.queue = &queue;
    struct gws_steal_request request = {.thief = thief, .victim = owner, .amount = meet_one_who_gives_up, .wait = true};
    ck_assert_int_eq(queue_steal(&queue, &request).acquired, GWS_ACQUIRED);
    ck_assert_uint_eq(meeting.calls, 2);
    ck_assert_int_eq(meeting.other.acquired, GWS_ACQUIRE_ABORTED);
    queue_destroy(&queue);
}
END_TEST

static void *steal_waiting(void *argument)
{
    (void)argument;
    struct gws_steal_request request = {.thief = third, .victim = owner, .amount = queue_half, .wait = true};
    meeting.came = true;
    meeting.other = queue_steal(meeting.queue, &request);
    return NULL;
}

static uint64_t meet_one_who_waits(uint64_t length, uint64_t chunk)
{
    (void)chunk;
    if (++meeting.calls == 2) {
        ck_assert_int_eq(pthread_create(&meeting.thread, NULL, steal_waiting, NULL), 0);
        while (!meeting.came) sched_yield();
        for (int i = 0; i < 1000; i++) sched_yield();
    }
    return length == 1 ? 1 : length / 2;
}

START_TEST(a_thief_that_is_to_wait_does)
{
    struct queue queue = {0};
    split_open(&queue, 32);
    queue_push_all(&queue, owner, 0, 30);
    meeting.queue = &queue;
    struct gws_steal_request request = {.thief = thief, .victim = owner, .amount = meet_one_who_waits};
    struct queue_stolen stolen = queue_steal(&queue, &request);
    pthread_join(meeting.thread, NULL);
    ck_assert_int_eq(stolen.acquired, GWS_ACQUIRED);
    ck_assert_int_eq(meeting.other.acquired, GWS_ACQUIRED);
    ck_assert_int_eq(meeting.other.first, (int64_t)stolen.taken);
    queue_destroy(&queue);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{a_full_queue_that_cannot_grow_says_so_and_goes_on, 1},
                                    {a_thief_that_cannot_grow_takes_what_fits, 1},
                                    {memory_that_fails_at_any_call, 1},
                                    {sizes_that_cannot_be, 1},
                                    {a_thief_aborts_where_another_is_at_it, 1},
                                    {a_thief_that_is_to_wait_does, 1},
                                    {0}};
    return gws_test_run("split_edges", test);
}
