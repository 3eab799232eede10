/* SPDX-License-Identifier: MIT */
/* The layout of a graph's rows that are split between a device and the host. */
#ifndef GWS_KERNELS_ENGINE_SPLIT_ROWS_H
#define GWS_KERNELS_ENGINE_SPLIT_ROWS_H

/* A row has two parts. The device caches the first words. The other words are on the host. Either part may be empty.
 * Each part is packed in the vertices' order. bound[v], for v from 0 to the number of vertices, is the number of words
 * in the rows before v. The lower half counts cached words, the upper half host words, both modulo 2^32. Two
 * neighbouring bounds thus give the lengths of a row's parts. base[2 * block] (cached) and base[2 * block + 1] (host)
 * are the whole indexes for the block's first vertex. The rows of a block of SPLIT_ROWS_BLOCK vertices have fewer than
 * SPLIT_ROWS_ARCS arcs, so the lower half is enough. A read of either part costs one random access, to bound. The few
 * words of base stay in the cache. */
#define SPLIT_ROWS_BLOCK 1024u
#define SPLIT_ROWS_ARCS 0x80000000u

/* Words of the smallest transfer over the bus. */
#define SPLIT_ROWS_PIECE 8u

#endif

/* Functions for the device. A portability header must come first. */
#if defined global_mem && !defined GWS_HOST_WORKER && !defined GWS_KERNELS_ENGINE_SPLIT_ROWS_FUNCTIONS
#define GWS_KERNELS_ENGINE_SPLIT_ROWS_FUNCTIONS

/* The rows of the graph, or of its reverse. */
struct split_rows {
    global_mem const u64 *bound, *base;
    global_mem const u32 *cached, *host;
};

/* The two bounds of a row. The lower half of a bound belongs to part 0, which the device caches. The upper half belongs
 * to part 1, which is on the host. */
struct split_row {
    u64 at, end;
};

device_inline struct split_row row_of(const struct split_rows *rows, u64 vertex)
{
    struct split_row row = {rows->bound[vertex], rows->bound[vertex + 1]};
    return row;
}

device_inline u32 part_words(struct split_row row, u32 part)
{
    return (u32)(row.end >> 32 * part) - (u32)(row.at >> 32 * part);
}

/* Returns the index of a part's first word. low: the lower half of that index; base: the whole index at the beginning
 * of the block. */
device_inline u64 row_index(u64 base, u32 low)
{
    u32 since = low - (u32)base;
    return base + since;
}

device_inline u64 part_at(const struct split_rows *rows, u64 vertex, struct split_row row, u32 part)
{
    return row_index(rows->base[vertex / SPLIT_ROWS_BLOCK * 2 + part], (u32)(row.at >> 32 * part));
}

device_inline global_mem const u32 *part_of(const struct split_rows *rows, u32 part)
{
    return part == 0 ? rows->cached : rows->host;
}

device_inline u32 row_words(struct split_row row)
{
    return part_words(row, 0) + part_words(row, 1);
}
#endif
