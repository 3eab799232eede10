/* SPDX-License-Identifier: MIT */
/* The end of a run on several ranks: a vote in a binary tree of ranks (Dinan et al., SC 2009, section 2.4; after
 * Francez and Rodeh, 1982). The parent of rank r is (r - 1) / 2.
 *
 * The root, when it has no tasks, sends a wave down, and every rank passes it on at once. A rank answers when it is
 * passive (it has no task, and no request of its own is unanswered) and both subtrees have answered. The answer is
 * black if the rank gave tasks since its last answer, or a subtree's answer was black. After a white wave the root ends
 * the run. After a black wave it sends the next one when it is passive.
 *
 * Why white is correct. Suppose that all ranks answered a wave white and a task still exists. Its rank, or the rank to
 * which it is on its way, answered while passive, so it asked for the task after its answer. Follow the task back to
 * the first gift whose thief had answered this wave and whose victim had not. There is one, because a rank that had
 * answered had no task then. The victim became black with the gift, and answers after it. So it answers black: a
 * contradiction.
 *
 * No wait without end. A passive rank answers as soon as it has looked for tasks in vain. Every other rank has tasks,
 * which are finite, or waits for an answer of a rank that has tasks or refuses at once: a victim holds a request back
 * only while its own process has tasks (answer_thieves() in rank_tasks.c). A rank that waits receives messages.
 *
 * tests/models/rank_vote.pml has both as a model, which Spin searches. */
#include "rank_tasks.h"

static uint32_t children_of(const struct gws__rank *rank, uint32_t child[2])
{
    uint32_t count = 0;
    uint64_t first = 2 * (uint64_t)rank->transport->info.rank + 1;
    for (uint64_t c = first; c <= first + 1 && c < rank->transport->info.ranks; c++) child[count++] = (uint32_t)c;
    return count;
}

static void send_to_children(struct gws__rank *rank, enum gws__rank_message_kind kind, uint32_t value)
{
    uint32_t child[2], count = children_of(rank, child);
    for (uint32_t i = 0; i < count; i++) gws__rank_send(rank, child[i], kind, value);
}

static void end(struct gws__rank *rank, gws_status status)
{
    if (rank->over) return;
    rank->over = true;
    rank->status = status;
    send_to_children(rank, GWS__RANK_END, status);
}

static void begin_wave(struct gws__rank *rank)
{
    rank->vote.wave = true;
    rank->vote.children = 0;
    rank->vote.child_black = false;
    send_to_children(rank, GWS__RANK_WAVE, 0);
}

void gws__rank_vote(struct gws__rank *rank)
{
    uint32_t child[2];
    struct gws__rank_vote *vote = &rank->vote;
    const bool is_root = rank->transport->info.rank == 0;
    if (is_root && !vote->wave) begin_wave(rank);
    if (!vote->wave || vote->children < children_of(rank, child)) return;
    const bool taken = gws__rank_windows_taken(rank), black = taken || vote->black || vote->child_black;
    vote->wave = vote->black = false;
    rank->stats.waves++;
    if (!is_root)
        gws__rank_send(rank, (rank->transport->info.rank - 1) / 2, GWS__RANK_VOTE, black);
    else if (!black)
        end(rank, GWS_OK);
}

void gws__rank_fail(struct gws__rank *rank, gws_status status)
{
    if (rank->reported || rank->over) return;
    rank->reported = true;
    if (rank->transport->info.rank == 0)
        end(rank, status);
    else
        gws__rank_send(rank, 0, GWS__RANK_FAILED, status);
}

void gws__rank_vote_receive(struct gws__rank *rank, enum gws__rank_message_kind kind, uint32_t value)
{
    switch (kind) {
    case GWS__RANK_WAVE:
        begin_wave(rank);
        break;
    case GWS__RANK_VOTE:
        rank->vote.children++;
        rank->vote.child_black = rank->vote.child_black || value;
        break;
    default:
        end(rank, (gws_status)value);
        break; /* GWS__RANK_FAILED to the root, GWS__RANK_END to others */
    }
}
