/* SPDX-License-Identifier: MIT */
/* Decisions of your own in place of a policy's: whom a thief tries to rob first, and how much it takes. They are pure
 * functions of what they are shown, called by several workers at once and often, so they should take nanoseconds.
 *
 * A policy is a container of work and such decisions. The containers are the library's (gws_policy_at() lists them),
 * and no answer of a decision can lose or repeat a task. docs/examples/own_policy.c is a whole program. */
#ifndef GWS_DECISIONS_H
#define GWS_DECISIONS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a thief knows. Whoever looks for work asks for victims one after the other, tried = 0, 1, .. workers - 2, with
 * the same bits. The library's own ways of choosing name each of the others once. Yours are asked with tried = 0 only:
 * the search goes on round from whom they name. */
struct gws_view {
    uint32_t self;     /* the thief */
    uint32_t workers;  /* who can be robbed, self among them, at least 2 */
    uint32_t last;     /* where it last stole successfully; self when nowhere */
    uint32_t turn;     /* whom it last tried in the search before this one; self when nobody */
    uint32_t tried;    /* victims tried in this search */
    uint32_t previous; /* the last of them */
    uint64_t bits;     /* 64 random bits for this search */
    /* The others by nearness (shared caches), self's nearest first: at least workers - 1 entries, among which those
     * that are not below workers are skipped. NULL: by number, going up from self. Never NULL in decisions of your own.
     */
    const uint32_t *near;
};

/* Whom to try next: a worker below view->workers that is not view->self. Any other answer of yours stands for the
 * worker after self. */
typedef uint32_t gws_victim(const struct gws_view *view);

/* How many tasks to take of length (at least 1) that can be stolen: 1 .. length; yours may answer anything, and the
 * nearest of these is taken. chunk is gws_options.chunk, 8 where that is 0. */
typedef uint64_t gws_amount(uint64_t length, uint64_t chunk);

/* For gws_options.decisions. NULL: the policy's own. */
struct gws_decisions {
    gws_victim *victim; /* where gws_policy_takes_victim() */
    gws_amount *amount; /* where gws_policy_takes_amount() */
};

#ifdef __cplusplus
}
#endif
#endif
