/* SPDX-License-Identifier: MIT */
/* The policies: a kind of queue and decisions. The pool binds each kind to a queue of threads (lib/pool/policy.c), the
 * simulator to a queue in virtual time (lib/sim). */
#ifndef GWS_POLICY_TABLE_H
#define GWS_POLICY_TABLE_H

#include "decide.h"

/* The queues for levels, then the queues for tasks. */
enum gws__queue {
    GWS__QUEUE_CHUNKED,
    GWS__QUEUE_CURSOR,
    GWS__QUEUE_STATIC,
    GWS__QUEUE_CENTRAL,
    GWS__QUEUE_ABP,
    GWS__QUEUE_CHASELEV,
    GWS__QUEUE_SPLIT,
    GWS__QUEUE_WORKPILE,
    GWS__QUEUE_GLOBAL,
    GWS__QUEUES
};

/* Returns whether the queue holds tasks. On a queue for levels, immediate tasks run in rounds. On a queue for tasks,
 * loops run as tasks that are ranges. */
static inline bool gws__queue_is_for_tasks(enum gws__queue queue)
{
    return queue >= GWS__QUEUE_ABP;
}

/* --policy selects a row of the table in table.c. */
struct gws__policy {
    const char *name;
    const char *about; /* one sentence without a full stop */
    enum gws__queue queue;
    gws_victim *victim; /* --victim replaces it; NULL: no stealing */
    gws_amount *amount; /* --amount replaces it; NULL: the queue decides */
    bool locks;         /* thieves lock the victim's queue; --wait makes thieves wait for the lock */
    bool coarse;        /* a loop runs on all workers or on one; otherwise its grain determines the number */
};

/* Returns the policy with this name, "chunked" if name is NULL. Returns NULL if no policy has the name. */
const struct gws__policy *gws__policy_named(const char *name);

/* Return the victim or amount function with this name, or NULL if no function has the name or name is NULL. */
gws_victim *gws__victim_named(const char *name);
gws_amount *gws__amount_named(const char *name);

#endif
