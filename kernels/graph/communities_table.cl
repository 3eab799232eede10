/* SPDX-License-Identifier: MIT */
/* Sums of weights by label. A warp or a group adds up the weights of a row in a hash table in global memory, with
 * linear probing. All slots are empty between rows. A row uses only as much of the table as its length needs. If the
 * labels of a row exceed the table, a hash divides the labels into parts, and the team reads the row once for each
 * part. A part that still exceeds the table is divided again. So the memory does not depend on the length of rows. */
#define COMMUNITIES_PROBES 32u
#define COMMUNITIES_BATCH 4u /* arcs that a lane reads at once */

struct table {
    global_mem u32 *label;
    global_mem u64 *sum;
    u32 bits, mask;
    u32 depth, part; /* the labels are divided into 2^depth parts; the current part */
};

/* Returns the table of a team for a row of at most `arcs` different labels. */
device_inline struct table table_of(const struct communities *s, struct team team, u64 arcs)
{
    struct table table;
    u32 slots = team.group ? s->p.group_slots : s->p.warp_slots;
    u64 at = team.group ? (u64)warps_of(s) * s->p.warp_slots + (u64)s->group * slots : (u64)warp_number(s) * slots;
    table.bits = 5;
    while ((1u << table.bits) < 2 * arcs && (1u << table.bits) < slots) table.bits++;
    table.label = s->table_label + at;
    table.sum = s->table_sum + at;
    table.mask = (1u << table.bits) - 1;
    table.depth = table.part = 0;
    return table;
}

device_inline bool in_part(const struct table *table, u32 label)
{
    return table->depth == 0 || label * 2246822519u >> (32 - table->depth) == table->part;
}

/* Goes on to the next part. Returns false after the last one. */
device_inline bool next_part(struct table *table)
{
    while (table->depth > 0 && table->part % 2 == 1) {
        table->part /= 2;
        table->depth--;
    }
    table->part++;
    return table->depth > 0;
}

device_inline void divide_part(struct table *table)
{
    table->depth++;
    table->part *= 2;
}

/* Adds to the sum of a label. Returns false if the table has no slot for it. */
device_inline bool add_label(const struct table *table, u32 label, u64 weight)
{
    u32 i = label * 2654435769u >> (32 - table->bits);
    for (u32 probe = 0; probe < COMMUNITIES_PROBES; probe++, i = (i + 1) & table->mask) {
        u32 now = word_fresh(&table->label[i]);
        if (now == NONE) now = word_cas(&table->label[i], NONE, label);
        if (now != NONE && now != label) continue;
        word_sum(&table->sum[i], weight);
        return true;
    }
    return false;
}

/* A warp adds the label of each lane, or none for NONE. One lane adds for all lanes with the label of the first one,
 * because the rows of a hub have many arcs to one community. */
device_inline bool add_labels(const struct table *table, u32 label, u64 weight)
{
    bool mine = label != NONE && in_part(table, label), fits = true;
    u32 marks = warp_ballot(mine);
    if (marks == 0) return true;
    u32 first = warp_shuffle(label, first_bit(marks));
    bool same = mine && label == first;
    u32 equal = warp_ballot(same);
    if (bit_count(equal) > 3) {
        u64 sum = warp_sum_long(same ? weight : 0);
        mine = mine && !same;
        if (lane_id() == first_bit(equal)) fits = add_label(table, first, sum);
    }
    if (mine) fits = add_label(table, label, weight);
    return warp_ballot(!fits) == 0;
}
