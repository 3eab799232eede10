/* SPDX-License-Identifier: MIT */
/* Unbalanced tree search (Olivier et al., LCPC 2006): a task is a node, its SHA-1 state and its depth. One item computes
 * the hash of a child (workloads/uts.h). max 0: the largest depth. */
#define TASK_LENGTH 6u
#define UTS_DEPTH 5u

/* Returns the number of children of a node with this draw. */
device_inline u32 uts_children(global_mem const u32 *row, u32 draw)
{
    if (draw - row[UTS_LOW] >= row[UTS_WIDTH]) return 0;
    u32 n = row[UTS_BEGIN + (draw >> 25)] >> (draw >> 23) % 4 * 8 & 0xffu;
    while (draw >= row[UTS_AT + n]) n++;
    return n;
}

device_inline u32 task_child(struct task_state *s, const u32 *parent, u32 i, u32 *child)
{
    global_mem const u32 *table = s->data;
    u32 depth = parent[UTS_DEPTH] + 1, repeat = table[UTS_REPEAT], zero = 0;
    for (; repeat > 0; repeat--) {
        u32 m[16] = {parent[0] ^ zero, parent[1], parent[2], parent[3], parent[4], i, 0x80000000u,
                     0,                0,         0,         0,         0,         0, 0,
                     0,                24 * 8};
        sha1_block(m, child, table[UTS_ONE]);
        if (repeat > 1) zero = child[0] & table[UTS_ZERO];
    }
    child[UTS_DEPTH] = depth;
    task_max(s, 0, depth);
    u32 row = depth < table[UTS_DEPTHS] ? UTS_ROWS + depth * table[UTS_STRIDE] : table[UTS_REST];
    return uts_children(table + row, child[4] & 0x7fffffffu);
}
