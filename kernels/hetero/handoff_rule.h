/* SPDX-License-Identifier: MIT */
/* The rule by which one side hands a run off to the other. Both sides decide by this one function: the kernels and the
 * host's levels. Include it after handoff_words.h.
 *
 * A level should run on the side that takes less time by its cost model, but a handoff costs time too. So each side
 * adds up its loss: the extra time of its levels compared with the other side. The sum never falls below zero. The side
 * hands the run off when the sum exceeds the cost of a handoff there and back. As in the ski rental problem, the total
 * loss is then at most proportional to the loss of an optimal schedule. A run with a few small levels at its beginning
 * and end stays on its side. */
#ifndef GWS_KERNELS_HANDOFF_RULE_H
#define GWS_KERNELS_HANDOFF_RULE_H

/* The parameters of the rule. A launch passes them by value; the host has a copy for its own levels. */
struct gws__handoff_rule {
    struct gws__handoff_point from; /* the position of a run that resumes */
    u32 resumes;                    /* 1: the run resumes with the host's published frontier; 0: it begins */
    u32 max;                        /* number of small levels after which a handoff is due, whatever they cost */
    u32 timed;                      /* run one level as a small level, and time it */
    u32 wide;                       /* a level of more vertices is much cheaper on this side and resets the sum to
                                     * zero */
    float level_loss, vertex_loss, arc_loss; /* extra ns on this side compared with the other side: per level, per
                                              * vertex of the frontier, per arc */
    float limit;                             /* loss in ns after which the side hands the run off */
};

/* Decides whether to hand the run off before the next level. *lost: the accumulated loss, 0 at first. levels: the
 * number of small levels since the run came to this side. */
device_inline bool handoff_due(local_mem const struct gws__handoff_rule *rule, float *lost, u32 levels, u32 vertices,
                               u32 arcs)
{
    float loss = *lost + rule->level_loss + rule->vertex_loss * (float)vertices + rule->arc_loss * (float)arcs;
    *lost = loss > 0 ? loss : 0;
    return *lost > rule->limit || levels >= rule->max;
}

#endif
