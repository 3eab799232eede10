/* SPDX-License-Identifier: MIT */
/* Tests the split queue: when the owner releases and reacquires tasks, how many tasks a thief gets, and how the owner
 * makes tasks in place. test_split_edges.c tests its limits, and test_task_queue.c the common contract. */
#include "../../harness.h"

#include "../../../lib/random.h"
#include "one_queue.h"

enum { owner, thief, third, workers };

static const struct gws_steal_request steal_half = {.thief = thief, .victim = owner, .amount = queue_half};
static const struct gws_steal_request steal_whole = {.thief = thief, .victim = owner, .amount = queue_whole};

static void split_open(struct queue *queue, uint64_t capacity)
{
    ck_assert_int_eq(queue_init(queue, &gws__task_queue_split, workers, 3, capacity), GWS_OK);
}

START_TEST(last_task_is_private_until_a_thief_has_tried)
{
    struct queue queue = {0};
    split_open(&queue, 8);
    queue_push_all(&queue, owner, 0, 1);
    ck_assert_uint_eq(queue_length(&queue, owner), 1);
    ck_assert_int_eq(queue_steal(&queue, &steal_half).acquired, GWS_ACQUIRE_EMPTY);
    ck_assert_int_eq(queue_pop(&queue, owner), 0);
    queue_push_all(&queue, owner, 1, 1); /* the failed steal has set hungry */
    struct queue_stolen stolen = queue_steal(&queue, &steal_half);
    ck_assert_int_eq(stolen.acquired, GWS_ACQUIRED);
    ck_assert_int_eq(stolen.first, 1);
    queue_push_all(&queue, owner, 2, 1); /* the push has cleared hungry */
    ck_assert_int_eq(queue_steal(&queue, &steal_half).acquired, GWS_ACQUIRE_EMPTY);
    queue_expect(&queue, owner, 2, -1, 1);
    queue_destroy(&queue);
}
END_TEST

START_TEST(a_hungry_thief_gets_the_last_task_that_a_pop_leaves)
{
    struct queue queue = {0};
    split_open(&queue, 8);
    queue_push_all(&queue, owner, 0, 3);
    ck_assert_int_eq(queue_steal(&queue, &steal_whole).first, 0);
    ck_assert_int_eq(queue_steal(&queue, &steal_whole).acquired, GWS_ACQUIRE_EMPTY);
    ck_assert_int_eq(queue_pop(&queue, owner), 2);
    ck_assert_int_eq(queue_steal(&queue, &steal_whole).first, 1);
    queue_expect(&queue, owner, 0, 1, 0);
    queue_destroy(&queue);
}
END_TEST

/* The number of tasks that a thief can steal now, which the queue passes to the amount. The amount steals one task. */
static uint64_t stealable;

static uint64_t note_length(uint64_t length, uint64_t chunk)
{
    (void)chunk;
    stealable = length;
    return 1;
}

START_TEST(a_third_can_be_stolen_after_every_step)
{
    static const struct gws_steal_request count_one = {.thief = thief, .victim = owner, .amount = note_length};
    for (uint64_t count = 2; count < 200; count++)
        for (uint64_t popped = 0; popped + 2 <= count; popped += 1 + count / 10) {
            struct queue queue = {0};
            split_open(&queue, 4);
            queue_push_all(&queue, owner, 0, count);
            for (uint64_t i = 0; i < popped; i++) ck_assert_int_eq(queue_pop(&queue, owner), (int64_t)(count - 1 - i));
            struct queue_stolen stolen = queue_steal(&queue, &count_one);
            if (stolen.acquired != GWS_ACQUIRED || stolen.first != 0 || stealable < (count - popped) / 3)
                ck_abort_msg("%llu of %llu are shared", (unsigned long long)stealable,
                             (unsigned long long)(count - popped));
            queue_destroy(&queue);
        }
}
END_TEST

/* Pops release tasks, too. Thieves empty the shared part, and the next pop refills that part. */
START_TEST(pop_releases_what_thieves_have_taken)
{
    struct queue queue = {0};
    split_open(&queue, 64);
    queue_push_all(&queue, owner, 0, 40);
    uint64_t left = 40;
    while (left > 2) {
        struct queue_stolen stolen = queue_steal(&queue, &steal_whole);
        if (stolen.acquired != GWS_ACQUIRED) ck_abort_msg("nothing shared of %llu", (unsigned long long)left);
        left -= stolen.taken;
        while (queue_pop(&queue, thief) >= 0) continue;
        if (left > 0) left -= queue_pop(&queue, owner) >= 0;
        ck_assert_uint_eq(queue_length(&queue, owner), left);
    }
    queue_destroy(&queue);
}
END_TEST

START_TEST(owner_gets_all_back_last_in_first_out)
{
    for (uint64_t count = 0; count < 300; count++) {
        struct queue queue = {0};
        split_open(&queue, 1);
        queue_push_all(&queue, owner, 0, count);
        ck_assert_uint_eq(queue_length(&queue, owner), count);
        queue_expect(&queue, owner, (int64_t)count - 1, -1, count);
        queue_destroy(&queue);
    }
}
END_TEST

