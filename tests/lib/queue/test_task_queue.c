/* SPDX-License-Identifier: MIT */
/* The contract of every task queue (lib/queue/task_queue.h). The same tests run on all queues (task_kinds.h) and
 * compare them with plain lists of numbers as a serial oracle. One thread acts as all workers.
 * test_task_queue_stress.c uses threads. */
#include "task_kinds.h"

enum { max_workers = 5, max_words = 512, max_popped = 8 };

/* ---- the oracle ---- */

/* The expected content of a queue, as the numbers of its tasks, the oldest first. */
struct id_list {
    uint64_t id[4096];
    uint32_t count;
};

static void list_push(struct id_list *list, uint64_t id)
{
    ck_assert_uint_lt(list->count, sizeof list->id / sizeof list->id[0]);
    list->id[list->count++] = id;
}

static uint64_t list_take(struct id_list *list, uint32_t at)
{
    ck_assert_uint_lt(at, list->count);
    uint64_t id = list->id[at];
    memmove(&list->id[at], &list->id[at + 1], (--list->count - at) * sizeof id);
    return id;
}

static uint64_t list_take_end(struct id_list *list, enum task_end end)
{
    return list_take(list, end == END_NEWEST ? list->count - 1 : 0);
}

/* ---- a queue and its oracle ---- */

struct queue_pair {
    const struct task_kind *kind;
    struct task_state real;
    struct id_list list[max_workers];
    uint32_t workers;
    uint64_t next, acquired; /* number of the next task, and number of tasks acquired so far */
};

static struct id_list *list_of(struct queue_pair *p, uint32_t worker)
{
    return &p->list[p->kind->shared ? 0 : worker];
}

static void expect(struct queue_pair *p, const uint64_t *task, uint64_t id)
{
    p->acquired++;
    if (task[0] != id || !task_is_whole(task, p->real.words))
        ck_abort_msg("%s: task %llu instead of %llu, or not whole", p->kind->name, (unsigned long long)task[0],
                     (unsigned long long)id);
}

static bool pair_push(struct queue_pair *p, uint32_t worker)
{
    if (!task_push(&p->real, worker, p->next)) return false;
    list_push(list_of(p, worker), p->next++);
    return true;
}

static uint32_t pair_pop(struct queue_pair *p, uint32_t worker, uint32_t max)
{
    static uint64_t out[max_popped * max_words];
    struct id_list *list = list_of(p, worker);
    uint32_t had = list->count, count = p->real.ops->pop(p->real.state, worker, max, out);
    if (count > max || (count == 0) != (had == 0)) ck_abort_msg("%s: popped %u of %u", p->kind->name, count, had);
    for (uint32_t i = 0; i < count; i++) expect(p, out + (size_t)i * p->real.words, list_take_end(list, p->kind->pops));
    return count;
}

/* Attempts to steal once. The thief's queue must be empty. */
static void pair_steal(struct queue_pair *p, uint32_t thief, uint32_t victim, uint64_t draw)
{
    static uint64_t out[max_words];
    struct gws_steal_request request = task_request(thief, victim, draw);
    struct id_list *from = list_of(p, victim), *to = list_of(p, thief);
    uint64_t taken = 77, had = from->count, amount = p->kind->amount && had ? request.amount(had, request.chunk) : 1;
    out[0] = 78;
    enum gws_acquire acquired = p->real.ops->steal(p->real.state, &request, out, &taken);
    if (acquired == GWS_ACQUIRE_EMPTY && (had == 0 || p->kind->keeps) && out[0] == 78 && taken == 77) return;
    if (acquired != GWS_ACQUIRED || taken < 1 || taken > amount)
        ck_abort_msg("%s: stealing from %llu said %d, %llu taken", p->kind->name, (unsigned long long)had,
                     (int)acquired, (unsigned long long)taken);
    uint32_t first = p->kind->steals == END_OLDEST ? 0 : (uint32_t)(had - taken);
    expect(p, out, list_take(from, first));
    for (uint64_t i = 1; i < taken; i++) list_push(to, list_take(from, first));
}

static void pair_balance(struct queue_pair *p, uint32_t self, uint32_t partner, uint64_t threshold)
{
    struct id_list *a = &p->list[self], *b = &p->list[partner];
    uint32_t gap = a->count > b->count ? a->count - b->count : b->count - a->count;
    uint64_t balanced = p->real.ops->balance(p->real.state, self, partner, threshold);
    struct id_list *from = a->count > b->count ? a : b, *to = from == a ? b : a;
    if (balanced > gap / 2 || (gap < threshold && balanced > 0)) ck_abort_msg("%s: moved too many", p->kind->name);
    uint32_t first = from->count - (uint32_t)balanced;
    for (uint64_t i = 0; i < balanced; i++) list_push(to, list_take(from, first));
}

