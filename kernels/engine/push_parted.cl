/* SPDX-License-Identifier: MIT */
/* The steps that follow when all devices of a parted graph have pushed over the rows of their frontiers: segments of
 * heavy rows if any device has some, and the inboxes if any device has sent a vertex. Each step ends by a barrier of all
 * devices. An operator of parted graphs also defines:
 *
 *     op_word op_received(s, sender, from, to)    what op_peek() returns, but for a word of a sender's inbox; `to` is
 *                                                 NONE if there is none */

/* Adds what the last step has found, on this device to the list and on all devices to *found. */
device_inline void add_step(struct parted *p, bool lists, u32 *own, u32 *found)
{
    struct device_engine *s = &p->engine;
    u32 here = (u32)p->all->peers.post[p->all->peers.part * POST_WORDS + POST_FOUND];
    *own += here;
    *found += (u32)p->all->posted[POST_FOUND];
    if (p->posts_min)
        p->min = min_u32(p->min, min_posted(p));
    else
        s->arcs += p->all->posted[POST_ARCS];
    if (lists) s->tail += here;
}

/* A warp claims the vertices of the inboxes. */
device_inline void receive(struct parted *p, struct warp_buffer *mine)
{
    struct device_engine *s = &p->engine;
    u32 warps = warp_count() * group_count(), warp = warp_id() * group_count() + group_id();
    for (u32 q = 0; q < p->all->peers.parts; q++) {
        u32 begin = p->all->inbox_from[q], end = inbox_end(p, q);
        if (q == p->all->peers.part) continue;
        global_mem const u64 *inbox = inbox_of(p->all, p->all->peers.part, q);
        for (u32 at = begin + warp * WARP * STRIP; at < end; at += warps * WARP * STRIP) {
            u32 vertex[STRIP], parent[STRIP];
            op_word word[STRIP];
            unrolled for (u32 i = 0; i < STRIP; i++)
            {
                u32 place = at + WARP * i + lane_id();
                u64 sent = place < end ? inbox[place] : NO_ARC;
                vertex[i] = (u32)sent;
                parent[i] = (u32)(sent >> 32);
                word[i] = op_received(s, q, parent[i], vertex[i]);
            }
            claim_arcs(s, mine, parent, vertex, word);
        }
    }
    flush_found(mine, s);
}

#if OPERATOR_REENTERS
/* Empties the inboxes that this device has filled, and removes the vertices of other parts from the next frontier, since
 * a vertex may be sent again in the next round. */
device_inline void release_sent(const struct parted *p)
{
    const struct device_engine *s = &p->engine;
    u32 items = group_count() * group_size(), first = p->first / 32, own = (p->own + 31) / 32;
    for (u32 i = group_id() * group_size() + item_id(); i < p->words; i += items)
        if (i - first >= own) s->next[i] = 0;
    if (item_id() != 0 || group_id() != 0) return;
    s->sums[SUM_SENT] += sent_before(p);
    for (u32 q = 0; q < p->all->peers.parts; q++) s->count[COUNT_SENT + q] = 0;
}
#endif

/* Ends a step of push, and runs those that follow. Adds the found vertices of this device and of all devices. */
device_inline void parted_steps(struct parted *p, struct warp_buffer *mine, u32 *own, u32 *found)
{
    struct device_engine *s = &p->engine;
    parted_step_end(p, false);
    bool splits = any_posted(p, POST_SPLITS), sends = any_posted(p, POST_SENT);
    add_step(p, true, own, found);
    if (splits) {
        advance_segments(s, mine, false, counted(s, COUNT_SEGMENTS));
        parted_step_end(p, false);
        sends = sends || any_posted(p, POST_SENT);
        add_step(p, true, own, found);
    }
    if (!sends) return;
#if OPERATOR_REENTERS
    s->own_rounds = 0; /* a round could send vertices, and change what other devices read */
    release_sent(p);
#endif
    receive(p, mine);
    parted_step_end(p, !OPERATOR_REENTERS);
    add_step(p, true, own, found);
}
