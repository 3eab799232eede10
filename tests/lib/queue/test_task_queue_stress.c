/* SPDX-License-Identifier: MIT */
/* Runs every task queue (task_kinds.h) with 2 to 16 threads that push, pop, steal and balance at random. The workers
 * must acquire each task once, whole, with its maker's earlier writes. The checked data is plain memory, so
 * ThreadSanitizer reports a missing memory order. */
#include "task_kinds.h"

#include <pthread.h>
#include <sched.h>

enum { max_threads = 16, words = 3, max_popped = 5 };

/* The workers that make tasks, and when they make them. */
static const struct spawn_pattern {
    bool all;       /* every worker makes tasks, rather than only the first worker */
    uint32_t burst; /* max tasks that a worker makes in a row, before at most as many pops */
} patterns[] = {
    {true, 20},
    {false, 50},
    {true, 1}, /* the queue is empty or has one task, for which all workers compete */
    {false, 2},
};

struct task_team {
    const struct task_kind *kind;
    struct task_state real;
    struct spawn_pattern pattern;
    uint32_t workers;
    pthread_barrier_t gate;
    uint64_t each;         /* number of tasks of each maker */
    uint64_t *message;     /* one per task, which the maker sets before the commit and the acquiring worker clears */
    _Atomic uint64_t left; /* number of tasks not yet acquired */
    _Atomic uint64_t wrong, steals, lost, full;
};

struct task_member {
    struct task_team *team;
    uint32_t worker;
    uint64_t made, makes, random;
};

static void record(struct task_team *team, const uint64_t *task)
{
    bool known = task[0] < team->each * team->workers && task_is_whole(task, words);
    if (!known || team->message[task[0]] != ~task[0])
        atomic_fetch_add(&team->wrong, 1);
    else
        team->message[task[0]] = 0;
    atomic_fetch_sub_explicit(&team->left, 1, memory_order_relaxed);
}

static bool make_one(struct task_member *me)
{
    struct task_team *team = me->team;
    if (me->made == me->makes) return false;
    uint64_t id = me->worker * team->each + me->made;
    team->message[id] = ~id;
    if (!task_push(&team->real, me->worker, id)) {
        atomic_fetch_add_explicit(&team->full, 1, memory_order_relaxed);
        return false;
    }
    me->made++;
    return true;
}

static uint32_t take_some(struct task_member *me, uint32_t max)
{
    uint64_t out[max_popped * words];
    uint32_t count = me->team->real.ops->pop(me->team->real.state, me->worker, max, out);
    for (uint32_t i = 0; i < count; i++) record(me->team, out + (size_t)i * words);
    return count;
}

static bool steal_one(struct task_member *me, uint64_t draw)
{
    struct task_team *team = me->team;
    uint32_t victim = (uint32_t)((me->worker + 1 + (draw >> 32) % (team->workers - 1)) % team->workers);
    struct gws_steal_request request = task_request(me->worker, victim, draw);
    uint64_t out[words], taken = 0;
    enum gws_acquire acquired = team->real.ops->steal(team->real.state, &request, out, &taken);
    if (acquired == GWS_ACQUIRE_LOST) atomic_fetch_add_explicit(&team->lost, 1, memory_order_relaxed);
    if (acquired != GWS_ACQUIRED) return false;
    if (taken < 1) atomic_fetch_add(&team->wrong, 1);
    atomic_fetch_add_explicit(&team->steals, 1, memory_order_relaxed);
    record(team, out);
    return true;
}

/* Acts as a worker without tasks. Marks the worker idle or active, as the pool does, and tries victims. */
static void look_around(struct task_member *me)
{
    enum { tries = 4 };
    const struct gws_task_queue *c = me->team->real.ops;
    if (c->mark_idle && !c->mark_idle(me->team->real.state, me->worker)) return;
    bool stolen_from = false;
    for (uint32_t i = 0; i < tries && !stolen_from; i++) stolen_from = steal_one(me, gws_random_next(&me->random));
    if (c->mark_active) c->mark_active(me->team->real.state, me->worker);
    if (!stolen_from) (void)sched_yield();
}

static void *live(void *argument)
{
    struct task_member *me = argument;
    struct task_team *team = me->team;
    const struct gws_task_queue *c = team->real.ops;
    pthread_barrier_wait(&team->gate);
    while (atomic_load_explicit(&team->left, memory_order_relaxed) > 0) {
        uint64_t draw = gws_random_next(&me->random);
        uint32_t takes = 1 + (draw >> 8) % team->pattern.burst, makes = 1 + (draw >> 16) % team->pattern.burst,
                 took = 1;
        for (uint32_t i = 0; i < makes && make_one(me); i++) continue;
        if ((draw & 0x1f00000000) == 0) (void)sched_yield(); /* lets the other workers run */
        for (uint32_t i = 0; i < takes && took > 0; i += took)
            took = take_some(me, draw & 1 ? 1 : 1 + (draw >> 24) % max_popped);
        if (c->balance && (draw & 30) == 0)
            (void)c->balance(team->real.state, me->worker, (me->worker + 1) % team->workers, 2);
        if (took == 0 && (draw & 32 || me->made == me->makes)) look_around(me);
    }
    return NULL;
}

