/* SPDX-License-Identifier: MIT */
/* The driver of operators whose vertices re-enter (rounds_state.cl), on a graph parted among devices (parted.cl).
 *
 * Each device has bitmaps, lists and the operator's arrays for all vertices, and the rows of its part; the rows of other
 * parts are empty. A vertex of another part that the device has found for the next frontier, or in far, goes to the
 * owner's inbox instead of the list. next has a bit for it too, so a device sends it once in a round, and an inbox with
 * a word for each vertex cannot overflow. Thresholds are the same on all devices, since the minimum is that of all. */

/* Ends a step of push or of a filter. What all devices have found becomes the frontier. */
device_inline void end_round(struct parted *p, struct warp_buffer *mine)
{
    u32 own = 0;
    p->size = 0;
    p->min = NONE;
    parted_steps(p, mine, &own, &p->size);
    swap_queues(&p->engine, own);
}

/* Runs a step that filters the next bucket. Returns false if no vertex is left. filtered: the last step was one too. */
device_inline bool filter_bucket(struct parted *p, struct warp_buffer *mine, bool filtered)
{
#if OPERATOR_BUCKETS
    struct device_engine *s = &p->engine;
    u32 done = s->threshold, from = filtered && p->min > 0 ? p->min : done; /* the lowest priority in far, or less */
    if (from == NONE) return false;
    s->own_rounds = OWN_ROUNDS;
    s->threshold = min_u32(from, NONE - s->word[3]) + s->word[3];
    filter_far(s, mine, done);
    return true;
#else
    (void)p, (void)mine, (void)filtered;
    return false;
#endif
}

/* Runs steps until no device has a vertex that changes, or the host cancels the run. The compiler inlines each call, so
 * there is one call of end_round() after steps of all kinds. */
device_inline void run_parted(struct parted *p)
{
    struct device_engine *s = &p->engine;
    struct warp_buffer mine;
    bool filtered = false, more = true;
    mine.vertex = s->my->use.buffer[warp_id()];
    mine.count = mine.first = 0;
    filter_all(s, &mine, 0);
    while (more) {
        end_round(p, &mine);
        if (p->all->stops || p->all->peers.abandoned) return;
        if (p->size > 0) {
            trace_round(s, GWS_TRACE_PUSH);
            advance_round(s, &mine, false);
            filtered = false;
        } else {
            more = filtered = filter_bucket(p, &mine, filtered);
        }
        s->level++;
    }
    count_vertices(s);
}

/* Has the arguments of the kernel for one device, but data0 is the exchange buffer: the posts, data[0] in a word of 64
 * bits for each vertex, and the inboxes. Then follow those of peers.cl. Also writes sums[SUM_SENT], SUM_IDLE and
 * SUM_TICKS. */
kernel_entry engine_rounds(ROUNDS_PARAMETERS, PEERS_PARAMETERS, struct parted_bounds bounds)
{
    local_array(struct group_memory, memory, 1);
    local_array(struct parted_memory, all, 1);
    struct parted p;
    struct device_engine *s = &p.engine;
    if (item_id() == 0) peers_exchange(&all->peers, PEERS_ARGUMENTS);
    parted_open(&p, all, bounds, vertices, control, stop);
    p.posts_min = OPERATOR_BUCKETS;
    if (item_id() == 0 && group_id() == 0) {
        for (u32 q = 0; q < PARTED_MAX; q++) control[COUNT_SENT + q] = 0;
        control[COUNT_STOP] = 0;
        sums[SUM_SENT] = sums[SUM_IDLE] = sums[SUM_TICKS] = 0;
    }
    open_rounds(ROUNDS_ARGUMENTS, memory, s);
    s->data[0] += 2 * PARTED_POSTS;
    run_parted(&p);
    trace_launch(s, GWS_TRACE_END);
    group_barrier();
    if (item_id() != 0) return;
    word_sum(&sums[SUM_IDLE], memory->stats.idle);
    word_sum(&sums[SUM_TICKS], clock_ticks() - memory->stats.began);
    if (group_id() != 0) return;
    control[COUNT_REPORT_LEVELS] = s->level;
}
