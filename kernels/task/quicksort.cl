/* SPDX-License-Identifier: MIT */
/* Quicksort (Rudolph, Slivkin-Allalouf, Upfal, SPAA 1991, section 4; many processors divide one range as in Cederman
 * and Tsigas, "GPU-Quicksort", ACM JEA 2009). There are two buffers of keys. A range of depth d lies in buffer d mod 2.
 * Its keys below the pivot go to the left end of the same range of the other buffer, and those above the pivot go to
 * the right end. Each of these two parts is a range of depth d + 1. The gap between them receives the pivot, in buffer
 * 0, where the sorted keys end. One lane sorts a short range.
 *
 * A range is divided into tiles, and a tile into keys of lanes: neighbouring lanes read neighbouring keys. Rows of
 * tiles are tasks whose children are shorter rows, so that the tiles of a long range spread to all workers. A lane
 * counts its keys on both sides and reserves their places by one atomic addition to the range's record. The lane that
 * moves the last keys of a range returns the parts as its children. So no task waits.
 *
 * Ranges in progress are disjoint and longer than the cut-off, so their first keys lie in different rows of `cutoff`
 * keys. The number of this row is the number of the record. */
#define TASK_LENGTH QUICK_LENGTH

device_inline global_mem u64 *quick_keys(struct task_state *s, u32 depth)
{
    return (global_mem u64 *)s->data + (u64)(depth % 2) * s->more[QUICK_COUNT];
}

device_inline u64 quick_pivot(const u32 *task)
{
    return (u64)task[QUICK_PIVOT + 1] << 32 | task[QUICK_PIVOT];
}

/* ---- short ranges ---- */

/* Sorts keys in buffer 0 (Shell, CACM 1959). */
device_inline void quick_sort_few(global_mem u64 *keys, u32 count)
{
    u32 gap = 1;
    while (gap < count / 9) gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3) {
        for (u32 i = gap; i < count; i++) {
            u64 key = keys[i];
            u32 at = i;
            for (; at >= gap && keys[at - gap] > key; at -= gap) keys[at] = keys[at - gap];
            keys[at] = key;
        }
    }
}

device_inline void quick_sort_leaf(struct task_state *s, u32 depth, u32 begin, u32 count)
{
    global_mem u64 *to = quick_keys(s, 0) + begin;
    global_mem const u64 *from = quick_keys(s, depth) + begin;
    for (u32 i = 0; i < count && depth % 2 > 0; i++) to[i] = from[i];
    quick_sort_few(to, count);
}

/* ---- pivots ---- */

device_inline u64 quick_median(u64 a, u64 b, u64 c)
{
    u64 low = a < b ? a : b, high = a < b ? b : a;
    return c < low ? low : c < high ? c : high;
}

/* Returns the median of three medians of three keys at random positions. */
device_inline u64 quick_choose_pivot(struct task_state *s, u32 depth, u32 begin, u32 count)
{
    global_mem const u64 *keys = quick_keys(s, depth) + begin;
    u32 draw = (s->more[QUICK_SEED] ^ begin) * 2654435761u + count;
    u64 key[9];
    unrolled for (u32 i = 0; i < 9; i++)
    {
        draw = draw * 1664525u + 1013904223u; /* the upper bits decide */
        key[i] = keys[(u32)((u64)draw * count >> 32)];
    }
    return quick_median(quick_median(key[0], key[1], key[2]), quick_median(key[3], key[4], key[5]),
                        quick_median(key[6], key[7], key[8]));
}

/* ---- rows of tiles ---- */

device_inline u32 quick_tiles(u32 count)
{
    return count / QUICK_TILE + (count % QUICK_TILE > 0 ? 1u : 0u);
}

/* Returns the number of children of a row: shorter rows, or the lanes of one tile. */
device_inline u32 quick_row_children(const u32 *row)
{
    u32 tiles = row[QUICK_LAST] - row[QUICK_FIRST];
    if (tiles > 1) return tiles < QUICK_PARTS ? tiles : QUICK_PARTS;
    u32 keys = row[QUICK_END] - row[QUICK_BEGIN] - row[QUICK_FIRST] * QUICK_TILE;
    return keys < QUICK_TILE ? (keys + QUICK_OWN - 1) / QUICK_OWN : QUICK_PARTS;
}

/* Makes the row of all tiles of begin .. end - 1. Returns the number of its children. */
device_inline u32 quick_make_row(u32 *row, u32 kind, u32 depth, u32 begin, u32 end, u64 pivot)
{
    row[QUICK_KIND] = kind;
    row[QUICK_DEPTH] = depth;
    row[QUICK_BEGIN] = begin;
    row[QUICK_END] = end;
    row[QUICK_PIVOT] = (u32)pivot;
    row[QUICK_PIVOT + 1] = (u32)(pivot >> 32);
    row[QUICK_FIRST] = 0;
    row[QUICK_LAST] = quick_tiles(end - begin);
    return quick_row_children(row);
}

/* Sorts a range, or makes its tiles. */
device_inline u32 quick_begin_range(struct task_state *s, u32 depth, u32 begin, u32 end, u32 *child)
{
    u32 count = end - begin;
    if (count > 1) {
        task_add(s, QUICK_RANGES, 1);
        task_max(s, QUICK_DEEPEST, depth);
    }
    if (count <= s->more[QUICK_CUTOFF]) {
        quick_sort_leaf(s, depth, begin, count);
        return 0;
    }
    task_add(s, QUICK_SPLITS, 1);
    return quick_make_row(child, QUICK_MOVE, depth, begin, end, quick_choose_pivot(s, depth, begin, count));
}

