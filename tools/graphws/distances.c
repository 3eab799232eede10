/* SPDX-License-Identifier: MIT */
/* graphws distances: the distances from many sources, by searches of 64 or 256 sources at once. A run counts the pairs
 * at each distance. Its memory does not grow with the pairs. For --out, the run then searches a second time and stores
 * a row for each pair, because the counts of the first pass say where the rows of each source begin. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "../common/console.h"
#include "distances.h"

enum { NARROW = 64, BATCH = 256, ROW_BYTES = 3 * sizeof(uint32_t) };

static const struct distances_state initial = {.samples = 0};

#define FIELD(name) offsetof(struct distances_state, name)
static const struct option_row row[] = {
    {TEXT("sources", "ID,...|FILE.ss", FIELD(list), "search from these vertices, not from all")},
    {NUMBER("samples", "K", FIELD(samples), 1, UINT32_MAX, "search from K random vertices (--seed), not from all")},
    {NUMBER("hops", "N", FIELD(hops), 1, UINT32_MAX - 1, "reach only vertices at a distance of at most N arcs")},
};
static const struct subcommand_rows group[] = {{row, sizeof row / sizeof *row, 0}};

static int check(void *state)
{
    const struct distances_state *of = state;
    return of->list && of->samples ? console_usage("--sources cannot be combined with --samples") : -1;
}

static bool draws(const void *state)
{
    return ((const struct distances_state *)state)->samples > 0;
}

/* Always true: searches pull along incoming arcs. */
static bool reverse(const void *state)
{
    (void)state;
    return true;
}

/* ---- memory ---- */

static void release(struct distances_state *of, void *memory, uint64_t count, size_t bytes)
{
    if (memory) gws_release(of->runtime, memory, count, bytes);
}

static void release_rows(struct distances_state *of)
{
    release(of, of->result.row_source, of->rows, ROW_BYTES);
    of->result.row_source = NULL;
    of->rows = 0;
}

static void clear(void *state)
{
    struct distances_state *of = state;
    distances_device_close(of);
    release_rows(of);
    release(of, of->result.pairs, of->result.capacity, sizeof *of->result.pairs);
    release(of, of->result.farthest, of->sources, sizeof *of->result.farthest);
    release(of, of->result.count, of->sources, 2 * sizeof *of->result.count);
    release(of, of->source, of->sources, sizeof *of->source);
}

static gws_status open(void *state, const struct algorithm_input *input, struct gws_diagnostic *where)
{
    struct distances_state *of = state;
    of->runtime = input->runtime;
    gws_status status = distances_choose(of, input, where);
    if (status != GWS_OK) return status;
    of->result.sources = of->sources;
    of->result.count = gws_allocate(of->runtime, of->sources, 2 * sizeof *of->result.count);
    of->result.farthest = gws_allocate(of->runtime, of->sources, sizeof *of->result.farthest);
    if (!of->result.count || !of->result.farthest) return GWS_NO_MEMORY;
    of->result.total = of->result.count + of->sources;
    return input->on_device ? distances_device_open(of, input, where) : GWS_OK;
}

gws_status distances_reserve(struct distances_state *of, uint32_t distance)
{
    struct distances_result *result = &of->result;
    if (distance < result->capacity) return GWS_OK;
    const uint64_t capacity = 2 * (uint64_t)distance + 64;
    uint64_t *pairs = gws_allocate(of->runtime, capacity, sizeof *pairs);
    if (!pairs) return GWS_NO_MEMORY;
    memset(pairs, 0, capacity * sizeof *pairs);
    if (result->pairs) memcpy(pairs, result->pairs, result->capacity * sizeof *pairs);
    release(of, result->pairs, result->capacity, sizeof *pairs);
    result->pairs = pairs;
    result->capacity = capacity;
    return GWS_OK;
}

