/* SPDX-License-Identifier: MIT */
/* The loops of the engine, to be included after an operator of which a vertex comes at most once. The operator's text
 * (kernels/operator/operator.h) gives op_peek(), op_claim(), op_commit(), op_look() and op_unreached(); the including
 * source adds what only threads use:
 *
 *     bool op_open(s, to, word)  what a peek or a claim said: may the arc win, or did it?
 *     OPERATOR_WRITES            so many arrays of data[], the first ones, are written by op_commit()
 *     OPERATOR_NOW, op_commit_now(s, from, to), op_commit_late(s, to)
 *                                op_commit() in two halves: what is known at the claim alone, written to
 *                                data[OPERATOR_NOW]; and what is the same for all of the frontier s->level
 *
 * It makes the loops push_entries() and so on, which struct gws__loops names. They are functions of a chunk of tasks:
 * no call is made for an arc. The loop that one worker runs alone is made by serial_body.h, in a source of its own,
 * where the operator is compiled with plain operations in place of atomic ones. */
#include "commit_body.h"
#include "gather_body.h"
#include "pull_body.h"
#include "push_body.h"

#define GWS__ENGINE_LOOPS(serial_loop)                                                                                 \
    {                                                                                                                  \
        .by_entries = push_entries, .by_queue = push_queue, .by_arcs = push_arcs, .finish = push_finish,               \
        .pull = pull_words, .pull_finish = pull_finish, .enqueue = enqueue_words, .serial = (serial_loop)              \
    }