/* Makes the left part, the right part or the gap of a range. */
device_inline u32 quick_begin_part(struct task_state *s, const u32 *range, u32 i, u32 *child)
{
    u32 depth = range[QUICK_DEPTH] + 1;
    if (i == 0) return quick_begin_range(s, depth, range[QUICK_BEGIN], range[QUICK_FIRST], child);
    if (i == 1) return quick_begin_range(s, depth, range[QUICK_LAST], range[QUICK_END], child);
    return quick_make_row(child, QUICK_FILL, depth, range[QUICK_FIRST], range[QUICK_LAST], quick_pivot(range));
}

/* ---- lanes ---- */

/* Ends a range whose keys lie in the other buffer. Returns the number of its parts. */
device_inline u32 quick_end_range(struct task_state *s, const u32 *row, global_mem u32 *record, u32 *child)
{
    global_mem atom64 *sides = (global_mem atom64 *)(record + QUICK_SIDES);
    u64 found = atom_load(sides, order_relaxed);
    unrolled for (u32 k = 0; k < TASK_LENGTH; k++) child[k] = row[k];
    child[QUICK_KIND] = QUICK_PARTED;
    child[QUICK_FIRST] = row[QUICK_BEGIN] + (u32)found;
    child[QUICK_LAST] = row[QUICK_END] - (u32)(found >> 32);
    atom_store(sides, (u64)0, order_relaxed); /* for the next range, which begins after this task has passed on */
    atom_store((global_mem atom32 *)(record + QUICK_WRITTEN), 0u, order_relaxed);
    u32 gap = child[QUICK_LAST] - child[QUICK_FIRST];
    if (gap > QUICK_OWN) return 3;
    for (u32 i = 0; i < gap; i++) quick_keys(s, 0)[child[QUICK_FIRST] + i] = quick_pivot(row);
    return 2;
}

/* Moves the keys at, at + step .. below the end. Returns the number of parts if these were the last keys. */
device_inline u32 quick_move(struct task_state *s, const u32 *row, u32 at, u32 step, u32 end, u32 *child)
{
    global_mem const u64 *from = quick_keys(s, row[QUICK_DEPTH]);
    global_mem u64 *to = quick_keys(s, row[QUICK_DEPTH] + 1);
    global_mem u32 *record =
        s->more + QUICK_RECORDS + (u64)(row[QUICK_BEGIN] / s->more[QUICK_CUTOFF]) * QUICK_RECORD_WORDS;
    u64 key[QUICK_OWN], pivot = quick_pivot(row);
    u32 count = (end - at + step - 1) / step, below = 0, above = 0;
    unrolled for (u32 i = 0; i < QUICK_OWN; i++) key[i] = i < count ? from[at + i * step] : pivot;
    unrolled for (u32 i = 0; i < QUICK_OWN; i++)
    {
        below += key[i] < pivot ? 1u : 0u;
        above += key[i] > pivot ? 1u : 0u;
    }
    u64 place = atom_add((global_mem atom64 *)(record + QUICK_SIDES), (u64)above << 32 | below, order_relaxed);
    u32 left = row[QUICK_BEGIN] + (u32)place, right = row[QUICK_END] - (u32)(place >> 32);
    unrolled for (u32 i = 0; i < QUICK_OWN; i++)
    {
        if (key[i] < pivot) to[left++] = key[i];
        if (key[i] > pivot) to[--right] = key[i];
    }
    task_add(s, QUICK_MOVES, count);
    /* Releases the keys and places of this lane, and acquires those of the lanes before. */
    u32 written = atom_add((global_mem atom32 *)(record + QUICK_WRITTEN), count, order_acq_rel);
    return written + count < row[QUICK_END] - row[QUICK_BEGIN] ? 0 : quick_end_range(s, row, record, child);
}

/* Creates child i of a row. */
device_inline u32 quick_row_child(struct task_state *s, const u32 *row, u32 i, u32 *child)
{
    u32 tiles = row[QUICK_LAST] - row[QUICK_FIRST], children = quick_row_children(row);
    if (tiles > 1) {
        unrolled for (u32 k = 0; k < TASK_LENGTH; k++) child[k] = row[k];
        child[QUICK_FIRST] = row[QUICK_FIRST] + (u32)((u64)tiles * i / children);
        child[QUICK_LAST] = row[QUICK_FIRST] + (u32)((u64)tiles * (i + 1) / children);
        return quick_row_children(child);
    }
    u32 begin = row[QUICK_BEGIN] + row[QUICK_FIRST] * QUICK_TILE;
    u32 end = row[QUICK_END] - begin < QUICK_TILE ? row[QUICK_END] : begin + QUICK_TILE;
    if (row[QUICK_KIND] == QUICK_MOVE) return quick_move(s, row, begin + i, children, end, child);
    for (u32 at = begin + i; at < end; at += children) quick_keys(s, 0)[at] = quick_pivot(row);
    return 0;
}

device_inline u32 task_child(struct task_state *s, const u32 *parent, u32 i, u32 *child)
{
    return parent[QUICK_KIND] == QUICK_PARTED ? quick_begin_part(s, parent, i, child)
                                              : quick_row_child(s, parent, i, child);
}
