/* SPDX-License-Identifier: MIT */
/* Every task container (task_kinds.h) with 2 to 16 threads that make, take, steal and balance at random. Each task must
 * come up once, whole, with what its maker wrote before. What is checked is plain memory, so that ThreadSanitizer sees
 * it when the container does not order it. */
#include "task_kinds.h"

#include <pthread.h>
#include <sched.h>

enum { most_threads = 16, words = 3, most_popped = 5 };

/* Who makes tasks, and when. */
static const struct manner {
    bool all;       /* every worker does, else the first alone */
    uint32_t burst; /* so many in a row, at most; then up to as many are taken */
} manners[] = {
    {true, 20},
    {false, 50},
    {true, 1}, /* the queue is empty or has one task, which everybody is after */
    {false, 2},
};

struct crew {
    const struct task_kind *kind;
    struct task_state real;
    struct manner manner;
    uint32_t workers;
    pthread_barrier_t gate;
    uint64_t each;         /* tasks that a maker makes */
    uint64_t *letter;      /* of each task, written by its maker before it is published; NULLs out what was seen */
    _Atomic uint64_t left; /* tasks that did not come up yet */
    _Atomic uint64_t wrong, steals, lost, full;
};

struct member {
    struct crew *crew;
    uint32_t worker;
    uint64_t made, makes, random;
};

static void note(struct crew *crew, const uint64_t *task)
{
    bool known = task[0] < crew->each * crew->workers && task_is_whole(task, words);
    if (!known || crew->letter[task[0]] != ~task[0])
        atomic_fetch_add(&crew->wrong, 1);
    else
        crew->letter[task[0]] = 0;
    atomic_fetch_sub_explicit(&crew->left, 1, memory_order_relaxed);
}

static bool make_one(struct member *me)
{
    struct crew *crew = me->crew;
    if (me->made == me->makes) return false;
    uint64_t id = me->worker * crew->each + me->made;
    crew->letter[id] = ~id;
    if (!task_push(&crew->real, me->worker, id)) {
        atomic_fetch_add_explicit(&crew->full, 1, memory_order_relaxed);
        return false;
    }
    me->made++;
    return true;
}

static uint32_t take_some(struct member *me, uint32_t most)
{
    uint64_t out[most_popped * words];
    uint32_t count = me->crew->real.container->pop(me->crew->real.state, me->worker, most, out);
    for (uint32_t i = 0; i < count; i++) note(me->crew, out + (size_t)i * words);
    return count;
}

static bool rob(struct member *me, uint64_t draw)
{
    struct crew *crew = me->crew;
    uint32_t victim = (uint32_t)((me->worker + 1 + (draw >> 32) % (crew->workers - 1)) % crew->workers);
    struct gws_theft theft = task_theft(me->worker, victim, draw);
    uint64_t out[words], taken = 0;
    enum gws_grab grab = crew->real.container->steal(crew->real.state, &theft, out, &taken);
    if (grab == GWS_GRAB_LOST) atomic_fetch_add_explicit(&crew->lost, 1, memory_order_relaxed);
    if (grab != GWS_GRAB_TOOK) return false;
    if (taken < 1) atomic_fetch_add(&crew->wrong, 1);
    atomic_fetch_add_explicit(&crew->steals, 1, memory_order_relaxed);
    note(crew, out);
    return true;
}

/* What a worker does that has nothing: partners are told, as the pool tells them, and victims tried. */
static void look_around(struct member *me)
{
    enum { tries = 4 };
    const struct gws_task_container *c = me->crew->real.container;
    if (c->retire && !c->retire(me->crew->real.state, me->worker)) return;
    bool robbed = false;
    for (uint32_t i = 0; i < tries && !robbed; i++) robbed = rob(me, gws_random_next(&me->random));
    if (c->enlist) c->enlist(me->crew->real.state, me->worker);
    if (!robbed) (void)sched_yield();
}

static void *live(void *argument)
{
    struct member *me = argument;
    struct crew *crew = me->crew;
    const struct gws_task_container *c = crew->real.container;
    pthread_barrier_wait(&crew->gate);
    while (atomic_load_explicit(&crew->left, memory_order_relaxed) > 0) {
        uint64_t draw = gws_random_next(&me->random);
        uint32_t takes = 1 + (draw >> 8) % crew->manner.burst, makes = 1 + (draw >> 16) % crew->manner.burst, took = 1;
        for (uint32_t i = 0; i < makes && make_one(me); i++) continue;
        if ((draw & 0x1f00000000) == 0) (void)sched_yield(); /* now all the others look at what was made */
        for (uint32_t i = 0; i < takes && took > 0; i += took)
            took = take_some(me, draw & 1 ? 1 : 1 + (draw >> 24) % most_popped);
        if (c->balance && (draw & 30) == 0)
            (void)c->balance(crew->real.state, me->worker, (me->worker + 1) % crew->workers, 2);
        if (took == 0 && (draw & 32 || me->made == me->makes)) look_around(me);
    }
    return NULL;
}

