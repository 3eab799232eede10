/* SPDX-License-Identifier: MIT */
/* Explores a task container: worker 0 does what its script says, the others try to steal from it, and at the end
 * every task that was made must have come up once, whole, with what its maker wrote before publishing it.
 *
 * A script's letters: + makes a task, - takes one, = takes up to three. What stands in front of a colon is done before
 * the thieves come. If nothing stands behind it, a thief that is told that the queue is empty must not see it filled:
 * having lost a race is something else. A program includes the source of the container, then this header, and runs
 * gws_relacy_explore() for each of its cases. */
#ifndef GWS_TESTS_RELACY_EXPLORE_H
#define GWS_TESTS_RELACY_EXPLORE_H

#include "tracked.h"

#include <cstdio>
#include <ostream>
#include <streambuf>

enum { gws_relacy_found = 1, gws_relacy_not_met = 3 }; /* how a program may end */
enum { gws_relacy_words = 2, gws_relacy_most_tasks = 8, gws_relacy_most_bytes = 1 << 16 };

struct gws_relacy_case {
    const char *script;
    uint64_t room;
    uint32_t tries; /* of each thief */
    /* Every schedule with at most so many preemptions is tried; 0: that many random ones instead. */
    uint32_t bound, random;
};

/* What is explored now. Relacy makes the suites itself, so it cannot be handed to them; nor do theirs align them. */
static const struct gws_task_container *gws_relacy_container;
static struct gws_relacy_case gws_relacy_now;
alignas(128) static char gws_relacy_state[gws_relacy_most_bytes];

/* The container's state is an array of a queue for each worker. */
template <typename queue, rl::thread_id_t workers>
struct gws_relacy_suite : rl::test_suite<gws_relacy_suite<queue, workers>, workers> {
    const struct gws_task_container *container = gws_relacy_container;
    queue *state = (queue *)gws_relacy_state;
    gws_relacy_shadow written[gws_relacy_most_tasks]; /* plain memory of whoever makes the task */
    uint32_t made = 0, seen[gws_relacy_most_tasks] = {};

    void before()
    {
        static const struct gws_allocator none = {};
        gws_relacy_block_count = 0; /* Relacy runs a schedule that went wrong once more, to show it */
        struct gws_task_shape shape = {workers, gws_relacy_words, gws_relacy_now.room, &none};
        RL_ASSERT(container->bytes == 0 && container->worker_bytes == sizeof(queue) &&
                  sizeof(queue[workers]) <= sizeof gws_relacy_state);
        for (uint32_t w = 0; w < workers; w++) ::new ((void *)(state + w)) queue();
        RL_ASSERT(container->make(state, &shape) == GWS_OK);
        act(gws_relacy_now.script);
        gws_relacy_watch_anew(); /* any thread may have been the one that did this */
    }

    void note(const uint64_t *task)
    {
        RL_ASSERT(task[0] < gws_relacy_most_tasks && task[1] == ~task[0]);
        RL_ASSERT(written[task[0]]($).load() == (int)task[0]);
        RL_ASSERT(seen[task[0]]++ == 0);
    }

    void make_one()
    {
        uint64_t *task = container->place(state, 0);
        if (!task) return;
        gws_relacy_writes(task, gws_relacy_words);
        task[0] = made;
        task[1] = ~(uint64_t)made;
        written[made]($).store((int)made);
        made++;
        container->publish(state, 0);
    }

    uint32_t take(uint32_t worker, uint32_t most)
    {
        uint64_t out[gws_relacy_most_tasks * gws_relacy_words];
        uint32_t count = container->pop(state, worker, most, out);
        RL_ASSERT(count <= most);
        for (uint32_t i = 0; i < count; i++) note(out + i * gws_relacy_words);
        return count;
    }

    static uint64_t half(uint64_t length, uint64_t)
    {
        return (length + 1) / 2;
    }

    void steal(uint32_t thief)
    {
        struct gws_theft theft = {thief, 0, half, 1, false};
        uint64_t out[gws_relacy_words], taken = 0;
        enum gws_grab grab = container->steal(state, &theft, out, &taken);
        bool guessed = gws_relacy_guessed(); /* then it would say so in another world */
        RL_ASSERT(grab != GWS_GRAB_EMPTY || guessed || *script() || container->length(state, 0) == 0);
        if (grab != GWS_GRAB_TOOK) return;
        note(out);
        while (take(thief, 1)) continue;
    }

    /* Up to a colon or the end. */
    void act(const char *step)
    {
        for (; *step && *step != ':'; step++) {
            if (*step == '+') make_one();
            if (*step == '-') (void)take(0, 1);
            if (*step == '=') (void)take(0, 3);
        }
    }

    /* What is done while thieves are about. */
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
        container->strip(state);
        for (uint32_t w = 0; w < workers; w++) state[w].~queue();
        gws_relacy_forget();
    }
};

/* Keeps what Relacy writes until it is known whether it is wanted. A string stream would not do: Relacy writes while it
 * watches every new and delete. */
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

/* Explores one case and says how far. Ends the program when a schedule goes wrong; Relacy has shown it then. */
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
    printf("%-8s room %llu, %u thieves try %u times: %8llu schedules, ", what.script, (unsigned long long)what.room,
           (unsigned)suite::params::thread_count - 1, what.tries, (unsigned long long)params.stop_iteration);
    if (what.bound)
        printf("all with at most %u preemptions\n", what.bound);
    else
        printf("random\n");
    fflush(stdout);
}

/* The same with one thief or two. */
template <typename queue>
static void gws_relacy_explore(const struct gws_task_container *container, const struct gws_relacy_case &what,
                               uint32_t thieves)
{
    gws_relacy_container = container;
    if (thieves == 1)
        gws_relacy_run<gws_relacy_suite<queue, 2>>(what);
    else
        gws_relacy_run<gws_relacy_suite<queue, 3>>(what);
}

/* What main() returns when nothing was found. */
static int gws_relacy_exit_status()
{
    const gws_relacy_mutant *mutant = gws_relacy_the_mutant();
    return mutant->from && mutant->met != 1 ? gws_relacy_not_met : 0;
}

#endif
