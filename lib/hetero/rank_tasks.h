/* SPDX-License-Identifier: MIT */
/* One rank's part in a run of tasks on several ranks (rank_tasks.c: stealing; rank_vote.c: the end). */
#ifndef GWS_LIB_HETERO_RANK_TASKS_H
#define GWS_LIB_HETERO_RANK_TASKS_H

#include "../base/spin.h"
#include "../pool/tasks.h"
#include "../random.h"
#include "../rank_tasks.h"
#include "../transport/transport.h"

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
    bool black;        /* the rank gave tasks since its last answer */
    bool child_black;  /* a child's answer was black */
};

struct gws__rank {
    struct gws_transport *transport;
    struct gws_runtime *runtime;
    struct gws_rank_stats stats;
    uint32_t words; /* of a task */
    /* As a thief. */
    bool waits, got;    /* for an answer; tasks have arrived */
    uint32_t victim;    /* the last one */
    bool retries;       /* the last victim gave tasks: ask it again */
    uint32_t refusals;  /* answers without tasks, one after the other */
    double rest_ms;     /* the next pause between two rounds of requests */
    double rests_until; /* time of the next request */
    uint64_t random;
    struct gws__spin spin;
    /* As a victim. */
    uint32_t *thief; /* ranks that wait for an answer, the first at 0 */
    uint32_t thieves;
    uint64_t *batch; /* own tasks that are divided */
    uint32_t batch_size;
    double polled_ms;
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

/* Sends a message without tasks. */
void gws__rank_send(struct gws__rank *rank, uint32_t to, enum gws__rank_message_kind kind, uint32_t value);

/* Takes part in the vote: a call while the rank has no tasks and has not asked for any. */
void gws__rank_vote(struct gws__rank *rank);

/* Handles a message of the vote or of the end. */
void gws__rank_vote_receive(struct gws__rank *rank, enum gws__rank_message_kind kind, uint32_t value);

/* Ends the run because this rank has failed. */
void gws__rank_fail(struct gws__rank *rank, gws_status status);

#endif