START_TEST(half_is_half_of_the_shared_part)
{
    for (uint64_t count = 2; count < 300; count++) {
        struct queue queue = {0};
        split_open(&queue, 2);
        queue_push_all(&queue, owner, 0, count);
        uint64_t oldest = 0;
        for (;;) {
            struct queue_stolen stolen = queue_steal(&queue, &steal_half);
            if (stolen.acquired == GWS_ACQUIRE_EMPTY) break;
            /* The steal returns the oldest task. The other stolen tasks are in the thief's queue, which pops the
             * newest first. */
            ck_assert_int_eq(stolen.first, (int64_t)oldest);
            ck_assert_uint_eq(queue_length(&queue, thief), stolen.taken - 1);
            queue_expect(&queue, thief, (int64_t)(oldest + stolen.taken) - 1, -1, stolen.taken - 1);
            oldest += stolen.taken;
            ck_assert_uint_eq(queue_length(&queue, owner), count - oldest);
        }
        ck_assert_uint_ge(oldest, count / 3);
        queue_expect(&queue, owner, (int64_t)count - 1, -1, count - oldest);
        queue_destroy(&queue);
    }
}
END_TEST

START_TEST(what_a_thief_got_can_be_stolen_from_it)
{
    struct queue queue = {0};
    split_open(&queue, 2);
    queue_push_all(&queue, owner, 0, 64);
    struct queue_stolen stolen = queue_steal(&queue, &steal_whole);
    ck_assert_uint_gt(stolen.taken, 3);
    struct gws_steal_request next = {.thief = third, .victim = thief, .amount = queue_half};
    ck_assert_int_eq(queue_steal(&queue, &next).first, 1);
    queue_destroy(&queue);
}
END_TEST

START_TEST(chunk_reaches_the_amount)
{
    struct queue queue = {0};
    split_open(&queue, 64);
    queue_push_all(&queue, owner, 0, 60);
    struct gws_steal_request request = {.thief = thief, .victim = owner, .amount = queue_chunk, .chunk = 7};
    ck_assert_uint_eq(queue_steal(&queue, &request).taken, 7);
    queue_expect(&queue, thief, 6, -1, 6);
    queue_destroy(&queue);
}
END_TEST

START_TEST(tasks_are_made_in_place)
{
    struct queue queue = {0};
    split_open(&queue, 4);
    uint64_t *slot = queue.ops->reserve(queue.state, owner);
    ck_assert_ptr_nonnull(slot);
    ck_assert_uint_eq((uintptr_t)slot % 8, 0);
    ck_assert_ptr_eq(queue.ops->reserve(queue.state, owner), slot); /* without a commit, the slot is no task */
    ck_assert_uint_eq(queue_length(&queue, owner), 0);
    queue_write(&queue, slot, 9);
    queue.ops->commit(queue.state, owner);
    ck_assert_ptr_eq(queue.ops->reserve(queue.state, owner), slot + 3);
    queue_expect(&queue, owner, 9, 1, 1);
    queue_destroy(&queue);
}
END_TEST

/* Compares random steps with a plain list. The owner pops from the end of the list, and the thief takes from the
 * start. */
static void follow_a_list(uint64_t seed, uint64_t capacity, uint64_t steps)
{
    struct queue queue = {0};
    split_open(&queue, capacity);
    int64_t *list = malloc(steps * sizeof *list);
    uint64_t begin = 0, end = 0;
    for (uint64_t step = 0; step < steps; step++) {
        uint64_t bits = gws_random_next(&seed);
        bool down = bits >> 60 < 5 + (step / 100 % 2) * 6; /* the queue alternates between growing and shrinking */
        if (!down) {
            if (!queue_push(&queue, owner, step)) ck_abort_msg("full");
            list[end++] = (int64_t)step;
        } else if (bits % 3 != 0) {
            int64_t want = begin < end ? list[--end] : queue_nothing, got = queue_pop(&queue, owner);
            if (got != want) ck_abort_msg("popped %lld, not %lld", (long long)got, (long long)want);
        } else {
            struct queue_stolen stolen = queue_steal(&queue, &steal_half);
            if (stolen.acquired != GWS_ACQUIRED) continue;
            if (stolen.taken > end - begin || stolen.first != list[begin]) ck_abort_msg("stole what was not there");
            for (uint64_t i = stolen.taken - 1; i > 0; i--)
                if (queue_pop(&queue, thief) != list[begin + i]) ck_abort_msg("stolen tasks are not in order");
            begin += stolen.taken;
        }
        if (queue_length(&queue, owner) != end - begin) ck_abort_msg("wrong length");
    }
    free(list);
    queue_destroy(&queue);
}

START_TEST(follows_a_list)
{
    for (uint64_t seed = 1; seed < 60; seed++) follow_a_list(seed, (uint64_t)1 << seed % 6, 2000);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{last_task_is_private_until_a_thief_has_tried, 1},
                                    {a_hungry_thief_gets_the_last_task_that_a_pop_leaves, 1},
                                    {a_third_can_be_stolen_after_every_step, 1},
                                    {pop_releases_what_thieves_have_taken, 1},
                                    {owner_gets_all_back_last_in_first_out, 1},
                                    {half_is_half_of_the_shared_part, 1},
                                    {what_a_thief_got_can_be_stolen_from_it, 1},
                                    {chunk_reaches_the_amount, 1},
                                    {tasks_are_made_in_place, 1},
                                    {follows_a_list, 1},
                                    {0}};
    return gws_test_run("split", test);
}
