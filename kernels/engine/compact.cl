/* SPDX-License-Identifier: MIT */
/* Compaction: after a level of pull the frontier is what one bitmap has more than the other; it becomes a queue. */

/* A warp puts the vertices of its words into the list. */
device_inline void compact_words(const struct engine *s, struct warp_buffer *mine, struct range at)
{
    u32 place = at.begin + lane_id();
    u32 word = place < at.end ? s->visited[place] & ~s->next[place] : 0;
    while (warp_ballot(word != 0)) {
        buffer_put(mine, word != 0, place * 32 + (word ? first_bit(word) : 0));
        word &= word - 1;
        if (mine->count > BUFFER - WARP) buffer_flush(mine, s);
    }
}

device_inline void compact(struct engine *s, struct warp_buffer *mine)
{
    u32 words = (s->vertices + 31) / 32;
    s->begin = s->tail;
    struct distributor work = distributor_open(s->cursors, &s->my->stats, s->step, words, AT_ONCE, 0, SCHEDULE_STATIC);
    struct range at = {0, 0};
    while (distributor_next(&work, &at))
        for (struct range part = at; part.begin < at.end; part.begin += WARP) compact_words(s, mine, part);
    buffer_flush(mine, s);
    step_end(s);
    s->tail += s->size;
}
