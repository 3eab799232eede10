/* SPDX-License-Identifier: MIT */
/* The rows of a graph in the host's memory, of which the device has a first part or all (split_rows.h). */

/* Of the graph, or of its reverse. */
struct rows {
    global_mem const u64 *bound, *base;
    global_mem const u32 *kept, *rest;
};

/* The two bounds of a row; what they tell. Part 0 is kept, in the lower halves, part 1 the rest. */
struct row {
    u64 at, end;
};

device_inline struct row row_of(const struct rows *rows, u64 vertex)
{
    struct row row = {rows->bound[vertex], rows->bound[vertex + 1]};
    return row;
}

device_inline u32 part_words(struct row row, u32 part)
{
    return (u32)(row.end >> 32 * part) - (u32)(row.at >> 32 * part);
}

/* Where a part begins, from its half of that number and what it was at the beginning of the block. */
device_inline u64 row_place(u64 base, u32 low)
{
    u32 since = low - (u32)base;
    return base + since;
}

device_inline u64 part_at(const struct rows *rows, u64 vertex, struct row row, u32 part)
{
    return row_place(rows->base[vertex / SPLIT_ROWS_BLOCK * 2 + part], (u32)(row.at >> 32 * part));
}

device_inline global_mem const u32 *part_of(const struct rows *rows, u32 part)
{
    return part == 0 ? rows->kept : rows->rest;
}

device_inline u32 row_words(struct row row)
{
    return part_words(row, 0) + part_words(row, 1);
}