/* Compares the lengths, which are exact since no other thread runs. */
static void check_lengths(const struct queue_pair *p)
{
    for (uint32_t w = 0; w < p->workers; w++) {
        uint64_t length = p->real.ops->length(p->real.state, w), count = p->list[p->kind->shared ? 0 : w].count;
        if (length != count) ck_abort_msg("%s: length %llu", p->kind->name, (unsigned long long)length);
    }
}

static struct queue_pair *pair_new(const struct task_kind *kind, struct gws_test_memory *memory, uint32_t workers,
                                   uint32_t words, uint64_t capacity)
{
    struct queue_pair *p = calloc(1, sizeof *p);
    p->kind = kind;
    p->workers = workers;
    gws_status status = task_state_init(&p->real, kind->ops, memory, workers, words, capacity);
    ck_assert_int_eq(status, GWS_OK);
    return p;
}

/* Pops all tasks and destroys the queue. Every task must come out, and the queue must free all memory. */
static void pair_end(struct queue_pair *p, struct gws_test_memory *memory)
{
    for (uint32_t w = 0; w < p->workers; w++)
        while (pair_pop(p, w, 3)) continue;
    ck_assert_uint_eq(p->acquired, p->next);
    check_lengths(p);
    task_state_destroy(&p->real);
    gws_test_memory_check(memory);
    free(p);
}

/* ---- the tests ---- */

START_TEST(table_is_filled)
{
    const struct gws_task_queue *c = task_kinds[_i].ops;
    ck_assert(c->bytes + c->worker_bytes && c->init && c->destroy && c->reserve && c->commit && c->pop && c->steal &&
              c->length);
    ck_assert((c->mark_idle == NULL) == (c->mark_active == NULL));
    ck_assert(c->balance == NULL ||
              c->mark_idle != NULL); /* a queue that gives tasks to other workers must know the idle ones */
}
END_TEST

static void random_step(struct queue_pair *p, uint64_t *random)
{
    uint64_t draw = gws_random_next(random);
    uint32_t worker = (uint32_t)(draw % p->workers), other = (uint32_t)(draw / 8 % p->workers), what = draw >> 8 & 15;
    if (what < 7) {
        if (list_of(p, worker)->count < 100) (void)pair_push(p, worker);
    } else if (what < 12) {
        (void)pair_pop(p, worker, 1 + (draw >> 16) % max_popped);
    } else if (what < 15) {
        if (other != worker && p->kind->steals != END_NONE && list_of(p, worker)->count == 0)
            pair_steal(p, worker, other, draw >> 16);
    } else if (other != worker && p->real.ops->balance) {
        pair_balance(p, worker, other, 1 + (draw >> 16) % 4);
    }
}

START_TEST(anything_in_any_order)
{
    static const uint32_t words[] = {1, 2, 3, 4, 5, 7, 64};
    uint32_t steps = gws_test_quick() ? 300 : 2000;
    uint64_t random = 11;
    for (uint32_t workers = 1; workers <= max_workers; workers++)
        for (size_t k = 0; k < sizeof words / sizeof words[0]; k++)
            for (uint64_t capacity = 1; capacity <= 128; capacity *= 2) {
                struct gws_test_memory memory = {0};
                struct queue_pair *p = pair_new(&task_kinds[_i], &memory, workers, words[k], capacity);
                for (uint32_t i = 0; i < steps; i++) {
                    random_step(p, &random);
                    check_lengths(p);
                }
                pair_end(p, &memory);
            }
}
END_TEST

START_TEST(largest_tasks)
{
    struct gws_test_memory memory = {0};
    struct queue_pair *p = pair_new(&task_kinds[_i], &memory, 2, max_words, 2);
    for (uint32_t round = 0; round < 20; round++) {
        for (uint32_t i = 0; i < 1 + round % 5; i++) (void)pair_push(p, 0);
        if (p->kind->steals != END_NONE) pair_steal(p, 1, 0, round);
        while (pair_pop(p, 0, 2) || pair_pop(p, 1, 1)) continue;
    }
    pair_end(p, &memory);
}
END_TEST

/* A queue of fixed capacity takes that many tasks and then reports that it is full. Other queues are never full. */
START_TEST(full_is_reported_or_grows)
{
    enum { capacity = 16 };
    struct gws_test_memory memory = {0};
    struct queue_pair *p = pair_new(&task_kinds[_i], &memory, 2, 3, capacity);
    uint32_t count = 0;
    while (count < 4000 && pair_push(p, 0)) count++;
    ck_assert_uint_eq(count, p->kind->grows ? 4000 : capacity);
    if (!p->kind->grows) {
        ck_assert(!pair_push(p, 0));
        ck_assert(pair_push(p, 1)); /* each queue has its own capacity */
        ck_assert_uint_eq(pair_pop(p, 0, 1), 1);
        ck_assert(pair_push(p, 0));
        ck_assert(!pair_push(p, 0));
        ck_assert_uint_eq(pair_pop(p, 1, 1), 1);
        for (uint32_t i = 0; i < capacity; i++) pair_steal(p, 1, 0, 0);
        ck_assert_uint_eq(p->list[0].count, 0);
        for (uint32_t i = 0; i < capacity; i++) ck_assert(pair_push(p, 0));
    }
    pair_end(p, &memory);
}
END_TEST

