/* SPDX-License-Identifier: MIT */
/* The device's side of a handoff of whole levels (hetero/handoff_words.h). A kernel without handoff passes a null
 * pointer, and none of this is in it. */

struct handoff {
    local_mem const struct gws__handoff_rule *rule; /* in local memory: nothing of it stays in registers */
    global_mem struct gws__handoff_state *state;
    global_mem u32 *list;   /* of a search: the frontier */
    global_mem u32 *bitmap; /* of a search: the visited vertices; of a run whose vertices re-enter: the frontier */
};

/* One item notes the time where it is asked for: number which of the ticks, and at the ends the other clock. */
device_inline void handoff_clock(const struct handoff *h, u32 which)
{
    if (!h->rule->timed) return;
    h->state->ticks[which] = clock_ticks();
    if (which % 3 == 0) h->state->ns[which / 3] = clock_ns();
}
