/* SPDX-License-Identifier: MIT */
/* Unbalanced tree search (Olivier et al., LCPC 2006): a task is a node, its SHA-1 state and its depth. One item
 * computes the hash of a child (workloads/uts.h). max 0: the largest depth. */
#define TASK_LENGTH 6u
#define UTS_DEPTH 5u

/* Returns the number of children of a node with this draw, if its row does not tell it (UTS_ALIKE). */
device_inline u32 uts_children(global_mem const u32 *row, u32 draw)
{
    u32 n = row[UTS_BEGIN + (draw >> 25)] >> (draw >> 23) % 4 * 8 & 0xffu;
    while (draw >= row[UTS_AT + n]) n++;
    return n;
}

/* Computes the hash of a child's message. zero: 0. */
device_inline void uts_hash(const u32 *parent, u32 i, u32 zero, u32 *child)
{
    u32 m[16] = {
        parent[0] ^ zero, parent[1], parent[2], parent[3], parent[4], i, 0x80000000u, 0, 0, 0, 0, 0, 0, 0, 0, 24 * 8};
    sha1_block(m, child);
}

/* The loads of the row come before the hash, whose work hides their time. */
device_inline u32 task_child(struct task_state *s, const u32 *parent, u32 i, u32 *child)
{
    global_mem const u32 *table = s->data;
    u32 depth = parent[UTS_DEPTH] + 1, repeat = table[UTS_REPEAT];
    global_mem const u32 *row =
        table + (depth < table[UTS_DEPTHS] ? UTS_ROWS + depth * table[UTS_STRIDE] : table[UTS_REST]);
    u32 low = row[UTS_LOW], width = row[UTS_WIDTH], alike = row[UTS_ALIKE];
    uts_hash(parent, i, 0, child);
    for (; repeat > 1; repeat--) uts_hash(parent, i, child[0] & table[UTS_ZERO], child);
    child[UTS_DEPTH] = depth;
    task_max(s, 0, depth);
    u32 draw = child[4] & 0x7fffffffu;
    if (draw - low >= width) return 0;
    return alike > 0 ? alike : uts_children(row, draw);
}
