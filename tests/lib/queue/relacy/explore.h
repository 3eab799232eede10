/* SPDX-License-Identifier: MIT */
/* Explores a task queue. Worker 0 runs its script, and the other workers try to steal from it. By the end, the workers
 * must have acquired every task once, whole, with its maker's earlier writes.
 *
 * The letters of a script: + makes a task, - pops one, = pops up to three. The part before a colon runs before the
 * thieves start. If no letter follows the colon, a thief that gets EMPTY must not then find tasks in the queue. The
 * thief may still get LOST. A program includes the source of the queue, then this header, and runs gws_relacy_explore()
 * for each of its cases. */
#ifndef GWS_TESTS_RELACY_EXPLORE_H
#define GWS_TESTS_RELACY_EXPLORE_H

#include "tracked.h"

#include <cstdio>
#include <ostream>
#include <streambuf>

enum { gws_relacy_found = 1, gws_relacy_not_met = 3 }; /* exit statuses */
enum { gws_relacy_words = 2, gws_relacy_max_tasks = 8, gws_relacy_max_bytes = 1 << 16 };

struct gws_relacy_case {
    const char *script;
    uint64_t capacity;
    uint32_t tries; /* number of attempts of each thief */
    /* Tries every schedule with at most `bound` preemptions, or `random` random schedules if bound is 0. */
    uint32_t bound, random;
};

/* The current case. Relacy constructs the suites itself, so the suites get no arguments and no alignment. */
static const struct gws_task_queue *gws_relacy_queue;
static struct gws_relacy_case gws_relacy_now;
alignas(128) static char gws_relacy_state[gws_relacy_max_bytes];

/* The state of the task queue is an array with one queue for each worker. */
template <typename queue, rl::thread_id_t workers>
struct gws_relacy_suite : rl::test_suite<gws_relacy_suite<queue, workers>, workers> {
    const struct gws_task_queue *ops = gws_relacy_queue;
    queue *state = (queue *)gws_relacy_state;
    gws_relacy_shadow written[gws_relacy_max_tasks]; /* plain memory of the maker */
    uint32_t made = 0, seen[gws_relacy_max_tasks] = {};

    void before()
    {
        static const struct gws_allocator none = {};
        gws_relacy_block_count = 0; /* Relacy runs a failing schedule once more, to print it */
        struct gws_task_shape shape = {workers, gws_relacy_words, gws_relacy_now.capacity, &none};
        RL_ASSERT(ops->bytes == 0 && ops->worker_bytes == sizeof(queue) &&
                  sizeof(queue[workers]) <= sizeof gws_relacy_state);
        for (uint32_t w = 0; w < workers; w++) ::new ((void *)(state + w)) queue();
        RL_ASSERT(ops->init(state, &shape) == GWS_OK);
        act(gws_relacy_now.script);
        gws_relacy_watch_anew(); /* any thread may have run before() */
    }

    void record(const uint64_t *task)
    {
        RL_ASSERT(task[0] < gws_relacy_max_tasks && task[1] == ~task[0]);
        RL_ASSERT(written[task[0]]($).load() == (int)task[0]);
        RL_ASSERT(seen[task[0]]++ == 0);
    }

    void make_one()
    {
        uint64_t *task = ops->reserve(state, 0);
        if (!task) return;
        gws_relacy_writes(task, gws_relacy_words);
        task[0] = made;
        task[1] = ~(uint64_t)made;
        written[made]($).store((int)made);
        made++;
        ops->commit(state, 0);
    }

    uint32_t take(uint32_t worker, uint32_t max)
    {
        uint64_t out[gws_relacy_max_tasks * gws_relacy_words];
        uint32_t count = ops->pop(state, worker, max, out);
        RL_ASSERT(count <= max);
        for (uint32_t i = 0; i < count; i++) record(out + i * gws_relacy_words);
        return count;
    }

    static uint64_t half(uint64_t length, uint64_t)
    {
        return (length + 1) / 2;
    }

    void steal(uint32_t thief)
    {
        struct gws_steal_request request = {thief, 0, half, 1, false};
        uint64_t out[gws_relacy_words], taken = 0;
        enum gws_acquire acquired = ops->steal(state, &request, out, &taken);
        bool guessed = gws_relacy_guessed(); /* the answer rests on a guessed load */
        RL_ASSERT(acquired != GWS_ACQUIRE_EMPTY || guessed || *script() || ops->length(state, 0) == 0);
        if (acquired != GWS_ACQUIRED) return;
        record(out);
        while (take(thief, 1)) continue;
    }

    /* Runs a script up to a colon or its end. */
    void act(const char *step)
    {
        for (; *step && *step != ':'; step++) {
            if (*step == '+') make_one();
            if (*step == '-') (void)take(0, 1);
            if (*step == '=') (void)take(0, 3);
        }
    }

    /* The part of the script that runs while the thieves run. */
    static const char *script()
    {
        return strchr(gws_relacy_now.script, ':') + 1;
    }

    void thread(unsigned worker)
    {
        if (worker == 0) act(script());
        for (uint32_t i = 0; worker != 0 && i < gws_relacy_now.tries; i++) steal(worker);
    }

    void after()
    {
        for (uint32_t w = 0; w < workers; w++)
            while (take(w, 1)) continue;
        for (uint32_t i = 0; i < made; i++) RL_ASSERT(seen[i] == 1);
        ops->destroy(state);
        for (uint32_t w = 0; w < workers; w++) state[w].~queue();
        gws_relacy_forget();
    }
};

/* Buffers Relacy's output, which the program prints only on failure. A string stream would not work, since Relacy
 * writes while it intercepts every new and delete. */
struct gws_relacy_output : std::streambuf {
    char text[1 << 20];
    gws_relacy_output()
    {
        setp(text, text + sizeof text - 1);
    }
    const char *read()
    {
        *pptr() = '\0';
        return text;
    }
};

/* Explores one case and prints its extent. When a schedule fails, ends the program after Relacy has printed the
 * schedule. */
template <typename suite> static void gws_relacy_run(const struct gws_relacy_case &what)
{
    static gws_relacy_output output;
    std::ostream stream(&output);
    rl::test_params params;
    params.progress_stream = params.output_stream = &stream;
    params.search_type = what.bound ? rl::sched_bound : rl::sched_random;
    params.context_bound = what.bound;
    params.iteration_count = what.random;
    gws_relacy_now = what;
    if (!rl::simulate<suite>(params)) {
        printf("%s\n%s", what.script, output.read());
        exit(gws_relacy_found);
    }
    printf("%-8s capacity %llu, %u thieves try %u times: %8llu schedules, ", what.script,
           (unsigned long long)what.capacity, (unsigned)suite::params::thread_count - 1, what.tries,
           (unsigned long long)params.stop_iteration);
    if (what.bound)
        printf("all with at most %u preemptions\n", what.bound);
    else
        printf("random\n");
    fflush(stdout);
}

/* Explores one case with one thief or two thieves. */
template <typename queue>
static void gws_relacy_explore(const struct gws_task_queue *ops, const struct gws_relacy_case &what, uint32_t thieves)
{
    gws_relacy_queue = ops;
    if (thieves == 1)
        gws_relacy_run<gws_relacy_suite<queue, 2>>(what);
    else
        gws_relacy_run<gws_relacy_suite<queue, 3>>(what);
}

/* Returns main()'s exit status when no case has failed. */
static int gws_relacy_exit_status()
{
    const gws_relacy_mutant *mutant = gws_relacy_the_mutant();
    return mutant->from && mutant->met != 1 ? gws_relacy_not_met : 0;
}

#endif