static gws_status reserve_rows(struct distances_state *of, struct gws_diagnostic *where)
{
    struct distances_result *result = &of->result;
    char bytes[CONSOLE_NUMBER];
    if (of->rows < result->reached || !result->row_source) {
        release_rows(of);
        result->row_source = gws_allocate(of->runtime, result->reached, ROW_BYTES);
        if (!result->row_source)
            return gws_diagnostic_set(where, GWS_NO_MEMORY, NULL, 0, 0,
                                      "not enough memory: the %" PRIu64
                                      " rows of --out need %s; fewer sources or --hops "
                                      "make fewer rows",
                                      result->reached, console_bytes(result->reached * ROW_BYTES, bytes));
        of->rows = result->reached;
    }
    result->row_vertex = result->row_source + of->rows;
    result->row_distance = result->row_vertex + of->rows;
    return GWS_OK;
}

/* ---- the searches ---- */

/* A pass over all sources. */
struct pass {
    struct distances_state *of;
    uint64_t first; /* number of the first source of the call */
    uint64_t vertices;
    uint64_t *row; /* the next row of each source; NULL: the pass counts */
    bool full;     /* --hops ended the searches */
};

static gws_status count_level(struct pass *pass, const struct gws_bfs_batch_level *level)
{
    struct distances_state *of = pass->of;
    gws_status status = distances_reserve(of, level->depth);
    if (status != GWS_OK) return status;
    for (uint32_t i = 0; i < level->sources; i++) {
        const uint64_t entry = pass->first + level->first + i;
        of->result.pairs[level->depth] += level->count[i];
        of->result.count[entry] += level->count[i];
        of->result.total[entry] += level->count[i] * level->depth;
        if (level->count[i] > 0) of->result.farthest[entry] = level->depth;
    }
    return GWS_OK;
}

/* Stores the rows of a level. The scan ends at the last vertex of the level. */
static gws_status store_level(struct pass *pass, const struct gws_bfs_batch_level *level)
{
    struct distances_result *result = &pass->of->result;
    uint64_t left = 0;
    for (uint32_t i = 0; i < level->sources; i++) left += level->count[i];
    for (uint64_t at = 0; left > 0 && at < pass->vertices * level->words; at++)
        for (uint64_t bits = level->reached[at]; bits; bits &= bits - 1, left--) {
            const uint64_t entry =
                pass->first + level->first + 64 * (at % level->words) + (uint64_t)__builtin_ctzll(bits);
            const uint64_t to = pass->row[entry]++;
            result->row_source[to] = pass->of->source[entry];
            result->row_vertex[to] = (uint32_t)(at / level->words);
            result->row_distance[to] = level->depth;
        }
    return GWS_OK;
}

static gws_status visit(void *context, const struct gws_bfs_batch_level *level)
{
    struct pass *pass = context;
    gws_status status = pass->row ? store_level(pass, level) : count_level(pass, level);
    pass->full = status == GWS_OK && pass->of->hops && level->depth >= pass->of->hops;
    return pass->full ? GWS_CANCELLED : status;
}

/* Searches from all sources. --hops ends the call of a batch, so a call then has one batch. */
static gws_status search(struct pass *pass, const struct algorithm_input *input)
{
    const struct distances_state *of = pass->of;
    const uint64_t step = of->hops ? BATCH : of->sources;
    gws_status status = GWS_OK;
    for (pass->first = 0; pass->first < of->sources && status == GWS_OK; pass->first += step) {
        const uint64_t left = of->sources - pass->first, count = left < step ? left : step;
        pass->full = false;
        status =
            gws_bfs_batch(input->runtime, input->graph, of->source + pass->first, count, count > NARROW, visit, pass);
        if (pass->full) status = GWS_OK;
    }
    return status;
}

static void sum_up(struct distances_result *result)
{
    uint64_t total = 0;
    result->reached = 0;
    result->max_distance = 0;
    for (uint64_t d = 0; d < result->capacity; d++) {
        result->reached += result->pairs[d];
        total += d * result->pairs[d];
        if (result->pairs[d] > 0) result->max_distance = (uint32_t)d;
    }
    const uint64_t apart = result->reached - result->sources;
    result->mean = apart ? (double)total / (double)apart : (double)NAN;
}