static void team_run(struct task_team *team, void *(*life)(void *))
{
    struct task_member member[max_threads];
    pthread_barrier_init(&team->gate, NULL, team->workers);
    pthread_t thread[max_threads];
    for (uint32_t w = 0; w < team->workers; w++) {
        bool makes = team->pattern.all || w == 0;
        member[w] = (struct task_member){.team = team, .worker = w, .makes = makes ? team->each : 0, .random = w + 1};
        ck_assert_int_eq(pthread_create(&thread[w], NULL, life, &member[w]), 0);
    }
    for (uint32_t w = 0; w < team->workers; w++) pthread_join(thread[w], NULL);
    pthread_barrier_destroy(&team->gate);
}

/* Returns the number of steals. */
static uint64_t contend(const struct task_kind *kind, struct spawn_pattern pattern, uint32_t workers, uint64_t tasks,
                        uint64_t capacity)
{
    struct gws_test_memory memory = {0};
    struct task_team team = {.kind = kind, .pattern = pattern, .workers = workers};
    team.each = pattern.all ? tasks / workers : tasks;
    team.left = pattern.all ? team.each * workers : team.each;
    team.message = calloc(team.each * workers, sizeof *team.message);
    ck_assert_int_eq(task_state_init(&team.real, kind->ops, &memory, workers, words, capacity), GWS_OK);
    team_run(&team, live);
    ck_assert_msg(team.wrong == 0, "%s: %llu tasks were wrong", kind->name, (unsigned long long)team.wrong);
    for (uint64_t i = 0; i < team.each * workers; i++)
        if (team.message[i]) ck_abort_msg("%s: task %llu came up in number only", kind->name, (unsigned long long)i);
    for (uint32_t w = 0; w < workers; w++) ck_assert_uint_eq(kind->ops->length(team.real.state, w), 0);
    ck_assert(!kind->grows || team.full == 0);
    free(team.message);
    task_state_destroy(&team.real);
    gws_test_memory_check(&memory);
    return team.steals;
}

START_TEST(each_task_once_with_threads)
{
    static const uint32_t workers[] = {2, 3, 4, 8, 16};
    uint64_t tasks = gws_test_quick() ? 3000 : 100000;
    uint64_t steals = 0;
    for (size_t m = 0; m < sizeof patterns / sizeof patterns[0]; m++)
        for (size_t k = 0; k < sizeof workers / sizeof workers[0]; k++) {
            steals += contend(&task_kinds[_i], patterns[m], workers[k], tasks, 8);
            steals += contend(&task_kinds[_i], patterns[m], workers[k], tasks / 2, 256);
        }
    ck_assert(steals > 0 || task_kinds[_i].steals == END_NONE);
}
END_TEST

/* ---- empty is not lost ---- */

/* Steals from worker 0, which adds no task, until the answer is EMPTY. The queue must then be empty. */
static void *plunder(void *argument)
{
    struct task_member *me = argument;
    struct task_team *team = me->team;
    const struct gws_task_queue *c = team->real.ops;
    pthread_barrier_wait(&team->gate);
    uint64_t out[words], taken;
    enum gws_acquire acquired = me->worker == 0 ? GWS_ACQUIRE_EMPTY : GWS_ACQUIRE_LOST;
    while (acquired != GWS_ACQUIRE_EMPTY) {
        struct gws_steal_request request = {me->worker, 0, task_amount_chunk, 1, false};
        acquired = c->steal(team->real.state, &request, out, &taken);
        if (acquired == GWS_ACQUIRED) record(team, out);
        if (acquired == GWS_ACQUIRED) atomic_fetch_add_explicit(&team->steals, 1, memory_order_relaxed);
        if (acquired == GWS_ACQUIRE_LOST) atomic_fetch_add_explicit(&team->lost, 1, memory_order_relaxed);
    }
    if (me->worker != 0 && c->length(team->real.state, 0) != 0) atomic_fetch_add(&team->wrong, 1);
    return NULL;
}

START_TEST(empty_is_not_lost)
{
    const struct task_kind *kind = &task_kinds[_i];
    if (kind->keeps) return;
    for (uint32_t round = 0; round < (gws_test_quick() ? 20 : 300); round++) {
        struct gws_test_memory memory = {0};
        struct task_team team = {.kind = kind, .workers = 2 + round % 4, .each = 64, .left = 64};
        uint64_t message[64 * 6] = {0};
        team.message = message;
        ck_assert_int_eq(task_state_init(&team.real, kind->ops, &memory, team.workers, words, 64), GWS_OK);
        struct task_member owner = {.team = &team, .makes = 64};
        while (make_one(&owner)) continue;
        team_run(&team, plunder);
        ck_assert_uint_eq(team.wrong, 0);
        ck_assert_uint_eq(team.left, 0);
        ck_assert_uint_eq(team.steals, 64);
        ck_assert_uint_le(team.lost, 64 * (team.workers - 2)); /* every lost race has a winner */
        task_state_destroy(&team.real);
        gws_test_memory_check(&memory);
    }
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {
        {each_task_once_with_threads, task_kind_count}, {empty_is_not_lost, task_kind_count}, {0}};
    return gws_test_run("task_stress", test);
}