static void crew_run(struct crew *crew, void *(*life)(void *))
{
    struct member member[most_threads];
    pthread_barrier_init(&crew->gate, NULL, crew->workers);
    pthread_t thread[most_threads];
    for (uint32_t w = 0; w < crew->workers; w++) {
        bool makes = crew->manner.all || w == 0;
        member[w] = (struct member){.crew = crew, .worker = w, .makes = makes ? crew->each : 0, .random = w + 1};
        ck_assert_int_eq(pthread_create(&thread[w], NULL, life, &member[w]), 0);
    }
    for (uint32_t w = 0; w < crew->workers; w++) pthread_join(thread[w], NULL);
    pthread_barrier_destroy(&crew->gate);
}

/* Returns how many times somebody stole. */
static uint64_t contend(const struct task_kind *kind, struct manner manner, uint32_t workers, uint64_t tasks,
                        uint64_t room)
{
    struct gws_test_memory memory = {0};
    struct crew crew = {.kind = kind, .manner = manner, .workers = workers};
    crew.each = manner.all ? tasks / workers : tasks;
    crew.left = manner.all ? crew.each * workers : crew.each;
    crew.letter = calloc(crew.each * workers, sizeof *crew.letter);
    ck_assert_int_eq(task_state_make(&crew.real, kind->container, &memory, workers, words, room), GWS_OK);
    crew_run(&crew, live);
    ck_assert_msg(crew.wrong == 0, "%s: %llu tasks were wrong", kind->name, (unsigned long long)crew.wrong);
    for (uint64_t i = 0; i < crew.each * workers; i++)
        if (crew.letter[i]) ck_abort_msg("%s: task %llu came up in number only", kind->name, (unsigned long long)i);
    for (uint32_t w = 0; w < workers; w++) ck_assert_uint_eq(kind->container->length(crew.real.state, w), 0);
    ck_assert(!kind->grows || crew.full == 0);
    free(crew.letter);
    task_state_strip(&crew.real);
    gws_test_memory_check(&memory);
    return crew.steals;
}

START_TEST(each_task_once_with_threads)
{
    static const uint32_t workers[] = {2, 3, 4, 8, 16};
    uint64_t tasks = gws_test_quick() ? 3000 : 100000;
    uint64_t steals = 0;
    for (size_t m = 0; m < sizeof manners / sizeof manners[0]; m++)
        for (size_t k = 0; k < sizeof workers / sizeof workers[0]; k++) {
            steals += contend(&task_kinds[_i], manners[m], workers[k], tasks, 8);
            steals += contend(&task_kinds[_i], manners[m], workers[k], tasks / 2, 256);
        }
    ck_assert(steals > 0 || task_kinds[_i].steals == END_NONE);
}
END_TEST

/* ---- empty is not lost ---- */

/* Steals from worker 0, who adds nothing, until told that it is empty: then it must be. */
static void *plunder(void *argument)
{
    struct member *me = argument;
    struct crew *crew = me->crew;
    const struct gws_task_container *c = crew->real.container;
    pthread_barrier_wait(&crew->gate);
    uint64_t out[words], taken;
    enum gws_grab grab = me->worker == 0 ? GWS_GRAB_EMPTY : GWS_GRAB_LOST;
    while (grab != GWS_GRAB_EMPTY) {
        struct gws_theft theft = {me->worker, 0, task_amount_chunk, 1, false};
        grab = c->steal(crew->real.state, &theft, out, &taken);
        if (grab == GWS_GRAB_TOOK) note(crew, out);
        if (grab == GWS_GRAB_TOOK) atomic_fetch_add_explicit(&crew->steals, 1, memory_order_relaxed);
        if (grab == GWS_GRAB_LOST) atomic_fetch_add_explicit(&crew->lost, 1, memory_order_relaxed);
    }
    if (me->worker != 0 && c->length(crew->real.state, 0) != 0) atomic_fetch_add(&crew->wrong, 1);
    return NULL;
}

START_TEST(empty_is_not_lost)
{
    const struct task_kind *kind = &task_kinds[_i];
    if (kind->keeps) return;
    for (uint32_t round = 0; round < (gws_test_quick() ? 20 : 300); round++) {
        struct gws_test_memory memory = {0};
        struct crew crew = {.kind = kind, .workers = 2 + round % 4, .each = 64, .left = 64};
        uint64_t letter[64 * 6] = {0};
        crew.letter = letter;
        ck_assert_int_eq(task_state_make(&crew.real, kind->container, &memory, crew.workers, words, 64), GWS_OK);
        struct member owner = {.crew = &crew, .makes = 64};
        while (make_one(&owner)) continue;
        crew_run(&crew, plunder);
        ck_assert_uint_eq(crew.wrong, 0);
        ck_assert_uint_eq(crew.left, 0);
        ck_assert_uint_eq(crew.steals, 64);
        ck_assert_uint_le(crew.lost, 64 * (crew.workers - 2)); /* who loses has lost to somebody */
        task_state_strip(&crew.real);
        gws_test_memory_check(&memory);
    }
}
END_TEST

static Suite *task_stress_suite(void)
{
    Suite *suite = suite_create("task_stress");
    TCase *stress = tcase_create("stress");
    tcase_add_loop_test(stress, each_task_once_with_threads, 0, task_kind_count);
    tcase_add_loop_test(stress, empty_is_not_lost, 0, task_kind_count);
    suite_add_tcase(suite, stress);
    return suite;
}

int main(void)
{
    return gws_test_main(task_stress_suite);
}
