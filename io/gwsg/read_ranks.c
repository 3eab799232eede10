/* SPDX-License-Identifier: MIT */
/* Reads a .gwsg file on all ranks: each its own rows.
 *
 * The checksum of a section is that of its blocks' checksums. A rank computes those of the blocks that begin in what it
 * reads, and the ranks gather them. A rank checks the rows that it has: they lead no search out of bounds. The offsets
 * are checked before the targets are read, because they say which. */
#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

#include "../../lib/parallel.h"
#include "../ranks/ranks.h"
#include "../text/reader.h"
#include "gwsg.h"

struct rank_file {
    struct gws__input *input;
    const struct gws_read_options *options;
    struct gws__gwsg_head head;
    uint64_t *block_checksum[GWS__GWSG_KINDS]; /* 0 for the blocks of other ranks; NULL: nothing is checked */
};

static bool has_weights(const struct rank_file *file, enum gws__gwsg_kind kind)
{
    return file->head.present[kind] && file->options->weights != GWS_WEIGHTS_DROP;
}

/* ---- this rank's rows ---- */

static gws_status read_items(const struct rank_file *file, enum gws__gwsg_kind kind, uint64_t first, uint64_t count,
                             void *to, uint64_t *block_checksum)
{
    const uint64_t bytes = gws__gwsg_item[kind];
    return gws__native_read(file->input, &file->head.section[kind], first * bytes, (first + count) * bytes, to,
                            block_checksum);
}

static gws_status read_offsets(void *context, uint64_t first, uint64_t count, uint64_t *offset)
{
    const struct rank_file *file = context;
    uint64_t descents = 0;
    gws_status status = read_items(file, GWS__GWSG_OFFSET, first, count, offset,
                                   count > 1 ? file->block_checksum[GWS__GWSG_OFFSET] : NULL);
    if (status != GWS_OK || file->options->trust) return status;
    for (uint64_t i = 1; i < count; i++) descents += offset[i] < offset[i - 1];
    return descents == 0
               ? GWS_OK
               : gws__input_fail(file->input, GWS_CORRUPT, 0, 0, "%s", gws__gwsg_rule[GWS__GWSG_OFFSET].wrong);
}

static gws_status read_arcs(void *context, uint64_t first, uint64_t count, uint32_t *target, void *weight)
{
    const struct rank_file *file = context;
    const enum gws__gwsg_kind kind = file->head.present[GWS__GWSG_REAL] ? GWS__GWSG_REAL : GWS__GWSG_WEIGHT;
    gws_status status =
        read_items(file, GWS__GWSG_TARGET, first, count, target, file->block_checksum[GWS__GWSG_TARGET]);
    if (status != GWS_OK || !weight) return status;
    return read_items(file, kind, first, count, weight, file->block_checksum[kind]);
}

struct part_check {
    const struct gws_rank_graph *graph;
    atomic_bool wrong_target, wrong_weight; /* relaxed: the caller reads the flags after the loop's barrier */
};

static void check_rows(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct part_check *check = context;
    const struct gws_rank_graph *graph = check->graph;
    uint64_t wrong = 0, finite = 0;
    (void)worker;
    for (uint64_t row = begin; row < end; row++) {
        const uint64_t first = graph->offset[row], last = graph->offset[row + 1];
        for (uint64_t a = first; a < last; a++)
            wrong += graph->target[a] >= graph->vertices || (a > first && graph->target[a] < graph->target[a - 1]);
        for (uint64_t a = first; graph->real_weight && a < last; a++)
            finite += graph->real_weight[a] - graph->real_weight[a] == 0;
    }
    if (wrong > 0) atomic_store_explicit(&check->wrong_target, true, memory_order_relaxed);
    if (graph->real_weight && finite != graph->offset[end] - graph->offset[begin])
        atomic_store_explicit(&check->wrong_weight, true, memory_order_relaxed);
}

