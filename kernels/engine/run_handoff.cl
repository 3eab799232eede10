/* SPDX-License-Identifier: MIT */
/* The kernel of a search with handoff to the host. A later launch resumes the search (state.cl). */

/* All groups publish the state with which the host continues. Before the call, all groups have passed a barrier after
 * the last claim. */
device_inline void publish_run(const struct device_engine *s, const struct run_params *w,
                               const struct engine_handoff *h)
{
    u64 words = ((u64)s->vertices + 31) / 32, items = (u64)group_count() * group_size();
    u64 first = (u64)group_id() * group_size() + item_id();
    for (u64 i = first; i < words; i += items) h->bitmap[i] = word_fresh(&s->visited[i]);
    for (u64 i = first; i < s->size; i += items) {
        h->list[2 * i] = word_fresh(&s->list[s->begin + i]);
        h->list[2 * i + 1] = NONE;
    }
    if (first != 0) return;
    h->state->at.level = s->level;
    h->state->at.size = h->state->entries = s->size;
    h->state->at.reached = s->reached;
    h->state->at.pulls = w->pull_levels;
    h->state->at.arcs = s->arcs;
    h->state->at.unseen = s->unexplored;
    h->state->handed_off = 1;
}

/* Resumes from the state that the host published. The host has already written the data of the vertices that it
 * found. */
device_inline void resume_run(struct device_engine *s, struct run_params *w, const struct engine_handoff *h)
{
    local_mem const struct gws__handoff_point *from = &h->rule->from;
    u64 words = ((u64)s->vertices + 31) / 32, items = (u64)group_count() * group_size();
    for (u64 i = (u64)group_id() * group_size() + item_id(); i < words; i += items) s->visited[i] = h->bitmap[i];
    for (u64 i = (u64)group_id() * group_size() + item_id(); i < from->size; i += items) s->list[i] = h->list[2 * i];
    begin_counting(s);
    w->pull_levels = from->pulls;
    s->arcs_wanted = w->beta > 0 && from->pulls == 0 ? w->candidates / 32 + 1 : 0;
    s->arcs = from->arcs;
    s->unexplored = from->unseen;
    s->level = from->level;
    s->size = s->tail = from->size;
    s->reached = from->reached;
    grid_barrier_wait(&s->all, &s->my->stats.idle);
}

/* Runs one launch. front: GWS_HANDOFF_CAPACITY entries; at_host: a bit per vertex. The host clears state before the
 * launch. */
kernel_entry engine_run_handoff(RUN_PARAMETERS, u32 root, const struct gws__handoff_rule launched,
                                global_mem struct gws__handoff_state *state, global_mem u32 *front,
                                global_mem u32 *at_host)
{
    local_array(struct group_memory, memory, 1);
    local_array(struct gws__handoff_rule, rule, 1);
    struct engine_handoff h;
    struct device_engine s;
    struct run_params w;
    if (item_id() == 0) rule[0] = launched;
    group_barrier();
    h.rule = rule, h.state = state, h.list = front, h.bitmap = at_host;
    bool is_leader = item_id() == 0 && group_id() == 0;
    if (is_leader) handoff_clock(&h, 0);
    open_run(RUN_ARGUMENTS, memory, &s, &w);
    s.word[0] = root;
    if (rule[0].resumes)
        resume_run(&s, &w, &h);
    else
        begin_run(&s, &w);
    if (run_levels(&s, &w, &h)) publish_run(&s, &w, &h);
    report_result(&s, result);
    report_group(&s, stats, rule[0].resumes);
    if (is_leader) handoff_clock(&h, 3);
}
