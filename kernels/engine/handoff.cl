/* SPDX-License-Identifier: MIT */
/* The device's side of a handoff (hetero/hand_words.h) of a search by one kernel: when it is due, what the device
 * leaves the host, and how it goes on from what the host left. A kernel without handoff passes a null pointer, and
 * none of this is in it. */

struct handoff {
    local_mem const struct gws__hand_rule *rule; /* in local memory: nothing of it stays in registers */
    global_mem struct gws__hand_state *state;
    global_mem u32 *list, *visited; /* what both sides read and write */
};

/* Is the search handed off before the level that is next? *lost is what levels have cost too much so far. */
device_inline bool handoff_due(const struct handoff *h, float *lost, u32 levels, u32 vertices, u32 arcs)
{
    local_mem const struct gws__hand_rule *rule = h->rule;
    float loss = *lost + rule->level_loss + rule->vertex_loss * (float)vertices + rule->arc_loss * (float)arcs;
    *lost = loss > 0 ? loss : 0;
    return *lost > rule->limit || levels >= rule->most || (rule->timed && levels > 0);
}

/* One item notes the time where it is asked for: number which of the ticks, and at the ends the other clock. */
device_inline void handoff_clock(const struct handoff *h, u32 which)
{
    if (!h->rule->timed) return;
    h->state->ticks[which] = clock_ticks();
    if (which % 3 == 0) h->state->ns[which / 3] = clock_ns();
}

/* All groups leave the host what it needs to go on; they have met since the last vertex was claimed. */
device_inline void handoff_publish(const struct engine *s, const struct handoff *h, u32 ups)
{
    u64 words = ((u64)s->vertices + 31) / 32, items = (u64)group_count() * group_size();
    u64 first = (u64)group_id() * group_size() + item_id();
    for (u64 i = first; i < words; i += items) h->visited[i] = word_fresh(&s->visited[i]);
    for (u64 i = first; i < s->size; i += items) {
        h->list[2 * i] = word_fresh(&s->list[s->begin + i]);
        h->list[2 * i + 1] = NONE;
    }
    if (first != 0) return;
    h->state->level = s->level;
    h->state->size = h->state->entries = s->size;
    h->state->reached = s->reached;
    h->state->bottom_up = ups;
    h->state->arcs = s->arcs;
    h->state->unseen = s->unexplored;
    h->state->handed = 1;
}