static gws_status check_part(const struct rank_file *file)
{
    const struct gws_rank_graph *graph = file->input->ranks->graph;
    struct part_check check = {.graph = graph};
    gws_status status = gws_parallel_try_for(file->input->runtime, graph->rows, 1024, check_rows, &check);
    if (status != GWS_OK) return status;
    const bool target = atomic_load_explicit(&check.wrong_target, memory_order_relaxed);
    if (!target && !atomic_load_explicit(&check.wrong_weight, memory_order_relaxed)) return GWS_OK;
    return gws__input_fail(file->input, GWS_CORRUPT, 0, 0, "%s",
                           gws__gwsg_rule[target ? GWS__GWSG_TARGET : GWS__GWSG_REAL].wrong);
}

/* ---- what rank 0 reads alone ---- */

/* Checks that the bytes between sections are zero. */
static gws_status check_gaps(const struct rank_file *file)
{
    unsigned char bytes[GWS__NATIVE_PAGE];
    uint64_t seen = GWS__NATIVE_PAGE;
    for (int kind = 0; kind < GWS__GWSG_KINDS; kind++) {
        const struct gws__section *section = &file->head.section[kind];
        if (!file->head.present[kind]) continue;
        const uint64_t size = section->offset - seen;
        gws_status status = size > 0 ? gws__input_read_at(file->input, seen, bytes, size) : GWS_OK;
        if (status != GWS_OK) return status;
        const uint64_t gap = gws__native_find_nonzero(bytes, 0, size);
        if (gap < size) return gws__gwsg_fail_gap(file->input, seen + gap);
        seen = section->offset + section->bytes;
    }
    return GWS_OK;
}

static gws_status read_first(const struct rank_file *file)
{
    struct gws_graph *names = file->input->ranks->graph->names;
    if (!names) return GWS_OK; /* not rank 0 */
    gws_status status = gws__gwsg_read_names(file->input, &file->head, file->options->trust, names);
    return status == GWS_OK && !file->options->trust ? check_gaps(file) : status;
}

/* ---- checksums ---- */

/* Returns whether ranks compute the blocks' checksums together. */
static bool is_shared(const struct rank_file *file, int kind)
{
    return file->head.present[kind] && (kind < GWS__GWSG_ID || kind == GWS__GWSG_REAL);
}

static uint64_t blocks_of(const struct rank_file *file, int kind)
{
    return gws__native_blocks(file->head.section[kind].bytes);
}

static gws_status allocate_checksums(struct rank_file *file)
{
    for (int kind = 0; kind < GWS__GWSG_KINDS; kind++) {
        if (file->options->trust || !is_shared(file, kind)) continue;
        const uint64_t blocks = blocks_of(file, kind);
        file->block_checksum[kind] = gws_allocate(file->input->runtime, blocks, sizeof(uint64_t));
        if (!file->block_checksum[kind]) return GWS_NO_MEMORY;
        if (blocks > 0) memset(file->block_checksum[kind], 0, blocks * sizeof(uint64_t));
    }
    return GWS_OK;
}

static void free_checksums(const struct rank_file *file)
{
    for (int kind = 0; kind < GWS__GWSG_KINDS; kind++)
        if (file->block_checksum[kind])
            gws_release(file->input->runtime, file->block_checksum[kind], blocks_of(file, kind), sizeof(uint64_t));
}

/* Reads this rank's share of a section of which no rank has a part. */
static gws_status read_share(const struct rank_file *file, int kind)
{
    const struct gws__section *section = &file->head.section[kind];
    const struct gws_transport *transport = file->input->ranks->transport;
    const uint64_t rank = gws_transport_rank(transport), ranks = gws_transport_ranks(transport),
                   blocks = blocks_of(file, kind), begin = blocks * rank / ranks * GWS__NATIVE_BLOCK,
                   end = blocks * (rank + 1) / ranks * GWS__NATIVE_BLOCK;
    return gws__native_read(file->input, section, begin, end < section->bytes ? end : section->bytes, NULL,
                            file->block_checksum[kind]);
}

static gws_status read_others(const struct rank_file *file)
{
    gws_status status = GWS_OK;
    for (int kind = GWS__GWSG_WEIGHT; kind < GWS__GWSG_KINDS && status == GWS_OK; kind++) {
        const bool is_read = kind != GWS__GWSG_POSITION && has_weights(file, (enum gws__gwsg_kind)kind);
        if (file->block_checksum[kind] && !is_read) status = read_share(file, kind);
    }
    return status;
}

