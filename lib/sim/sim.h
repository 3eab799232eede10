/* SPDX-License-Identifier: MIT */
/* The state of a simulation. Times are in picoseconds, so sums of costs are exact and do not depend on their order.
 *
 * A worker is a small state machine, and its state says what its next event is:
 *
 *     FINISH   the tasks that it runs end
 *     PILE     its turn at the one pile of `global`
 *     SCAN     it goes on looking for a victim        PROBE    it sees the queue of a victim that had tasks
 *     LOOK     it sees whether the victim's lock is still held
 *     REQUEST  its atomic operation reaches the victim's host
 *     ATOMIC   the operation is done                  TURN     its ticket is called
 *     UNLOCK   its unlock reaches the victim's host   ARRIVE   the unlock is done, or the stolen tasks have come
 *     OWNER    it has the lock of its own queue
 *     OUT      it has no event: it is parked, waits for a lock, or has not started */
#ifndef GWS_SIM_SIM_H
#define GWS_SIM_SIM_H

#include "../base/services.h"
#include "../policy/table.h"
#include "../random.h"
#include "../sim.h"
#include "wheel.h"

enum { GWS__SIM_NS = 1000 }; /* ps */

enum gws__sim_state {
    GWS__SIM_OUT,
    GWS__SIM_FINISH,
    GWS__SIM_PILE,
    GWS__SIM_SCAN,
    GWS__SIM_PROBE,
    GWS__SIM_LOOK,
    GWS__SIM_REQUEST,
    GWS__SIM_ATOMIC,
    GWS__SIM_TURN,
    GWS__SIM_UNLOCK,
    GWS__SIM_ARRIVE,
    GWS__SIM_OWNER
};

/* A circular buffer of slots that grows; the oldest at front. */
struct gws__sim_ring {
    uint64_t *slot;
    uint32_t front, slots, length, capacity; /* length: tasks; capacity: 0 or a power of two slots */
};

/* The first cache line is what tasks and searches of the worker need, the second what thieves and locks need too. */
struct gws__sim_worker {
    struct gws__sim_ring queue; /* of `global`, worker 0's is the one pile */
    uint8_t state;              /* an enum gws__sim_state */
    bool started;               /* it has had a task */
    bool owner_waits;           /* for the lock of its queue */
    uint32_t shared;            /* of a split queue: the oldest tasks, which thieves may take */
    uint32_t running;           /* tasks that end with FINISH */
    uint32_t victim, tried;     /* of struct gws_view; victim: the one tried last */
    uint64_t debt;              /* time of spawning and balancing, which the next tasks add to theirs */
    uint64_t random;
    uint32_t last, last_tried; /* of struct gws_view */
    uint32_t removed;          /* counts steals from this queue and its last tasks: what a compare-and-swap would see */
    uint32_t seen;             /* the victim's `removed` at the probe */
    uint32_t attempts;         /* at a held lock */
    uint32_t threshold;        /* of balancing */
    uint64_t parked;           /* the time of the first look that it has not taken */
    uint64_t word_free;        /* when the word of its queue has served all requests */
    /* The lock of its queue. The tickets in order are a list: next_waiter is the one after this worker. */
    int32_t holder, first_waiter, last_waiter, next_waiter;
    uint32_t waiters;
};

