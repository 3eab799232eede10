/* SPDX-License-Identifier: MIT */
/* Breadth-first search of a parted graph (engine/parted.cl), after bfs_claim.cl. A parent has its number in the whole
 * graph. */

device_inline bool op_commit(const op_engine *s, u32 from, u32 to, op_word before)
{
    const struct parted *p = (const struct parted *)s;
    bool won = !(before >> to % 32 & 1), own = to - p->base < s->vertices;
    if (won && own) {
        s->data[0][to] = s->level + 1;
        s->data[1][to] = from;
    }
    return won && own;
}

device_inline op_word op_received(const op_engine *s, u32 sender, u32 from, u32 to)
{
    (void)sender;
    return op_peek(s, from, to, 0);
}

/* The vertex `from` may be in any part. */
device_inline bool op_accepts(const op_engine *s, u32 to, u32 from, u64 arc)
{
    const struct parted *p = (const struct parted *)s;
    (void)to;
    (void)arc;
    return p->bitmap[0][from / 32] >> from % 32 & 1;
}

/* A warp sends the claimed vertices of other parts. */
device_inline void send_claimed(const op_engine *s, const u32 *from, const u32 *to, const op_word *before)
{
    const struct parted *p = (const struct parted *)s;
    bool mark[STRIP];
    unrolled for (u32 i = 0; i < STRIP; i++)
        mark[i] = !(before[i] >> to[i] % 32 & 1) && to[i] - p->base >= s->vertices;
    send_found(p->all, STRIP, mark, from, to);
}
#define sends_claimed(s, from, to, claimed) send_claimed(s, from, to, claimed)
