/* SPDX-License-Identifier: MIT */
/* Tests workpiles: the order first in, first out, the tasks that balancing moves, idle workers, and thieves.
 * test_task_queue.c tests the common contract. */
#include "../../harness.h"

#include "../../../lib/random.h"
#include "one_queue.h"

enum { ann, bob, eve, workers };

static void workpile_open(struct queue *queue, uint64_t capacity)
{
    ck_assert_int_eq(queue_init(queue, &gws__task_queue_workpile, workers, 2, capacity), GWS_OK);
}

static uint64_t balance(struct queue *queue, uint32_t self, uint32_t partner, uint64_t threshold)
{
    return queue->ops->balance(queue->state, self, partner, threshold);
}

START_TEST(first_in_first_out)
{
    for (uint64_t count = 0; count < 100; count++) {
        struct queue queue = {0};
        workpile_open(&queue, 1);
        queue_push_all(&queue, ann, 0, count);
        ck_assert_uint_eq(queue_length(&queue, ann), count);
        queue_expect(&queue, ann, 0, 1, count);
        queue_destroy(&queue);
    }
}
END_TEST

START_TEST(pop_gives_the_oldest_in_front)
{
    struct queue queue = {0};
    uint64_t out[4 * 2];
    workpile_open(&queue, 8);
    queue_push_all(&queue, ann, 0, 6);
    ck_assert_uint_eq(queue.ops->pop(queue.state, ann, 4, out), 4);
    for (int i = 0; i < 4; i++) ck_assert_int_eq(queue_read(&queue, out + 2 * (ptrdiff_t)i), i);
    ck_assert_uint_eq(queue.ops->pop(queue.state, ann, 4, out), 2);
    ck_assert_uint_eq(queue.ops->pop(queue.state, ann, 4, out), 0);
    queue_destroy(&queue);
}
END_TEST

/* Balancing moves half of the difference from the end of the longer queue to the end of the shorter queue, whichever
 * worker calls balance(). */
static void meet(uint64_t a, uint64_t b, uint32_t self, uint32_t partner)
{
    struct queue queue = {0};
    workpile_open(&queue, 64);
    queue_push_all(&queue, ann, 0, a);
    queue_push_all(&queue, bob, 1000, b);
    uint64_t more = a > b ? a - b : b - a, balanced = balance(&queue, self, partner, 2);
    if (balanced != (more < 2 ? 0 : more / 2))
        ck_abort_msg("%llu and %llu: %llu moved", (unsigned long long)a, (unsigned long long)b,
                     (unsigned long long)balanced);
    uint32_t longer = a > b ? ann : bob, shorter = longer == ann ? bob : ann;
    uint64_t first_of[] = {0, 1000}, length[] = {a, b}, remaining = length[longer] - balanced;
    for (uint64_t i = 0; i < length[shorter]; i++)
        ck_assert_int_eq(queue_pop(&queue, shorter), (int64_t)(first_of[shorter] + i));
    queue_expect(&queue, shorter, (int64_t)(first_of[longer] + remaining), 1, balanced);
    queue_expect(&queue, longer, (int64_t)first_of[longer], 1, remaining);
    queue_destroy(&queue);
}

START_TEST(balance_equalises)
{
    for (uint64_t a = 0; a < 40; a++)
        for (uint64_t b = 0; b < 40; b++) {
            meet(a, b, ann, bob);
            meet(a, b, bob, ann);
        }
}
END_TEST

START_TEST(balance_minds_the_threshold)
{
    struct queue queue = {0};
    workpile_open(&queue, 64);
    queue_push_all(&queue, ann, 0, 10);
    queue_push_all(&queue, bob, 0, 3);
    ck_assert_uint_eq(balance(&queue, ann, bob, 8), 0);
    ck_assert_uint_eq(balance(&queue, bob, ann, 8), 0);
    ck_assert_uint_eq(balance(&queue, bob, ann, 7), 3);
    ck_assert_uint_eq(balance(&queue, bob, ann, 2), 0);
    ck_assert_uint_eq(balance(&queue, bob, ann, 0), 0);
    ck_assert_uint_eq(balance(&queue, bob, ann, UINT64_MAX), 0);
    queue_destroy(&queue);
}
END_TEST

START_TEST(idle_workers_get_no_tasks)
{
    struct queue queue = {0};
    const struct gws_task_queue *ops = &gws__task_queue_workpile;
    workpile_open(&queue, 64);
    queue_push_all(&queue, ann, 0, 10);
    ck_assert(!ops->mark_idle(queue.state, ann));
    ck_assert(ops->mark_idle(queue.state, bob));
    ck_assert_uint_eq(balance(&queue, ann, bob, 2), 0);
    ck_assert_uint_eq(queue_length(&queue, bob), 0);
    ops->mark_active(queue.state, bob);
    ck_assert_uint_eq(balance(&queue, ann, bob, 2), 5);
    ck_assert(!ops->mark_idle(queue.state, bob)); /* bob has tasks again, so bob stays active */
    ck_assert_uint_eq(balance(&queue, ann, eve, 2), 2);
    ck_assert_uint_eq(balance(&queue, bob, ann, 2), 1);
    queue_destroy(&queue);
}
END_TEST