struct gws_sim {
    struct gws_runtime *runtime;
    const struct gws_sim_options *options;
    const struct gws_sim_tasks *tasks;
    const struct gws__policy *policy;
    gws_victim *victim;
    gws_amount *amount;
    uint64_t cost[GWS_SIM_COSTS_COUNT]; /* ps */
    bool uniform;                       /* every access takes the same time */
    uint32_t hosts, host_size, side;    /* side: of the cube of a torus */
    uint32_t cache_size;
    uint64_t host_reciprocal, cache_reciprocal; /* of the sizes; see machine.c */
    struct gws__wheel wheel;
    uint32_t workers; /* in a level: those that it calls */
    uint32_t words, record,
        maker;           /* words: of a task; maker: words before it, 1 if its maker is recorded; record: both */
    uint32_t slot_words; /* of a slot: the record and, if the tasks repeat, their number */
    bool repeats;        /* as in struct gws_sim_tasks */
    uint32_t batch;
    uint64_t quantum; /* ps */
    struct gws__sim_worker *worker;
    uint64_t *server;             /* by host: when its server of atomics has served all requests */
    uint64_t *stealable, *hungry; /* by worker: a bit */
    uint64_t *running;            /* by worker: batch records */
    /* The one pile of `global`: the last worker that was there; when its lock has served all requests, and those of
     * others before that worker. */
    uint32_t pile_last;
    uint64_t pile_free, pile_others;
    uint32_t stealables;       /* queues with tasks to steal */
    uint64_t *stealable_words; /* by 64 workers: a bit, whether one of them has tasks to steal */
    uint32_t *idle;            /* the thieves that are parked or in the pool */
    uint32_t idles;
    struct gws__sim_chunk *chunk; /* see blocks.c */
    struct gws__sim_free *block[32];
    /* The pool of idle thieves (search.c), and when the next look of one of them finds tasks. */
    bool pools;
    uint64_t random, pool_since, pool_due; /* pool_due: UINT64_MAX: never */
    double pool_left, pool_rate;           /* the rest of an exponential time with mean 1; how fast it passes in a ps */
    double pool_scale, pool_looks;         /* pool_looks: the time of all thieves in the pool, ps */
    uint64_t outstanding;                  /* tasks that have not ended */
    uint32_t self, ended;                  /* the worker that runs a task, and how many of its batch have ended */
    gws_status failed;
    /* Statistics. */
    struct gws_sim_result result;
    uint64_t busy, work, first_tasks;     /* ps */
    uint64_t lengths, squares, accounted; /* sums over the queues, since that time */
    double spread, length;                /* integrals over time */
    double share;                         /* 1 / workers */
};

static inline bool gws__sim_bit(const uint64_t *bits, uint32_t worker)
{
    return bits[worker / 64] >> (worker % 64) & 1;
}

/* Adds time in which a worker is busy. */
static inline void gws__sim_busy(struct gws_sim *sim, uint32_t worker, uint64_t tasks, uint64_t begin, uint64_t end)
{
    const struct gws_sim_observer *observer = sim->options->observer;
    sim->busy += end - begin;
    if (observer) observer->busy(observer->context, worker, tasks, begin / GWS__SIM_NS, end / GWS__SIM_NS);
}

/* Counts a steal. */
static inline void gws__sim_stole(struct gws_sim *sim, uint32_t thief, uint32_t victim, uint64_t tasks)
{
    const struct gws_sim_observer *observer = sim->options->observer;
    sim->result.steals++;
    sim->result.stolen += tasks;
    if (observer) observer->stole(observer->context, thief, victim, tasks);
}

/* Adds an event of a worker. */
static inline void gws__sim_at(struct gws_sim *sim, uint32_t worker, enum gws__sim_state state, uint64_t time)
{
    sim->worker[worker].state = (uint8_t)state;
    gws__wheel_add(&sim->wheel, (int32_t)worker, time);
}

/* ---- open.c ---- */

/* Opens a simulation whose options, words and batch are set; of levels: without tasks. Call gws__sim_close() in any
 * case. */
gws_status gws__sim_open(struct gws_sim *sim, bool levels, struct gws_diagnostic *where);
void gws__sim_close(struct gws_sim *sim);
struct gws_sim_result gws__sim_result(struct gws_sim *sim, uint64_t termination);
void gws__sim_note_start(struct gws_sim *sim, uint32_t worker); /* the worker begins a task, perhaps its first one */

/* ---- blocks.c ---- */

/* Take and give back memory of a power of two times a slot, at least a slot. take() returns NULL if memory is short. */
void *gws__sim_block_take(struct gws_sim *sim, uint64_t bytes);
void gws__sim_block_give(struct gws_sim *sim, void *block, uint64_t bytes);
void gws__sim_blocks_clear(struct gws_sim *sim);

/* ---- queue.c ---- */

/* Add a task at the end of a queue, or take the newest or the oldest one from a queue that is not empty. push() returns
 * false if memory is short. The caller then calls gws__sim_changed(). */
bool gws__sim_push(struct gws_sim *sim, struct gws__sim_ring *ring, uint64_t maker, const void *task);
void gws__sim_pop(struct gws_sim *sim, struct gws__sim_ring *ring, bool oldest, uint64_t *record);
void gws__sim_prefetch(const struct gws_sim *sim, const struct gws__sim_ring *ring); /* the newest task */
void gws__sim_ring_clear(struct gws_sim *sim, struct gws__sim_ring *ring);

/* Moves the oldest or the newest tasks of one worker's queue to the end of another's, in their order. */
void gws__sim_move(struct gws_sim *sim, uint32_t from, uint32_t to, uint32_t count, bool oldest);

/* Tasks that a thief can take from the worker. */
uint32_t gws__sim_available(const struct gws_sim *sim, uint32_t worker);