/* Collective. */
static gws_status check_checksums(const struct rank_file *file, gws_status status)
{
    struct gws__read_ranks *ranks = file->input->ranks;
    for (int kind = 0; kind < GWS__GWSG_KINDS; kind++) {
        uint64_t *checksum = file->block_checksum[kind];
        const uint64_t blocks = blocks_of(file, kind);
        if (!checksum) continue;
        if (blocks > 0) status = gws__read_ranks_max(ranks, status, checksum, (uint32_t)blocks);
        if (ranks->failed) return status;
        if (status == GWS_OK && gws__native_join(checksum, blocks) != file->head.section[kind].checksum)
            status = gws__gwsg_fail_checksum(file->input, kind);
    }
    return status;
}

/* ---- reading ---- */

static gws_status read_head(struct rank_file *file)
{
    struct gws__input *input = file->input;
    const void *page = NULL;
    uint64_t got = 0;
    gws_status status = gws__native_check_host(&gws__gwsg, input->name, input->where);
    if (status == GWS_OK) status = gws__input_head(input, GWS__NATIVE_PAGE, &page, &got);
    if (status == GWS_OK) status = gws__gwsg_head_decode(page, got, input, &file->head);
    if (status == GWS_OK) status = gws__file_contents_check_size(input, input->total, file->head.size);
    const uint64_t checksum =
        status == GWS_OK ? gws__native_get((const unsigned char *)page + gws__gwsg.checksum_at, 8) : 0;
    return gws__read_ranks_same(input->ranks, status, checksum);
}

/* Returns whether each rank can read its rows as they are. */
static bool is_by_rows(const struct rank_file *file)
{
    const struct gws_read_options *options = file->options;
    const bool adds = options->direction == GWS_EDGES_UNDIRECTED && file->head.directed;
    const bool rounds = options->weights == GWS_WEIGHTS_ROUND && file->head.present[GWS__GWSG_REAL];
    return !adds && !rounds && !options->remove_loops && !options->remove_duplicates && file->head.vertices > 0;
}

/* Collective. */
static gws_status read_rows(struct rank_file *file)
{
    struct gws__read_ranks *ranks = file->input->ranks;
    const struct gws_rank_rows rows = {
        .vertices = file->head.vertices,
        .arcs = file->head.arcs,
        .directed = file->head.directed || file->options->direction == GWS_EDGES_DIRECTED,
        .weights = has_weights(file, GWS__GWSG_WEIGHT),
        .reals = has_weights(file, GWS__GWSG_REAL),
        .read_offsets = read_offsets,
        .read_arcs = read_arcs,
        .context = file,
    };
    gws_status status = gws__read_ranks_agree(ranks, allocate_checksums(file));
    if (status != GWS_OK) return status;
    status = gws_rank_graph_from_rows(file->input->runtime, ranks->transport, &rows, &ranks->graph, ranks->where);
    ranks->failed = status != GWS_OK;
    if (status != GWS_OK) return status;
    status = read_first(file);
    if (file->options->trust) return status;
    if (status == GWS_OK) status = read_others(file);
    status = check_checksums(file, status);
    if (ranks->failed) return status;
    if (status == GWS_OK) status = check_part(file);
    status = gws__read_ranks_agree(ranks, status);
    return status == GWS_OK && !file->head.directed ? gws__symmetry_check(file->input, NULL) : status;
}

gws_status gws__gwsg_read_ranks(struct gws__input *input, const struct gws_read_options *options,
                                struct gws_graph **names)
{
    struct rank_file file = {.input = input, .options = options};
    const bool first = gws__read_ranks_first(input->ranks);
    gws_status status = read_head(&file);
    if (status != GWS_OK) return status;
    if (!is_by_rows(&file)) {
        input->ranks = NULL;
        return first ? gws__gwsg_read(input, options, names) : GWS_OK;
    }
    status = read_rows(&file);
    free_checksums(&file);
    return status == GWS_OK ? gws__read_ranks_take_names(input->ranks, input->runtime, names) : status;
}
