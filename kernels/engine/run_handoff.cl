/* SPDX-License-Identifier: MIT */
/* The kernel of a search that may be handed off to the host, and comes back by another launch (handoff.cl). */

/* All groups fetch the visited vertices and the frontier that the host left. */
device_inline void handoff_fetch(const struct engine *s, const struct handoff *h)
{
    u64 words = ((u64)s->vertices + 31) / 32, items = (u64)group_count() * group_size();
    for (u64 i = (u64)group_id() * group_size() + item_id(); i < words; i += items) s->visited[i] = h->visited[i];
    for (u64 i = (u64)group_id() * group_size() + item_id(); i < h->rule->size; i += items) s->list[i] = h->list[2 * i];
}

/* Goes on where the host stopped, which has depth and parent of what it found. */
device_inline void resume_run(struct engine *s, const struct run_params *w, const struct handoff *h)
{
    local_mem const struct gws__hand_rule *rule = h->rule;
    handoff_fetch(s, h);
    begin_counting(s);
    s->arcs_wanted = w->beta > 0 && rule->bottom_up == 0 ? w->candidates / 32 + 1 : 0;
    s->arcs = rule->arcs;
    s->unexplored = rule->unseen;
    s->level = rule->level;
    s->size = s->tail = rule->size;
    s->reached = rule->reached;
    grid_barrier_wait(&s->all, &s->my->stats.idle);
}

/* One launch. front: GWS_HAND_ROOM entries; at_host: a bit a vertex; the host clears state before. */
kernel_entry engine_run_handoff(RUN_PARAMETERS, u32 root, const struct gws__hand_rule launched,
                                global_mem struct gws__hand_state *state, global_mem u32 *front,
                                global_mem u32 *at_host)
{
    local_array(struct group_memory, memory, 1);
    local_array(struct gws__hand_rule, rule, 1);
    struct handoff h;
    struct engine s;
    struct run_params w;
    if (item_id() == 0) rule[0] = launched;
    group_barrier();
    h.rule = rule, h.state = state, h.list = front, h.visited = at_host;
    if (item_id() == 0 && group_id() == 0) handoff_clock(&h, 0);
    open_run(RUN_ARGUMENTS, memory, &s, &w);
    s.word[0] = root;
    if (rule[0].resumes)
        resume_run(&s, &w, &h);
    else
        begin_run(&s, &w);
    run_levels(&s, &w, &h);
    report_result(&s, result);
    report_group(&s, stats, rule[0].resumes);
    if (item_id() == 0 && group_id() == 0) handoff_clock(&h, 3);
}