/* Notes that the worker's queue had `before` tasks and has changed. Unparks all thieves if it is the first one with
 * tasks to take, or one for each new task of the one pile. */
void gws__sim_changed(struct gws_sim *sim, uint32_t worker, uint32_t before);
void gws__sim_account(struct gws_sim *sim); /* adds the lengths since the last change to the integrals */

/* Releases tasks of a split queue to the thieves, by the rule of lib/queue/split.c. */
void gws__sim_release(struct gws_sim *sim, uint32_t worker);

/* ---- machine.c ---- */

bool gws__sim_machine_open(struct gws_sim *sim); /* false: a cost or a size is out of bounds */
uint64_t gws__sim_access(const struct gws_sim *sim, uint32_t from, uint32_t to);
/* The same, of all workers [first, end), one after another. */
uint64_t gws__sim_accesses(const struct gws_sim *sim, uint32_t from, uint32_t first, uint32_t end);

/* Serves an atomic operation of `from` on a word of `to` that arrives now. Returns when it is done. */
uint64_t gws__sim_serve(struct gws_sim *sim, uint32_t from, uint32_t to);
bool gws__sim_same_host(const struct gws_sim *sim, uint32_t a, uint32_t b);

/* Serves an operation of the worker on the one pile, from that time on. Returns when it is done. */
uint64_t gws__sim_serve_pile(struct gws_sim *sim, uint32_t worker, uint64_t time);

/* Returns the time from the end of the last task until all workers know the end. */
uint64_t gws__sim_termination(const struct gws_sim *sim);

/* ---- search.c, steal.c ---- */

void gws__sim_search(struct gws_sim *sim, uint32_t thief, uint64_t time); /* starts a search, without tasks */
struct gws_view gws__sim_view(struct gws_sim *sim, uint32_t worker);      /* at the start of a search */
void gws__sim_scan(struct gws_sim *sim, uint32_t thief, uint64_t time);   /* goes on with it at that time */
/* Looks at one victim after another, at most `looks`, and adds their times. Returns whether the last one had tasks. */
bool gws__sim_look_around(struct gws_sim *sim, uint32_t thief, uint32_t looks, uint64_t *time);
uint64_t gws__sim_look_time(const struct gws_sim *sim);    /* of a look, in the mean */
bool gws__sim_is_starved(const struct gws_sim *sim);       /* few queues have tasks for many workers */
void gws__sim_unpark(struct gws_sim *sim, uint32_t count); /* at most count thieves */

/* The pool of idle thieves. Whoever changes their number or that of the queues with tasks calls pool_changes() before
 * and pool_changed() after. pool_hit(): the look of a thief at pool_due finds tasks. */
void gws__sim_pool_open(struct gws_sim *sim);
void gws__sim_pool_changes(struct gws_sim *sim);
void gws__sim_pool_changed(struct gws_sim *sim);
void gws__sim_pool_hit(struct gws_sim *sim);
uint64_t gws__sim_pool_looks(const struct gws_sim *sim); /* so far, of all thieves */

void gws__sim_probe(struct gws_sim *sim, uint32_t thief);
void gws__sim_look(struct gws_sim *sim, uint32_t thief);
void gws__sim_request(struct gws_sim *sim, uint32_t thief);
void gws__sim_atomic(struct gws_sim *sim, uint32_t thief);
void gws__sim_turn(struct gws_sim *sim, uint32_t thief);
void gws__sim_unlock(struct gws_sim *sim, uint32_t thief);
void gws__sim_arrive(struct gws_sim *sim, uint32_t thief);

/* Gives the lock of a queue to its owner: true if it is free, otherwise the OWNER event follows. */
bool gws__sim_owner_lock(struct gws_sim *sim, uint32_t worker);
void gws__sim_owner_unlock(struct gws_sim *sim, uint32_t worker);
uint64_t gws__sim_balance(struct gws_sim *sim, uint32_t worker); /* balances perhaps; returns the time that it takes */

/* ---- work.c ---- */

void gws__sim_work(struct gws_sim *sim, uint32_t worker); /* starts the next tasks of the worker, or its search */
void gws__sim_finish(struct gws_sim *sim, uint32_t worker);
void gws__sim_own(struct gws_sim *sim, uint32_t worker); /* the worker has the lock of its own queue */
void gws__sim_pile(struct gws_sim *sim, uint32_t worker);
void gws__sim_run_stolen(struct gws_sim *sim, uint32_t worker); /* runs the first of those that it has stolen */

#endif
