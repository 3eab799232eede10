/* SPDX-License-Identifier: MIT */
/* Both ways of finding that no task is left, played through in random orders: workers that hold made-up tasks, rob one
 * another, balance, go idle and rest. The end must not be told while there is a task, and must be told to all once
 * there is none, though resting workers look again only when they are woken. */
#include "../../harness.h"

#include "../../../lib/pool/termination.h"
#include "../../../lib/random.h"

enum { most_workers = 9, most_steps = 200000, line = 128 };

/* What a worker does next. One who robs has said so, and takes at a later step: others run in between. */
enum state { BUSY, ROBBING, IDLE, RESTING, HOME };

struct play {
    struct gws__termination termination;
    uint32_t workers;
    enum state state[most_workers];
    uint32_t victim[most_workers], tasks[most_workers];
    bool balances;
    uint64_t left; /* tasks that may still be spawned */
    uint64_t random;
};

static void wake(void *context, uint32_t worker)
{
    struct play *play = context;
    if (play->state[worker] == RESTING) play->state[worker] = IDLE;
}

static uint32_t draw(struct play *play, uint32_t bound)
{
    return gws_random_below(gws_random_next(&play->random), bound);
}

static uint64_t all_tasks(const struct play *play)
{
    uint64_t sum = 0;
    for (uint32_t w = 0; w < play->workers; w++) sum += play->tasks[w];
    return sum;
}

/* Gives half of its tasks to another, if that one is not idle. */
static void balance(struct play *play, uint32_t w)
{
    uint32_t partner = draw(play, play->workers), gives = play->tasks[w] - play->tasks[w] / 2;
    if (partner == w || (play->state[partner] != BUSY && play->state[partner] != ROBBING)) return;
    gws__termination_robs(&play->termination, w, partner);
    play->tasks[w] -= gives;
    play->tasks[partner] += gives;
}

/* Runs one of its tasks, which may spawn two, or looks for others'. */
static void step_busy(struct play *play, uint32_t w)
{
    if (play->balances && play->tasks[w] > 0 && draw(play, 4) == 0) {
        balance(play, w);
    } else if (play->tasks[w] > 0) {
        play->tasks[w]--;
        for (uint32_t made = draw(play, 3); made > 0 && play->left > 0; made--, play->left--) play->tasks[w]++;
    } else if (play->workers > 1 && draw(play, 2)) {
        play->victim[w] = (w + 1 + draw(play, play->workers - 1)) % play->workers;
        gws__termination_robs(&play->termination, w, play->victim[w]);
        play->state[w] = ROBBING;
    } else {
        play->state[w] = IDLE;
        if (gws__termination_idle(&play->termination, w))
            for (uint32_t other = 0; other < play->workers; other++) wake(play, other);
    }
}

static void step_robbing(struct play *play, uint32_t w)
{
    uint32_t *theirs = &play->tasks[play->victim[w]], took = *theirs ? 1 + draw(play, *theirs) : 0;
    *theirs -= took;
    play->tasks[w] += took;
    play->state[w] = BUSY;
}

/* Asks for the end; robs where something is in sight; rests. */
static void step_idle(struct play *play, uint32_t w)
{
    if (gws__termination_over(&play->termination, w)) {
        if (all_tasks(play) > 0) ck_abort_msg("worker %u of %u was told of the end too early", w, play->workers);
        play->state[w] = HOME;
        return;
    }
    if (draw(play, 3) == 0) {
        gws__termination_busy(&play->termination, w);
        play->state[w] = BUSY; /* and will find nothing of its own */
    } else if (all_tasks(play) == 0 || draw(play, 4) == 0) {
        play->state[w] = RESTING; /* it asked, and nothing was to be done: so only a call can wake it */
    }
}

/* Somebody who rests is woken when there are tasks, as a spawn does. */
static void offer(struct play *play)
{
    for (uint32_t w = 0; w < play->workers; w++)
        if (all_tasks(play) > 0 && draw(play, 8) == 0) wake(play, w);
}

static bool all_home(const struct play *play)
{
    for (uint32_t w = 0; w < play->workers; w++)
        if (play->state[w] != HOME) return false;
    return true;
}

static void run_play(uint32_t workers, bool vote, uint64_t seed)
{
    void *memory = calloc(1, workers * sizeof(struct gws__voter) + line);
    struct play start = {.workers = workers, .balances = seed % 2, .left = 200, .random = seed}, *play = &start;
    play->termination.voter = vote ? (void *)((char *)memory + (line - (uintptr_t)memory % line)) : NULL;
    play->termination.wake = wake;
    play->termination.context = play;
    gws__termination_begin(&play->termination, workers);
    play->tasks[0] = 5;
    for (uint32_t w = 1; w < workers; w++) play->state[w] = IDLE;
    uint64_t steps = 0;
    for (; !all_home(play) && steps < most_steps; steps++) {
        uint32_t w = draw(play, workers);
        if (play->state[w] == BUSY)
            step_busy(play, w);
        else if (play->state[w] == ROBBING)
            step_robbing(play, w);
        else if (play->state[w] == IDLE)
            step_idle(play, w);
        offer(play);
    }
    if (steps == most_steps) ck_abort_msg("%u workers, seed %llu: no end", workers, (unsigned long long)seed);
    free(memory);
}

START_TEST(the_end_is_told_when_it_is_there)
{
    uint64_t seeds = gws_test_quick() ? 50 : 500;
    for (uint32_t workers = 1; workers <= most_workers; workers++)
        for (uint64_t seed = 1; seed <= seeds; seed++) run_play(workers, _i == 1, seed);
}
END_TEST

static Suite *ending_suite(void)
{
    Suite *suite = suite_create("termination");
    TCase *plays = tcase_create("plays");
    tcase_add_loop_test(plays, the_end_is_told_when_it_is_there, 0, 2);
    suite_add_tcase(suite, plays);
    return suite;
}

int main(void)
{
    return gws_test_main(ending_suite);
}
