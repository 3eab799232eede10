/* SPDX-License-Identifier: MIT */
/* A simulation of immediate tasks (lib/tasks.h) in virtual time, on 1 to 1,048,576 workers of a machine that is given
 * by its costs. The simulated workers take the same decisions as the threads of a runtime: which victim, how much, when
 * to balance, how many tasks at once (lib/policy). The tasks are real: they run one after another on the calling
 * thread, in the order of virtual time, and spawn real tasks. Their cost in time is what cost() says.
 *
 * A simulation is a function of its options and its tasks: two calls with the same ones give the same result, except
 * for the time that they take. */
#ifndef GWS_SIM_H
#define GWS_SIM_H

#include <stdbool.h>

#include "runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { GWS_SIM_MAX_WORKERS = 1 << 20 };

/* Costs in nanoseconds (shared is a factor): name, meaning. An access is a round trip, such as a read. */
#define GWS_SIM_COSTS(X)                                                                                               \
    X(pop, "pop tasks from one's own queue")                                                                           \
    X(push, "spawn a task")                                                                                            \
    X(lock, "lock one's own queue, or the one pile")                                                                   \
    X(cache, "access a worker that shares the cache")                                                                  \
    X(host, "access another worker of the host")                                                                       \
    X(network, "access a worker of another host")                                                                      \
    X(hop, "the same, for each hop between hosts after the first")                                                     \
    X(byte, "move a byte of a stolen task between hosts")                                                              \
    X(word, "an atomic operation within a host; the victim's word serves one at a time")                               \
    X(server, "an atomic operation from another host; the victim's host serves one at a time")                         \
    X(read, "a read of a waiting thief's ticket; the victim's host serves one at a time")                              \
    X(retry, "pause before the n-th further attempt at a held lock, divided by n")                                     \
    X(poll, "wait until a busy victim on another host answers")                                                        \
    X(message, "pass on a vote or the end to the next worker of the tree")                                             \
    X(migrate, "added to a task that runs on another worker than its maker")                                           \
    X(shared, "factor of a task's time if all workers share one pile")                                                 \
    X(node, "create a node of a tree (uts)")                                                                           \
    X(key, "compare and move a key (quicksort)")                                                                       \
    X(vertex, "process a vertex (levels)")

enum gws_sim_cost {
#define GWS_SIM_COST(name, about) GWS_SIM_##name,
    GWS_SIM_COSTS(GWS_SIM_COST)
#undef GWS_SIM_COST
        GWS_SIM_COSTS_COUNT
};

/* Returns the name and the meaning of a cost, or NULL past the end. about may be NULL. */
GWS_API const char *gws_sim_cost_at(uint32_t i, const char **about);

/* Machines. flat: one host. hosts: hosts of equal size at one switch. torus: hosts in a cube whose ends are joined.
 * tree: a fat tree of switches with 16 hosts or switches below each. */
enum gws_sim_topology { GWS_SIM_FLAT, GWS_SIM_HOSTS, GWS_SIM_TORUS, GWS_SIM_TREE };

struct gws_sim_machine {
    double cost[GWS_SIM_COSTS_COUNT]; /* 0 .. 10^12 each */
    enum gws_sim_topology topology;
    uint32_t cache; /* neighbouring workers that share a cache, at least 1 */
    uint32_t host;  /* workers of a host, at least 1; not of GWS_SIM_FLAT */
    bool vote;      /* the vote along a tree detects termination; false: a counter */
};

/* A machine with a name. */
struct gws_sim_preset {
    const char *name;
    const char *about; /* one sentence without a full stop */
    struct gws_sim_machine machine;
};

/* Returns the i-th preset, or NULL past the end. */
GWS_API const struct gws_sim_preset *gws_sim_preset_at(uint32_t i);

/* Receives what simulated workers do, in each worker's order of time. Times are nanoseconds of virtual time. */
struct gws_sim_observer {
    /* The worker is busy in that time, as in gws_sim_result.busy_ms. `tasks` of its tasks end with it. */
    void (*busy)(void *context, uint32_t worker, uint64_t tasks, uint64_t begin_ns, uint64_t end_ns);
    /* The worker has stolen tasks, and is busy next. */
    void (*stole)(void *context, uint32_t worker, uint32_t victim, uint64_t tasks);
    /* All queues together had that many tasks in that time. Levels have no such queues. */
    void (*queued)(void *context, uint64_t tasks, uint64_t begin_ns, uint64_t end_ns);
    void *context;
};

struct gws_sim_options {
    uint32_t workers;                     /* 1 .. GWS_SIM_MAX_WORKERS */
    const char *policy, *victim, *amount; /* as in gws_options; NULL: the default */
    uint32_t chunk;                       /* as in gws_options */
    bool wait;                            /* thieves wait for a held lock */
    bool ticket; /* the locks serve in the order of tickets, with wait only (Dinan et al., SC 2009, section 4.1) */
    bool
        newest; /* a thief first runs the newest of the tasks that it stole, and so on (Dinan et al.), not the oldest */
    uint64_t seed;
    struct gws_sim_machine machine;
    const struct gws_sim_observer *observer; /* NULL: none */
};

