/* SPDX-License-Identifier: MIT */
/* The rows of a graph in the host's memory, of which the device has a first part or all (host_resident_words.h). */
/* Of the graph, or of its reverse. */
struct rows {
    global_mem const u64 *bound, *base;
    global_mem const u32 *kept, *rest;
};

/* The two bounds of a row; what they tell. */
struct row {
    u64 at, end;
};

device_inline struct row row_of(const struct rows *rows, u64 vertex)
{
    struct row row = {rows->bound[vertex], rows->bound[vertex + 1]};
    return row;
}

device_inline u32 kept_words(struct row row)
{
    return (u32)row.end - (u32)row.at;
}

device_inline u32 rest_words(struct row row)
{
    return (u32)(row.end >> 32) - (u32)(row.at >> 32);
}

/* Where a part begins, from the lower half of that number and what it was at the beginning of the block. */
device_inline u64 row_place(u64 base, u32 low)
{
    u32 since = low - (u32)base;
    return base + since;
}

device_inline u64 kept_at(const struct rows *rows, u64 vertex, struct row row)
{
    return row_place(rows->base[vertex / BFS_ROW_BLOCK * 2], (u32)row.at);
}

device_inline u64 rest_at(const struct rows *rows, u64 vertex, struct row row)
{
    return row_place(rows->base[vertex / BFS_ROW_BLOCK * 2 + 1], (u32)(row.at >> 32));
}
