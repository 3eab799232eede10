/* SPDX-License-Identifier: MIT */
/* The kernel of rounds with handoff to the host. A later launch resumes the run (state.cl). The frontier crosses as a
 * bitmap, together with the operator's arrays, which the host copies. */

/* All groups publish the frontier and the vertices beyond the bucket. Before the call, all groups have passed a barrier
 * after the last vertex entered and after they cleared the bitmap. */
device_inline void publish_rounds(const struct device_engine *s, const struct engine_handoff *h)
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

/* Runs one launch. frontier: a bit per vertex. The host clears state before the launch. The kernel writes
 * sums[SUM_COUNTED]. It writes the rounds of this launch and the frontier's size to state->at. */
kernel_entry engine_rounds_handoff(ROUNDS_PARAMETERS, const struct gws__handoff_rule launched,
                                   global_mem struct gws__handoff_state *state, global_mem u32 *frontier)
{
    local_array(struct group_memory, memory, 1);
    local_array(struct gws__handoff_rule, rule, 1);
    struct engine_handoff h;
    struct device_engine s;
    bool is_leader = item_id() == 0 && group_id() == 0;
    if (item_id() == 0) rule[0] = launched;
    group_barrier();
    h.rule = rule, h.state = state, h.list = 0, h.bitmap = frontier;
    if (is_leader) handoff_clock(&h, 0);
    open_rounds(ROUNDS_ARGUMENTS, memory, &s);
    bool due = run_rounds(&s, pull_size, &h);
    if (due) publish_rounds(&s, &h);
    trace_launch(&s, GWS_TRACE_END);
    if (!is_leader) return;
    state->at.level = s.level;
    state->at.size = s.size;
    state->handed_off = due;
    handoff_clock(&h, 3);
}
