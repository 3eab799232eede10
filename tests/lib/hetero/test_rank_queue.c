/* SPDX-License-Identifier: MIT */
/* The queues in windows: every task goes to exactly one rank, through shared memory and through RMA with delays; a
 * thief gives up; how much it takes. */
#include "../../harness.h"

#include <sched.h>

#include "../../../lib/hetero/rank_queue.h"
#include "../../../lib/random.h"
#include "../transport/threads.h"

enum { words = 3, max_tasks = 4000, capacity = 50, batch = 64 };

static const struct gws__rank_protocol *const protocol[] = {&gws__rank_split, &gws__rank_saws};

/* ---- one owner, several thieves ---- */

struct shared {
    const struct gws__rank_protocol *protocol;
    uint32_t link;
    bool wait;
    atomic_uint_fast32_t runs[max_tasks], left;
    atomic_uint_fast64_t stolen;
};

/* Task i has the words i, 2 i and 3 i. */
static void run_tasks(struct shared *shared, const uint64_t *task, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++, task += words) {
        if (task[0] >= max_tasks || task[1] != 2 * task[0] || task[2] != 3 * task[0]) abort();
        atomic_fetch_add(&shared->runs[task[0]], 1);
    }
    atomic_fetch_sub(&shared->left, (uint32_t)count);
}

/* Releases up to `count` tasks from number `made` on, and runs those that do not fit. */
static uint32_t release_some(struct shared *shared, struct gws__rank_queue *queue, uint32_t made, uint32_t count)
{
    uint64_t task[batch * words];
    if (count > max_tasks - made) count = max_tasks - made;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t w = 0; w < words; w++) task[i * words + w] = (uint64_t)(w + 1) * (made + i);
    const uint64_t released = queue->protocol->release(queue, task, count);
    if (released > count) abort();
    run_tasks(shared, task + released * words, count - released);
    return made + count;
}

static void own(struct shared *shared, struct gws__rank_queue *queue)
{
    uint64_t random = 7, task[batch * words];
    for (uint32_t made = 0; atomic_load(&shared->left) > 0;) {
        const uint64_t bits = gws_random_next(&random);
        if (queue->protocol->length(queue) > capacity) abort();
        if (made < max_tasks && bits % 4 != 0) made = release_some(shared, queue, made, 1 + bits / 4 % (batch - 1));
        if ((made == max_tasks || bits % 4 == 0) && atomic_load(&shared->stolen) > 0) /* the thieves come first */
            run_tasks(shared, task, queue->protocol->reacquire(queue, 1 + bits / 8 % batch, task));
        if (bits % 16 > 10) (void)sched_yield();
    }
    while (queue->protocol->length(queue) != 0) (void)sched_yield(); /* a thief may still have the lock */
    if (queue->protocol->taken(queue) != atomic_load(&shared->stolen)) abort();
}

static void thieve(struct shared *shared, struct gws__rank_queue *queue)
{
    uint64_t task[batch * words];
    while (atomic_load(&shared->left) > 0) {
        uint64_t stolen = 0;
        if (queue->protocol->steal(queue, 0, shared->wait, batch, task, &stolen) != GWS_ACQUIRED) continue;
        if (stolen == 0 || stolen > (capacity + 1) / 2) abort();
        atomic_fetch_add(&shared->stolen, stolen); /* before the owner may see that no task is left */
        run_tasks(shared, task, stolen);
    }
}

static void body(struct gws_transport *transport, void *context)
{
    struct shared *shared = context;
    struct gws__rank_queue queue;
    if (gws__links_open(transport, shared->link, 0) != GWS_OK) abort();
    gws__rank_queue_open(&queue, shared->protocol, &transport->links.window[shared->link],
                         gws_transport_rank(transport), words, capacity);
    (void)gws_transport_agree(transport, GWS_OK);
    if (gws_transport_rank(transport) == 0)
        own(shared, &queue);
    else
        thieve(shared, &queue);
    (void)gws_transport_agree(transport, GWS_OK);
}

START_TEST(test_each_task_runs_once)
{
    for (uint32_t p = 0; p < 2; p++)
        for (uint32_t link = GWS__LINK_RMA; link <= GWS__LINK_SHARED; link++)
            for (uint32_t wait = 0; wait < 2; wait++) {
                static struct shared shared;
                memset(&shared, 0, sizeof shared);
                shared.protocol = protocol[p];
                shared.link = link;
                shared.wait = wait;
                atomic_store(&shared.left, max_tasks);
                run_ranks(4, link == GWS__LINK_RMA ? 3 : 0, body, &shared);
                for (uint32_t i = 0; i < max_tasks; i++)
                    if (shared.runs[i] != 1) ck_abort_msg("task %u ran %u times", i, (unsigned)shared.runs[i]);
                ck_assert_uint_gt(shared.stolen, 0);
            }
}
END_TEST

/* ---- single steals ---- */

static uint64_t memory[2][gws__window_words];
static uint64_t *base[2] = {memory[0], memory[1]};
static struct gws__rank_queue owner, thief;
static uint64_t own_task[batch * words], got[batch * words];

/* Opens queues of which the owner's, rank 0's, has count tasks. */
static void open_queues(const struct gws__rank_protocol *which, const struct gws__link *link, uint64_t count)
{
    const struct gws__window window = {link, base};
    gws__rank_queue_open(&owner, which, &window, 0, words, capacity);
    gws__rank_queue_open(&thief, which, &window, 1, words, capacity);
    for (uint64_t i = 0; i < batch * words; i++) own_task[i] = i / words * (i % words + 1);
    ck_assert_uint_eq(which->release(&owner, own_task, count), count);
}