/* A reserved slot stays free, although a partner adds tasks meanwhile. */
START_TEST(balance_leaves_a_slot_for_a_reserved_task)
{
    struct queue queue = {0};
    workpile_open(&queue, 8);
    queue_push_all(&queue, ann, 0, 100);
    uint64_t *slot = queue.ops->reserve(queue.state, bob);
    ck_assert_uint_eq(balance(&queue, ann, bob, 2), 7);
    ck_assert_uint_eq(balance(&queue, ann, bob, 2), 0);
    queue_write(&queue, slot, 500);
    queue.ops->commit(queue.state, bob);
    ck_assert_uint_eq(balance(&queue, ann, bob, 2), 0); /* bob's queue is full */
    queue_push_all(&queue, bob, 501, 1);                /* the owner grows the queue */
    ck_assert_uint_eq(balance(&queue, ann, bob, 2), 6);
    for (int64_t i = 93; i < 100; i++) ck_assert_int_eq(queue_pop(&queue, bob), i);
    for (int64_t i = 500; i < 502; i++) ck_assert_int_eq(queue_pop(&queue, bob), i);
    queue_expect(&queue, bob, 87, 1, 6);
    queue_expect(&queue, ann, 0, 1, 87);
    queue_destroy(&queue);
}
END_TEST

/* A plain list, with which the test compares random pushes, pops and balances. */
struct task_list {
    int64_t task[4000];
    uint64_t begin, end;
};

static void list_meet(struct task_list *longer, struct task_list *shorter, uint64_t count)
{
    memcpy(&shorter->task[shorter->end], &longer->task[longer->end - count], count * sizeof(int64_t));
    shorter->end += count;
    longer->end -= count;
}

static void follow_lists(uint64_t seed, struct task_list *list)
{
    struct queue queue = {0};
    workpile_open(&queue, 4096);
    for (uint64_t step = 0; step < 2000; step++) {
        uint64_t bits = gws_random_next(&seed);
        uint32_t self = bits % workers, other = (self + 1 + (bits >> 8) % (workers - 1)) % workers;
        struct task_list *mine = &list[self], *others = &list[other];
        if (bits >> 62 == 0) {
            uint64_t a = mine->end - mine->begin, b = others->end - others->begin;
            uint64_t more = a > b ? a - b : b - a, balanced = balance(&queue, self, other, 3);
            if (balanced != (more < 3 ? 0 : more / 2)) ck_abort_msg("balanced %llu", (unsigned long long)balanced);
            list_meet(a > b ? mine : others, a > b ? others : mine, balanced);
        } else if (bits >> 62 == 1) {
            int64_t want = mine->begin < mine->end ? mine->task[mine->begin++] : queue_nothing;
            if (queue_pop(&queue, self) != want) ck_abort_msg("popped another task");
        } else {
            if (!queue_push(&queue, self, step)) ck_abort_msg("full");
            mine->task[mine->end++] = (int64_t)step;
        }
        if (queue_length(&queue, self) != mine->end - mine->begin) ck_abort_msg("wrong length");
    }
    queue_destroy(&queue);
}

START_TEST(follows_lists)
{
    for (uint64_t seed = 1; seed < 40; seed++) {
        struct task_list *list = calloc(workers, sizeof *list);
        follow_lists(seed, list);
        free(list);
    }
}
END_TEST

/* ---- thieves ---- */

START_TEST(a_thief_takes_from_the_end)
{
    for (uint64_t count = 1; count < 60; count++) {
        struct queue queue = {0};
        workpile_open(&queue, 64);
        queue_push_all(&queue, ann, 0, count);
        struct gws_steal_request request = {.thief = bob, .victim = ann, .amount = queue_half};
        struct queue_stolen stolen = queue_steal(&queue, &request);
        ck_assert_int_eq(stolen.acquired, GWS_ACQUIRED);
        ck_assert_uint_eq(stolen.taken, (count + 1) / 2);
        ck_assert_int_eq(stolen.first, (int64_t)(count - stolen.taken));
        queue_expect(&queue, bob, stolen.first + 1, 1, stolen.taken - 1);
        queue_expect(&queue, ann, 0, 1, count - stolen.taken);
        ck_assert_int_eq(queue_steal(&queue, &request).acquired, GWS_ACQUIRE_EMPTY);
        queue_destroy(&queue);
    }
}
END_TEST

