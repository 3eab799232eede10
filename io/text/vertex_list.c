/* SPDX-License-Identifier: MIT */
/* Reads a list of vertices as loops from each id to itself. The ids of loops become vertices as the ids of edges
 * do. */
#include "vertex_list.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <unistd.h>

#include "../ranks/ranks.h"
#include "scan.h"

/* ---- names of the files ---- */

gws_status gws__vertex_list_pair(struct gws_runtime *runtime, const char *path, const char *suffix, char **other,
                                 uint64_t *size)
{
    uint64_t length = strlen(path);
    *other = NULL;
    *size = length + 4;
    if (!gws__format_has_suffix(path, suffix)) return GWS_OK;
    bool packed = length > 3 && gws__scan_matches(path + length - 3, ".gz", 3);
    uint64_t stem = length - (packed ? 3 : 0);
    char *made = gws_allocate(runtime, *size, 1);
    if (!made) return GWS_NO_MEMORY;
    memcpy(made, path, length + 1);
    made[stem - 1] ^= 'v' ^ 'e'; /* swaps v and e in upper and lower case */
    *other = made;
    if (access(made, F_OK) == 0) return GWS_OK;
    memcpy(made + stem, ".gz", packed ? 0 : 3);
    made[packed ? stem : stem + 3] = 0;
    if (access(made, F_OK) == 0) return GWS_OK;
    gws_release(runtime, made, *size, 1);
    *other = NULL;
    return GWS_OK;
}

/* ---- reading ---- */

static gws_status read_vertex(const struct gws__chunk *chunk, const char *p, const char *end, uint64_t *id)
{
    static const struct gws__syntax syntax = {.free = true};
    gws_status status = gws__lines_id(chunk, &syntax, &p, end, id);
    if (status != GWS_OK) return status;
    p = gws__scan_blanks(p, end);
    if (p == end) return GWS_OK;
    return gws__chunk_fail(chunk, p, GWS_SYNTAX, "expected the end of the line, found %s",
                           gws__lines_quote(p, end).text);
}

static gws_status add_loop(struct gws__edges *loops, uint32_t worker, uint64_t id, uint64_t capacity)
{
    bool wide = id > UINT32_MAX;
    struct gws__block *block = gws__edges_reserve(loops, worker, wide, capacity);
    if (!block) return GWS_NO_MEMORY;
    if (wide)
        block->wide[block->count++] = (struct gws__wide_edge){id, id};
    else
        block->edge[block->count++] = (struct gws_edge){(uint32_t)id, (uint32_t)id};
    return GWS_OK;
}

static gws_status read_chunk(void *context, uint32_t worker, const struct gws__chunk *chunk)
{
    for (const char *p = chunk->at, *newline; p < chunk->end; p = newline + 1) {
        uint64_t id = 0;
        newline = memchr(p, '\n', (size_t)(chunk->end - p));
        const char *end = newline > p && newline[-1] == '\r' ? newline - 1 : newline;
        p = gws__scan_blanks(p, end);
        bool skipped = p == end || *p == '#';
        gws_status status = skipped ? gws__lines_check_skipped(chunk, p, end) : read_vertex(chunk, p, end, &id);
        if (status == GWS_OK && !skipped) status = add_loop(context, worker, id, 1 + (uint64_t)(chunk->end - p) / 2);
        if (status != GWS_OK) return status;
    }
    return GWS_OK;
}

static gws_status read_list(struct gws_runtime *runtime, const char *path, struct gws__edges *loops,
                            struct gws_diagnostic *where)
{
    struct gws__input input;
    gws_status status = gws__read_ranks_open(loops->ranks, runtime, path, &input, where);
    if (status == GWS_OK) status = gws__input_skip_bom(&input);
    if (status == GWS_OK) status = gws__chunks_run(&input, read_chunk, loops);
    return gws__input_end(&input, status);
}

/* ---- ends of edges ---- */

struct end_check {
    struct gws_runtime *runtime;
    const struct gws__id_map *names;
    const struct gws__edges *edges;
    _Atomic uint64_t missing; /* the smallest id without a vertex */
    atomic_bool found;
};

static void check_id(struct end_check *check, uint64_t id)
{
    if (gws__id_map_has(check->names, id)) return;
    /* relaxed: the caller reads the minimum after the loop's barrier */
    uint64_t known = atomic_load_explicit(&check->missing, memory_order_relaxed);
    while (id < known && !atomic_compare_exchange_weak_explicit(&check->missing, &known, id, memory_order_relaxed,
                                                                memory_order_relaxed)) {
    }
    atomic_store_explicit(&check->found, true, memory_order_relaxed);
}

static void check_block(struct end_check *check, const struct gws__block *block, bool wide)
{
    struct gws_edge buffer[GWS__PACK_EDGES];
    for (uint64_t i = 0; wide && i < block->count && !gws_cancelled_at(check->runtime, i); i++) {
        check_id(check, block->wide[i].from);
        check_id(check, block->wide[i].to);
    }
    for (uint64_t at = 0, count; !wide && at < block->count && !gws_cancelled_at(check->runtime, at); at += count) {
        const struct gws_edge *edge = gws__block_edges(block, at, block->count, &count, buffer);
        for (uint64_t i = 0; i < count; i++) {
            check_id(check, edge[i].from);
            check_id(check, edge[i].to);
        }
    }
}

static void check_workers(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct end_check *check = context;
    (void)worker;
    for (uint64_t w = begin; w < end; w++) {
        for (int wide = 0; wide < 2; wide++) {
            const struct gws__block_list *list = &check->edges->buffer[w].list[wide];
            for (uint64_t b = 0; b < list->count; b++) {
                check_block(check, &list->block[b], wide);
            }
        }
    }
}

static gws_status check_ends(const struct gws__input *input, const char *path, const struct gws__id_map *names,
                             const struct gws__edges *edges)
{
    struct end_check check = {.runtime = input->runtime, .names = names, .edges = edges, .missing = UINT64_MAX};
    gws_status status =
        gws_parallel_try_for(input->runtime, gws_runtime_workers(input->runtime), 1, check_workers, &check);
    uint64_t worst[] = {atomic_load_explicit(&check.found, memory_order_relaxed),
                        ~atomic_load_explicit(&check.missing, memory_order_relaxed)};
    status = gws__read_ranks_max(edges->ranks, status, worst, 2);
    if (status != GWS_OK || worst[0] == 0) return status;
    return gws__input_fail(input, GWS_OUT_OF_RANGE, 0, 0, "an edge has the vertex %" PRIu64 ", which is not in %s",
                           ~worst[1], path);
}

gws_status gws__vertex_list_apply(struct gws__input *input, const char *path, struct gws__edges *edges, uint64_t **id,
                                  uint64_t *first_id, uint64_t *vertices)
{
    struct gws__edges loops = {0};
    struct gws__id_map names = {0};
    gws_status status = gws__edges_open(&loops, input, false);
    if (status == GWS_OK) status = read_list(input->runtime, path, &loops, input->where);
    if (status == GWS_OK) status = gws__id_map_find(&loops, &names);
    if (status == GWS_OK && names.vertices >= GWS_NO_VERTEX) status = GWS_TOO_LARGE;
    if (status == GWS_OK) status = check_ends(input, path, &names, edges);
    if (status == GWS_OK) status = gws__id_map_apply(&names, edges, id, first_id);
    *vertices = names.vertices;
    gws__id_map_close(&names);
    gws__edges_close(&loops);
    return status;
}