static gws_status make_rows(struct distances_state *of, const struct algorithm_input *input,
                            struct gws_diagnostic *where)
{
    struct pass pass = {.of = of, .vertices = input->graph->vertices};
    gws_status status = reserve_rows(of, where);
    if (status == GWS_OK && of->device) return distances_device_rows(of, where);
    if (status != GWS_OK) return status;
    pass.row = gws_allocate(of->runtime, of->sources, sizeof *pass.row);
    if (!pass.row) return GWS_NO_MEMORY;
    uint64_t rows = 0;
    for (uint64_t i = 0; i < of->sources; rows += of->result.count[i++]) pass.row[i] = rows;
    status = search(&pass, input);
    release(of, pass.row, of->sources, sizeof *pass.row);
    return status;
}

static gws_status run(void *state, const struct algorithm_input *input, struct gws_diagnostic *where)
{
    struct distances_state *of = state;
    struct distances_result *result = &of->result;
    const double began = gws_clock_ms();
    memset(result->count, 0, of->sources * 2 * sizeof *result->count);
    memset(result->farthest, 0, of->sources * sizeof *result->farthest);
    if (result->pairs) memset(result->pairs, 0, result->capacity * sizeof *result->pairs);
    gws_status status = of->device ? distances_device_run(of, where) : search(&(struct pass){.of = of}, input);
    if (status != GWS_OK) return status;
    sum_up(result);
    if (!of->device) result->ms = gws_clock_ms() - began;
    return input->table ? make_rows(of, input, where) : GWS_OK;
}

static gws_status verify(void *state, const struct algorithm_input *input, struct gws_diagnostic *where)
{
    return distances_check(state, input->graph, where);
}

/* ---- output ---- */

static void columns(const void *state, struct algorithm_table *table)
{
    const struct distances_result *result = &((const struct distances_state *)state)->result;
    table->column[0] = (struct gws_column){.name = "source", .kind = GWS_COLUMN_VERTEX, .data = result->row_source};
    table->column[1] = (struct gws_column){.name = "vertex", .kind = GWS_COLUMN_VERTEX, .data = result->row_vertex};
    table->column[2] = (struct gws_column){.name = "distance", .kind = GWS_COLUMN_U32, .data = result->row_distance};
    table->table.columns = 3;
    table->table.rows = result->row_source ? result->reached : 0;
}

/* Makes the ranking: the sources by their largest distance. */
static gws_status ranking(void *state, const struct algorithm_input *input, struct algorithm_table *table)
{
    const struct distances_state *of = state;
    (void)input;
    table->column[0] = (struct gws_column){.name = "source", .kind = GWS_COLUMN_VERTEX, .data = of->source};
    table->column[1] = (struct gws_column){.name = "farthest", .kind = GWS_COLUMN_U32, .data = of->result.farthest};
    table->table.columns = 2;
    table->table.rows = of->sources;
    return GWS_OK;
}

static struct algorithm_histogram histogram(const void *state)
{
    const struct distances_result *result = &((const struct distances_state *)state)->result;
    return (struct algorithm_histogram){.value = "distance",
                                        .counted = "pairs",
                                        .count = result->pairs,
                                        .values = result->reached ? (uint64_t)result->max_distance + 1 : 0};
}

#define MEMBER(name, key) JSON_FIELD(struct distances_state, name, key)
static const struct json_field parameter[] = {{MEMBER(samples, "samples")}, {MEMBER(hops, "hops")}};
static const struct json_field found[] = {{MEMBER(result.sources, "sources")},
                                          {MEMBER(result.reached, "reached")},
                                          {MEMBER(result.max_distance, "max_distance")},
                                          {MEMBER(result.mean, "mean_distance")}};

const struct algorithm algorithm_distances = {
    .command.name = "distances",
    .command.about = "Distances from many sources, and how many pairs have each",
    ALGORITHM_STATE(struct distances_state),
    .list = offsetof(struct distances_state, list),
    .fetch_ms = offsetof(struct distances_state, result.fetch_ms),
    .check = check,
    .draws = draws,
    .reverse = reverse,
    .open = open,
    .run = run,
    .verify = verify,
    .clear = clear,
    .parameter = JSON_TABLE(parameter),
    .found = JSON_TABLE(found),
    .finding = "reached   {reached} pair{s} from {sources} source{s}, distances up to {max_distance}"
               "{mean_distance?, mean }{mean_distance}\n",
    .columns = columns,
    .ranking = ranking,
    .histogram = histogram,
};
