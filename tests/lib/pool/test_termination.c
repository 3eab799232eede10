/* SPDX-License-Identifier: MIT */
/* Emulates both kinds of termination detection in random orders. Workers with artificial tasks steal from one another,
 * balance, go idle and sleep. The detection must not report the end while a task exists. Once no task exists, the
 * report must reach all workers, although sleeping workers check again only after a wake-up. */
#include "../../harness.h"

#include "../../../lib/pool/termination.h"
#include "../../../lib/random.h"

enum { max_workers = 9, max_steps = 200000, line = 128 };

/* A worker's next action. A STEALING worker has marked the steal and takes tasks at a later step, so that other workers
 * run in between. */
enum emulated_state { BUSY, STEALING, IDLE, PARKED, FINISHED };

struct termination_emulation {
    struct gws__termination termination;
    uint32_t workers;
    enum emulated_state state[max_workers];
    uint32_t victim[max_workers], tasks[max_workers];
    bool balances;
    uint64_t left; /* number of tasks that workers may still spawn */
    uint64_t random;
};

static void wake(void *context, uint32_t worker)
{
    struct termination_emulation *emulation = context;
    if (emulation->state[worker] == PARKED) emulation->state[worker] = IDLE;
}

static uint32_t draw(struct termination_emulation *emulation, uint32_t bound)
{
    return gws_random_below(gws_random_next(&emulation->random), bound);
}

static uint64_t all_tasks(const struct termination_emulation *emulation)
{
    uint64_t sum = 0;
    for (uint32_t w = 0; w < emulation->workers; w++) sum += emulation->tasks[w];
    return sum;
}

/* Gives half of worker w's tasks to another worker, unless the other worker is idle. */
static void balance(struct termination_emulation *emulation, uint32_t w)
{
    uint32_t partner = draw(emulation, emulation->workers), gives = emulation->tasks[w] - emulation->tasks[w] / 2;
    if (partner == w || (emulation->state[partner] != BUSY && emulation->state[partner] != STEALING)) return;
    gws__termination_mark_steal(&emulation->termination, w, partner);
    emulation->tasks[w] -= gives;
    emulation->tasks[partner] += gives;
}

/* Lets worker w run one of its tasks, which may spawn two tasks, or try to steal. */
static void step_busy(struct termination_emulation *emulation, uint32_t w)
{
    if (emulation->balances && emulation->tasks[w] > 0 && draw(emulation, 4) == 0) {
        balance(emulation, w);
    } else if (emulation->tasks[w] > 0) {
        emulation->tasks[w]--;
        for (uint32_t made = draw(emulation, 3); made > 0 && emulation->left > 0; made--, emulation->left--)
            emulation->tasks[w]++;
    } else if (emulation->workers > 1 && draw(emulation, 2)) {
        emulation->victim[w] = (w + 1 + draw(emulation, emulation->workers - 1)) % emulation->workers;
        gws__termination_mark_steal(&emulation->termination, w, emulation->victim[w]);
        emulation->state[w] = STEALING;
    } else {
        emulation->state[w] = IDLE;
        if (gws__termination_idle(&emulation->termination, w))
            for (uint32_t other = 0; other < emulation->workers; other++) wake(emulation, other);
    }
}

static void step_stealing(struct termination_emulation *emulation, uint32_t w)
{
    uint32_t *victim_tasks = &emulation->tasks[emulation->victim[w]],
             took = *victim_tasks ? 1 + draw(emulation, *victim_tasks) : 0;
    *victim_tasks -= took;
    emulation->tasks[w] += took;
    emulation->state[w] = BUSY;
}

/* Lets worker w check for the end. Without an end, the worker steals if a queue has tasks, or sleeps. */
static void step_idle(struct termination_emulation *emulation, uint32_t w)
{
    if (gws__termination_over(&emulation->termination, w)) {
        if (all_tasks(emulation) > 0) ck_abort_msg("worker %u of %u got the end too early", w, emulation->workers);
        emulation->state[w] = FINISHED;
        return;
    }
    if (draw(emulation, 3) == 0) {
        gws__termination_busy(&emulation->termination, w);
        emulation->state[w] = BUSY; /* the worker's own queue is empty */
    } else if (all_tasks(emulation) == 0 || draw(emulation, 4) == 0) {
        emulation->state[w] = PARKED; /* the worker has found no task, so only a wake-up ends its sleep */
    }
}

/* Wakes sleeping workers at random times while there are tasks, as a spawn does. */
static void wake_some(struct termination_emulation *emulation)
{
    for (uint32_t w = 0; w < emulation->workers; w++)
        if (all_tasks(emulation) > 0 && draw(emulation, 8) == 0) wake(emulation, w);
}

static bool all_finished(const struct termination_emulation *emulation)
{
    for (uint32_t w = 0; w < emulation->workers; w++)
        if (emulation->state[w] != FINISHED) return false;
    return true;
}

static void run_emulation(uint32_t workers, bool vote, uint64_t seed)
{
    void *memory = calloc(1, workers * sizeof(struct gws__voter) + line);
    struct termination_emulation start = {.workers = workers, .balances = seed % 2, .left = 200, .random = seed},
                                 *emulation = &start;
    emulation->termination.voter = vote ? (void *)((char *)memory + (line - (uintptr_t)memory % line)) : NULL;
    emulation->termination.wake = wake;
    emulation->termination.context = emulation;
    gws__termination_begin(&emulation->termination, workers);
    emulation->tasks[0] = 5;
    for (uint32_t w = 1; w < workers; w++) emulation->state[w] = IDLE;
    uint64_t steps = 0;
    for (; !all_finished(emulation) && steps < max_steps; steps++) {
        uint32_t w = draw(emulation, workers);
        if (emulation->state[w] == BUSY)
            step_busy(emulation, w);
        else if (emulation->state[w] == STEALING)
            step_stealing(emulation, w);
        else if (emulation->state[w] == IDLE)
            step_idle(emulation, w);
        wake_some(emulation);
    }
    if (steps == max_steps) ck_abort_msg("%u workers, seed %llu: no end", workers, (unsigned long long)seed);
    free(memory);
}

START_TEST(the_end_is_reported_in_time)
{
    uint64_t seeds = gws_test_quick() ? 50 : 500;
    for (uint32_t workers = 1; workers <= max_workers; workers++)
        for (uint64_t seed = 1; seed <= seeds; seed++) run_emulation(workers, _i == 1, seed);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{the_end_is_reported_in_time, 2}, {0}};
    return gws_test_run("termination", test);
}