static enum gws_acquire steal(bool wait, uint64_t *stolen)
{
    return thief.protocol->steal(&thief, 0, wait, batch, got, stolen);
}

/* A thief takes half, rounded up and the oldest; the owner takes the newer half back. */
START_TEST(test_amounts)
{
    for (uint32_t p = 0; p < 2; p++) {
        static const uint64_t halves[] = {20, 10, 5, 3, 1, 1};
        uint64_t stolen, first = 0;
        open_queues(protocol[p], &gws__link_shared, 40);
        for (uint32_t i = 0; i < 6; i++) {
            ck_assert_int_eq(steal(false, &stolen), GWS_ACQUIRED);
            ck_assert_uint_eq(stolen, halves[i]);
            ck_assert_mem_eq(got, own_task + first * words, stolen * words * 8);
            first += stolen;
        }
        ck_assert_int_eq(steal(false, &stolen), GWS_ACQUIRE_EMPTY);
        ck_assert_uint_eq(owner.protocol->taken(&owner), 40);
        ck_assert_uint_eq(owner.protocol->release(&owner, own_task, batch), capacity); /* no more fit */
        ck_assert_uint_eq(owner.protocol->release(&owner, own_task, 1), 0);
        ck_assert_uint_eq(owner.protocol->reacquire(&owner, batch, got), 25);
        ck_assert_mem_eq(got, own_task + 25 * words, 25 * words * 8);
        ck_assert_uint_eq(owner.protocol->reacquire(&owner, 2, got), 2);
        ck_assert_uint_eq(owner.protocol->length(&owner), 23);
        ck_assert_int_eq(steal(true, &stolen), GWS_ACQUIRED);
        ck_assert_uint_eq(stolen, 12);
        ck_assert_uint_eq(owner.protocol->taken(&owner), 52);
    }
}
END_TEST

/* A thief of a locked queue gives up when the queue is empty, and after many looks. */
START_TEST(test_abort)
{
    uint64_t stolen;
    open_queues(&gws__rank_split, &gws__link_shared, 4);
    memory[0][0] = UINT64_MAX; /* locked */
    ck_assert_int_eq(steal(false, &stolen), GWS_ACQUIRE_ABORTED);
    ck_assert_uint_eq(memory[0][0], UINT64_MAX);
    ck_assert_uint_eq(owner.protocol->length(&owner), 4);
    memory[0][0] = 0;
    ck_assert_int_eq(steal(false, &stolen), GWS_ACQUIRED);
    ck_assert_uint_eq(memory[0][0], 2);
}
END_TEST

/* A link that counts accesses, and by which all tasks vanish while a thief enters: its first swap finds the queue
 * empty, or locked by a thief that takes them. */
static bool vanishes, is_locked;
static uint32_t accesses, locked_for;

static void count_load(void *window, uint32_t rank, uint64_t word, uint32_t count, uint64_t *to)
{
    accesses++;
    gws__link_shared.load(window, rank, word, count, to);
}

static void count_flush(void *window, uint32_t rank)
{
    accesses++;
    gws__link_shared.flush(window, rank);
}

static uint64_t count_swap(void *window, uint32_t rank, uint64_t word, uint64_t value)
{
    accesses++;
    if (vanishes && rank == 0) memory[0][0] = is_locked ? UINT64_MAX : memory[0][1];
    vanishes = false;
    const uint64_t old = gws__link_shared.swap(window, rank, word, value);
    if (is_locked && --locked_for == 0) { /* the holder leaves */
        memory[0][0] = memory[0][1];
        is_locked = false;
    }
    return old;
}

/* first: the position of the owner's four tasks. */
static enum gws_acquire steal_counting(const struct gws__rank_protocol *which, uint64_t first, bool wait)
{
    static struct gws__link link;
    uint64_t stolen;
    link = gws__link_shared;
    open_queues(which, &link, first);
    while (first > 0 && which->steal(&thief, 0, false, batch, got, &stolen) == GWS_ACQUIRED) continue;
    if (first > 0) ck_assert_uint_eq(which->release(&owner, own_task, 4), 4);
    link.load = count_load;
    link.flush = count_flush;
    link.swap = count_swap;
    accesses = 0;
    return steal(wait, &stolen);
}

START_TEST(test_late)
{
    vanishes = is_locked = true;
    locked_for = 1;
    ck_assert_int_eq(steal_counting(&gws__rank_split, 4, false), GWS_ACQUIRE_ABORTED);
    ck_assert_uint_eq(accesses, 3); /* it does not wait */
    vanishes = is_locked = true;
    locked_for = 10;
    ck_assert_int_eq(steal_counting(&gws__rank_split, 4, true), GWS_ACQUIRE_LOST);
    ck_assert_uint_ge(accesses, 10);
    vanishes = true;
    ck_assert_int_eq(steal_counting(&gws__rank_split, 4, false), GWS_ACQUIRE_LOST);
    ck_assert_uint_eq(memory[0][0], memory[0][1]);
}
END_TEST

/* A steal waits for the link five times, even if its tasks are at the end and the beginning of the ring. */
START_TEST(test_accesses)
{
    ck_assert_int_eq(steal_counting(&gws__rank_split, 4, false), GWS_ACQUIRED);
    ck_assert_uint_eq(accesses, 5);
    ck_assert_int_eq(steal_counting(&gws__rank_split, capacity - 1, false), GWS_ACQUIRED);
    ck_assert_uint_eq(accesses, 5);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {
        {test_each_task_runs_once, 1}, {test_amounts, 1}, {test_abort, 1}, {test_late, 1}, {test_accesses, 1}, {0}};
    return gws_test_run("rank_queue", test);
}