START_TEST(a_thief_takes_what_fits)
{
    struct queue queue = {0};
    workpile_open(&queue, 4);
    queue_push_all(&queue, ann, 0, 60);
    struct gws_steal_request request = {.thief = bob, .victim = ann, .amount = queue_whole};
    uint64_t *slot = queue.ops->reserve(queue.state, bob);
    ck_assert_uint_eq(queue_steal(&queue, &request).taken, 4);
    queue_write(&queue, slot, 99);
    queue.ops->commit(queue.state, bob);
    for (int64_t i = 57; i < 60; i++) ck_assert_int_eq(queue_pop(&queue, bob), i);
    queue_expect(&queue, bob, 99, 1, 1);
    queue_destroy(&queue);
}
END_TEST

/* A steal calls the amount under the locks. Another thief arrives during this call. */
static struct {
    struct queue *queue;
    enum gws_acquire of_victim, by_victim;
} meeting;

static uint64_t meet_others(uint64_t length, uint64_t chunk)
{
    (void)chunk;
    struct gws_steal_request of_victim = {.thief = ann, .victim = eve, .amount = queue_half};
    struct gws_steal_request by_victim = {.thief = eve, .victim = ann, .amount = queue_half};
    meeting.of_victim = queue_steal(meeting.queue, &of_victim).acquired;
    meeting.by_victim = queue_steal(meeting.queue, &by_victim).acquired;
    return length;
}

START_TEST(a_thief_aborts_where_another_is_at_it)
{
    struct queue queue = {0};
    workpile_open(&queue, 64);
    queue_push_all(&queue, ann, 0, 10);
    queue_push_all(&queue, eve, 0, 10);
    meeting.queue = &queue;
    struct gws_steal_request request = {.thief = bob, .victim = eve, .amount = meet_others, .wait = true};
    ck_assert_uint_eq(queue_steal(&queue, &request).taken, 10);
    ck_assert_int_eq(meeting.of_victim, GWS_ACQUIRE_ABORTED);
    ck_assert_int_eq(meeting.by_victim, GWS_ACQUIRE_ABORTED);
    struct gws_steal_request later = {.thief = eve, .victim = ann, .amount = queue_half}; /* all locks are free now */
    ck_assert_uint_eq(queue_steal(&queue, &later).taken, 5);
    queue_destroy(&queue);
}
END_TEST

/* ---- memory ---- */

START_TEST(a_full_queue_that_cannot_grow_says_so_and_goes_on)
{
    struct queue queue = {0};
    workpile_open(&queue, 4);
    queue.memory.fail_at = queue.memory.calls + 1;
    queue.memory.fail_after = true;
    queue_push_all(&queue, ann, 0, 4);
    ck_assert(!queue_push(&queue, ann, 4) && !queue_push(&queue, ann, 4));
    ck_assert_int_eq(queue_pop(&queue, ann), 0);
    ck_assert(queue_push(&queue, ann, 4) && !queue_push(&queue, ann, 5));
    ck_assert_uint_eq(balance(&queue, ann, bob, 2), 2);
    ck_assert(queue_push(&queue, ann, 5));
    queue_expect(&queue, bob, 3, 1, 2);
    ck_assert_uint_eq(queue_length(&queue, ann), 3);
    queue_destroy(&queue);
}
END_TEST

START_TEST(memory_that_fails_at_any_call)
{
    for (uint64_t k = 1;; k += gws_test_step()) {
        struct queue queue = {.memory = {.fail_at = k}};
        gws_status status = queue_init(&queue, &gws__task_queue_workpile, workers, 2, 2);
        ck_assert_int_eq(status, queue.memory.failed ? GWS_NO_MEMORY : GWS_OK);
        uint64_t made = 0;
        while (status == GWS_OK && made < 40) made += queue_push(&queue, ann, made);
        if (status == GWS_OK) queue_expect(&queue, ann, 0, 1, made);
        queue_destroy(&queue);
        if (!queue.memory.failed) break;
        ck_assert_uint_lt(k, 20);
    }
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{first_in_first_out, 1},
                                    {pop_gives_the_oldest_in_front, 1},
                                    {balance_equalises, 1},
                                    {balance_minds_the_threshold, 1},
                                    {idle_workers_get_no_tasks, 1},
                                    {balance_leaves_a_slot_for_a_reserved_task, 1},
                                    {follows_lists, 1},
                                    {a_thief_takes_from_the_end, 1},
                                    {a_thief_takes_what_fits, 1},
                                    {a_thief_aborts_where_another_is_at_it, 1},
                                    {a_full_queue_that_cannot_grow_says_so_and_goes_on, 1},
                                    {memory_that_fails_at_any_call, 1},
                                    {0}};
    return gws_test_run("workpile", test);
}
