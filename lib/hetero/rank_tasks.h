/* SPDX-License-Identifier: MIT */
/* One rank's part in a run of tasks on several ranks (rank_tasks.c: the hooks of worker 0; rank_windows.c and
 * rank_messages.c: stealing; rank_vote.c: the end). */
#ifndef GWS_LIB_HETERO_RANK_TASKS_H
#define GWS_LIB_HETERO_RANK_TASKS_H

#include "../base/spin.h"
#include "../policy/decide.h"
#include "../pool/tasks.h"
#include "../random.h"
#include "../rank_tasks.h"
#include "../transport/transport.h"
#include "rank_queue.h"

enum gws__rank_message_kind {
    GWS__RANK_ASK,    /* a thief asks for tasks */
    GWS__RANK_NONE,   /* its answer: no tasks */
    GWS__RANK_TASKS,  /* its answer: value tasks follow */
    GWS__RANK_WAVE,   /* to a child: vote */
    GWS__RANK_VOTE,   /* to the parent: value is 1 for black */
    GWS__RANK_FAILED, /* to rank 0: value is the status */
    GWS__RANK_END     /* to a child: the run is over; value is the status */
};

enum {
    gws__rank_head = 1, /* words of 64 bits before the tasks */
    gws__rank_words = gws__transport_message / 8
};

struct gws__rank_message {
    uint32_t kind, value;
    uint64_t task[gws__rank_words - gws__rank_head];
};

struct gws__rank_vote {
    bool wave;         /* a wave has arrived, or the root has sent one, and the rank has not answered */
    uint32_t children; /* children that have answered this wave */
    bool black;        /* the rank gave tasks in messages since its last answer */
    bool child_black;  /* a child's answer was black */
};

struct gws__rank {
    struct gws_transport *transport;
    struct gws_runtime *runtime;
    struct gws_rank_stats stats;
    uint32_t words;  /* of a task */
    uint64_t *batch; /* tasks that are divided, stolen or reacquired */
    uint32_t batch_size;
    /* As a thief. */
    struct gws__distance_view view; /* of the current search */
    uint32_t *by_distance;          /* the other ranks, of which it may steal from view.others */
    bool sated;                     /* its devices have tasks, and no worker needs some: it does not steal */
    bool waits, got;                /* for an answer; tasks have arrived */
    uint32_t victim;                /* the rank that has to answer */
    double rest_ms;                 /* the next pause between two searches */
    double rests_until;             /* time of the next attempt; 0: no search since the last success was in vain */
    uint64_t random;
    struct gws__spin spin;
    /* As a victim. */
    uint32_t *thief; /* ranks that wait for an answer, the first at 0 */
    uint32_t thieves;
    double polled_ms, received_ms; /* when it last looked at its window; for messages, with tasks */
    bool helps;                    /* ranks wait until it calls MPI: they send it messages, or MPI needs its help */
    /* In the windows. A protocol of NULL: the links have none. */
    const struct gws__rank_protocol *protocol;
    struct gws__rank_queue queue[gws__link_kinds];
    uint64_t answered[gws__link_kinds]; /* tasks taken until the last answer to a wave */
    /* Notices of waits. */
    double idle_since; /* time since which the process has had no tasks; 0: it has some */
    double notice_at;
    /* The end. */
    struct gws__rank_vote vote;
    bool reported; /* rank 0 knows that this rank has failed */
    bool over;
    gws_status status;                /* of all ranks, when over */
    struct gws__rank_message message; /* the next one to send */
};

/* A rank without tasks logs every so many milliseconds what it waits for. Tests shorten it. */
extern double gws__rank_notice_ms;

/* ---- rank_tasks.c ---- */

/* The part of a run in this process: runs tasks with these hooks (pool/tasks.h), whose context is a struct gws__rank.
 * An error before the hooks are called is told to the other ranks. */
typedef gws_status gws__rank_part(void *context, const struct gws__peers *peers);

/* Runs the parts of all ranks. bytes: of a task. Collective. Errors: those of gws_rank_tasks_run(). */
gws_status gws__rank_run(struct gws_runtime *runtime, const struct gws_ranks *ranks, uint32_t bytes,
                         gws__rank_part *part, void *context);

/* ---- rank_messages.c ---- */

/* Sends a message without tasks. */
void gws__rank_send(struct gws__rank *rank, uint32_t to, enum gws__rank_message_kind kind, uint32_t value);

/* Handles all messages that have arrived, and answers requests. self: NULL if there are no workers. */
void gws__rank_receive_all(struct gws__rank *rank, struct gws_task_worker *self);

/* Asks a rank for tasks. */
void gws__rank_ask(struct gws__rank *rank, uint32_t victim);

/* Moves tasks from another rank, or from the own windows, to worker 0's queue. */
void gws__rank_spawn(struct gws_task_worker *self, const uint64_t *task, uint64_t count);

/* The next steal begins a new search, after success with the same victim. */
void gws__rank_new_search(struct gws__rank *rank, bool success);

/* ---- rank_windows.c ---- */

/* Opens the queues of this rank. max_tasks: of each. */
void gws__rank_windows_open(struct gws__rank *rank);

/* Releases tasks of worker 0 to other ranks, if it has more than enough. */
void gws__rank_release(struct gws__rank *rank, struct gws_task_worker *self);

/* Takes released tasks back to worker 0's queue. Returns false if there are none. */
bool gws__rank_reacquire(struct gws__rank *rank, struct gws_task_worker *self);

/* Tries to steal from the window of a rank. */
void gws__rank_steal(struct gws__rank *rank, struct gws_task_worker *self, uint32_t victim);

/* Returns whether thieves have taken tasks from the windows since the last call. */
bool gws__rank_windows_taken(struct gws__rank *rank);

/* Adds the tasks that thieves have taken to the statistics. */
void gws__rank_windows_count(struct gws__rank *rank);

/* ---- rank_vote.c ---- */

/* Takes part in the vote: a call while the rank has no tasks and has not asked for any. */
void gws__rank_vote(struct gws__rank *rank);

/* Handles a message of the vote or of the end. */
void gws__rank_vote_receive(struct gws__rank *rank, enum gws__rank_message_kind kind, uint32_t value);

/* Ends the run because this rank has failed. */
void gws__rank_fail(struct gws__rank *rank, gws_status status);

#endif
