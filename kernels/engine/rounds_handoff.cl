/* SPDX-License-Identifier: MIT */
/* The kernel of rounds that may be handed off to the host, and come back by another launch (state.cl). What crosses is
 * the frontier as a bitmap, and the operator's arrays, which the host brings to where it reads them. */

/* All groups publish the frontier, with what waits beyond the bucket; they have met since the last vertex entered, and
 * since the bitmap was cleared. */
device_inline void publish_rounds(const struct engine *s, const struct handoff *h)
{
    u64 first = (u64)group_id() * group_size() + item_id(), items = (u64)group_count() * group_size();
    for (u64 i = first; i < s->size; i += items) {
        u32 vertex = word_fresh(&s->list[s->begin + i]);
        (void)word_or(&h->bitmap[vertex / 32], 1u << vertex % 32);
    }
#if OPERATOR_BUCKETS
    for (u64 i = first; i < ((u64)s->vertices + 31) / 32; i += items)
        if (s->far[i] != 0) (void)word_or(&h->bitmap[i], s->far[i]);
#endif
}

/* One launch. frontier: a bit a vertex; the host clears state before. It reports sums[SUM_COUNTED], and in state->at
 * the rounds of this launch and the frontier's size. */
kernel_entry engine_rounds_handoff(ROUNDS_PARAMETERS, const struct gws__handoff_rule launched,
                                   global_mem struct gws__handoff_state *state, global_mem u32 *frontier)
{
    local_array(struct group_memory, memory, 1);
    local_array(struct gws__handoff_rule, rule, 1);
    struct handoff h;
    struct engine s;
    bool speaks = item_id() == 0 && group_id() == 0;
    if (item_id() == 0) rule[0] = launched;
    group_barrier();
    h.rule = rule, h.state = state, h.list = 0, h.bitmap = frontier;
    if (speaks) handoff_clock(&h, 0);
    open_rounds(ROUNDS_ARGUMENTS, memory, &s);
    bool due = run_rounds(&s, pull_size, &h);
    if (due) publish_rounds(&s, &h);
    trace_launch(&s, GWS_TRACE_END);
    if (!speaks) return;
    state->at.level = s.level;
    state->at.size = s.size;
    state->handed = due;
    handoff_clock(&h, 3);
}