/* The allocator fails after init(). Each queue becomes full, loses no task, and accepts tasks again after it has
 * shrunk. */
START_TEST(full_when_memory_is_short)
{
    enum { capacity = 8 };
    uint32_t stolen = 0;
    struct gws_test_memory memory = {0};
    struct queue_pair *p = pair_new(&task_kinds[_i], &memory, 2, 2, capacity);
    memory.fail_at = memory.calls + 1;
    memory.fail_after = true;
    for (uint32_t round = 0; round < 5; round++) {
        while (pair_push(p, 0)) ck_assert_uint_le(p->list[0].count, 2 * capacity);
        ck_assert_uint_ge(p->list[0].count, capacity - stolen);
        ck_assert_uint_ge(pair_pop(p, 0, 1 + round), 1);
        ck_assert(pair_push(p, 0));
        if (p->kind->steals == END_NONE) continue;
        pair_steal(p, 1, 0, round);
        stolen += !p->kind->grows; /* the slot of a stolen task is unusable until the queue is empty */
        while (pair_pop(p, 1, 1)) continue;
    }
    pair_end(p, &memory);
}
END_TEST

START_TEST(capacities_that_are_too_large)
{
    const struct gws_task_queue *ops = task_kinds[_i].ops;
    for (uint64_t capacity = (uint64_t)1 << 63; capacity >= (uint64_t)1 << 50; capacity /= 2) {
        struct gws_test_memory memory = {0};
        struct task_state state;
        ck_assert_int_eq(task_state_init(&state, ops, &memory, 2, max_words, capacity), GWS_NO_MEMORY);
        task_state_destroy(&state);
        gws_test_memory_check(&memory);
    }
}
END_TEST

/* Allocation k fails, for every k. A task that finds no slot waits until the test has popped another task. */
START_TEST(every_allocation_may_fail)
{
    for (uint64_t k = 1;; k += gws_test_step()) {
        struct gws_test_memory memory = {.fail_at = k};
        struct queue_pair *p = calloc(1, sizeof *p);
        p->kind = &task_kinds[_i];
        p->workers = 3;
        gws_status status = task_state_init(&p->real, p->kind->ops, &memory, p->workers, 3, 2);
        if (status == GWS_OK) {
            for (uint32_t i = 0; i < 300; i++)
                if (!pair_push(p, i % 3)) {
                    (void)pair_pop(p, i % 3, 1);
                    ck_assert(pair_push(p, i % 3));
                }
            pair_end(p, &memory);
        } else {
            ck_assert_int_eq(status, GWS_NO_MEMORY);
            ck_assert(memory.failed);
            task_state_destroy(&p->real);
            gws_test_memory_check(&memory);
            free(p);
        }
        if (!memory.failed) break;
    }
}
END_TEST

START_TEST(idle_workers_get_no_tasks)
{
    const struct gws_task_queue *c = task_kinds[_i].ops;
    if (!c->balance) return;
    struct gws_test_memory memory = {0};
    struct queue_pair *p = pair_new(&task_kinds[_i], &memory, 2, 2, 64);
    for (uint32_t i = 0; i < 20; i++) ck_assert(pair_push(p, 0));
    ck_assert(!c->mark_idle(p->real.state, 0));
    ck_assert(c->mark_idle(p->real.state, 1));
    pair_balance(p, 0, 1, 1);
    ck_assert_uint_eq(p->list[1].count, 0);
    c->mark_active(p->real.state, 1);
    pair_balance(p, 0, 1, 1);
    ck_assert_uint_eq(p->list[1].count, 10);
    ck_assert(!c->mark_idle(p->real.state, 1));
    pair_end(p, &memory);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{table_is_filled, task_kind_count},
                                    {anything_in_any_order, task_kind_count},
                                    {largest_tasks, task_kind_count},
                                    {full_is_reported_or_grows, task_kind_count},
                                    {full_when_memory_is_short, task_kind_count},
                                    {capacities_that_are_too_large, task_kind_count},
                                    {every_allocation_may_fail, task_kind_count},
                                    {idle_workers_get_no_tasks, task_kind_count},
                                    {0}};
    return gws_test_run("task_queue", test);
}