/* A running simulation. */
struct gws_sim;

/* The tasks. A task is a record of `bytes` bytes. */
struct gws_sim_tasks {
    uint32_t bytes; /* 1 .. 4096 */
    uint32_t batch; /* maximum number of tasks that a worker pops at once, at most 256; 0: one */
    bool repeats; /* equal tasks are often spawned in a row. A queue stores these once, with their number, which adds a
                     word to all others. The result is the same. */
    const void *root;
    uint64_t roots; /* number of first tasks, consecutive, each of bytes rounded up to a multiple of 8 */
    /* Returns the nanoseconds that the task takes. Called once for each task, before run(). */
    double (*cost)(void *context, const void *task);
    double quantum; /* ns: tasks that are popped together take a multiple of it, such as vectors of nodes; 0: the sum of
                       their times. 0 .. 10^12 */
    /* Runs a task at the end of its time. It may call gws_sim_spawn(). worker: the simulated worker. */
    void (*run)(void *context, struct gws_sim *sim, uint32_t worker, const void *task);
    void *context;
};

/* Spawns a copy of a task. Only run() may call it. If memory is short, gws_sim_run() returns GWS_NO_MEMORY. */
GWS_API void gws_sim_spawn(struct gws_sim *sim, const void *task);

/* Lists at most max tasks that run() will receive, first the present one and then those that probably end next, so that
 * run() can compute them together. Only run() may call it. The records stay where they are until run() has received
 * them. Returns the number of tasks. */
GWS_API uint32_t gws_sim_upcoming(const struct gws_sim *sim, const void **task, uint32_t max);

struct gws_sim_result {
    uint64_t tasks;          /* tasks run */
    uint64_t steals, stolen; /* successful steals and balances, and the tasks that they moved */
    uint64_t failed_steals;  /* a thief came too late, or lost a race */
    uint64_t aborted_steals; /* a thief gave up a held lock */
    uint64_t probes;         /* accesses of thieves to other queues to see whether they have tasks */
    uint64_t queue_high_water;
    uint64_t events;         /* events of the simulation */
    double virtual_ms;       /* from the start of worker 0 until all workers know the end */
    double termination_ms;   /* the part of it after the end of the last task */
    double busy_ms, work_ms; /* of all workers: in tasks and operations on their own queues; in tasks alone */
    double first_task_ms;    /* mean time until a worker's first task, over the workers that had one */
    double last_start_ms;    /* the same, of the last worker */
    uint32_t started;        /* workers that had a task */
    double queue_mean;       /* length of a queue, in the mean over workers and time */
    double queue_spread;     /* mean squared distance of the lengths from their mean at the time, in the mean over time
                                (Rudolph, Slivkin-Allalouf, Upfal, SPAA 1991, Figure 6) */
};

/* Simulates the tasks on the calling thread, with memory from the runtime: about 200 bytes for each worker, its running
 * tasks, and the queues. Errors: GWS_INVALID (an unknown name, a number out of bounds, an option that the policy does
 * not take); GWS_UNSUPPORTED (a policy that has no meaning in virtual time); GWS_NO_MEMORY; GWS_BUSY; GWS_CANCELLED.
 * where, which may be NULL, receives details. Errors leave *result unchanged. */
GWS_API gws_status gws_sim_run(struct gws_runtime *runtime, const struct gws_sim_options *options,
                               const struct gws_sim_tasks *tasks, struct gws_sim_result *result,
                               struct gws_diagnostic *where);

/* Loops over levels, such as the frontiers of a search: a level begins when the last one has ended. */
struct gws_sim_levels {
    const uint64_t *size; /* indexes of each level; an empty level takes no time */
    uint64_t count;       /* levels */
    double ns;            /* mean time of an index, 0 .. 10^9 */
    double spread;        /* its standard deviation, as a share of ns, 0 .. 1000; drawn from the seed */
    uint32_t grain;       /* the indexes that justify a worker; 0: all levels run on all workers */
};

/* Simulates loops under a policy for levels, "chunked" by default. A loop calls its workers, and gets its end, along a
 * tree: `message` for each level of the tree. In *result, tasks and stolen are indexes, termination_ms is the way of
 * the last end, and the lengths of queues have no mean. Errors: as of gws_sim_run(); GWS_UNSUPPORTED for a policy for
 * tasks, which runs loops as tasks. */
GWS_API gws_status gws_sim_levels(struct gws_runtime *runtime, const struct gws_sim_options *options,
                                  const struct gws_sim_levels *levels, struct gws_sim_result *result,
                                  struct gws_diagnostic *where);

#ifdef __cplusplus
}
#endif
#endif
