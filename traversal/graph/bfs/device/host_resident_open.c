/* SPDX-License-Identifier: MIT */
/* Memory and program of a search of a host-resident graph (host_resident.h). */
#include <stdio.h>
#include <string.h>

#include "../../../../kernels/kernels.h"
#include "host_resident.h"

enum { max_chunk = BFS_CHUNK_WORDS * 32, default_threshold = 1 << 18 };

/* ---- memory ---- */

bool gws__host_resident_has_reverse(const struct gws_bfs_device *search)
{
    return search->in && search->in != search->graph && search->options.direction != GWS_BFS_TOP_DOWN;
}

uint64_t gws__host_resident_min(const struct gws_bfs_device *search)
{
    uint64_t vertices = search->graph->vertices, bounds = gws__split_rows_bound_bytes(search->graph);
    if (gws__host_resident_has_reverse(search)) bounds *= 2;
    return BFS_STATE * 8 + 3 * ((vertices + 63) / 64 * 8) + vertices * 8 + bounds;
}

static gws_status make_buffers(struct gws__host_resident *state, struct gws_diagnostic *where)
{
    uint64_t bitmap = state->words * 8, array = state->search->graph->vertices * 4;
    struct gws_device_buffer **of = state->buffer;
    void **host = state->host;
    const struct gws__bfs_need need[] = {
        {.buffer = &of[resident_state], .bytes = BFS_STATE * 8, .clear = true},
        {.buffer = &of[resident_visited], .bytes = bitmap, .clear = true},
        {.buffer = &of[resident_before], .bytes = bitmap, .clear = true},
        {.buffer = &of[resident_front], .bytes = bitmap, .clear = true},
        {.buffer = &of[resident_parent], .bytes = array, .clear = true},
        {.buffer = &of[resident_depth], .bytes = array, .clear = true},
        {.buffer = &of[resident_host_a], .bytes = bitmap, .host = &host[resident_host_a]},
        {.buffer = &of[resident_host_b], .bytes = bitmap, .host = &host[resident_host_b]},
        {.buffer = &of[resident_host_front], .bytes = bitmap, .host = &host[resident_host_front]},
        {.buffer = &of[resident_mirror], .bytes = bitmap, .host = &host[resident_mirror]},
        {.buffer = &of[resident_words], .bytes = PROTOCOL_WORDS * 8, .host = &host[resident_words]},
        {.buffer = &of[resident_stats], .bytes = state->range.groups * RANGE_STATS * 8, .host = &host[resident_stats]}};
    return gws__bfs_device_buffers(state->search, need, sizeof need / sizeof *need, where);
}

/* Returns the bytes of the host's arrays. One allocation holds these arrays and begins with the bitmaps. */
static uint64_t array_bytes(const struct gws__host_resident *state)
{
    const struct gws_bfs_device *search = state->search;
    return state->words * 4 * 8 + gws_runtime_workers(search->runtime) * sizeof *state->range.worker +
           search->graph->vertices * 2 * 4;
}

static gws_status make_arrays(struct gws__host_resident *state, struct gws_diagnostic *where)
{
    struct gws_runtime *runtime = state->search->runtime;
    state->isolated = gws_allocate(runtime, array_bytes(state), 1);
    if (!state->isolated) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    state->before = state->isolated + state->words;
    state->found_by_device = state->before + state->words;
    state->depth_on_device = state->found_by_device + state->words;
    state->range.worker = (struct gws__range_worker *)(state->depth_on_device + state->words);
    state->depth = (uint32_t *)(state->range.worker + gws_runtime_workers(runtime));
    state->parent = state->depth + state->search->graph->vertices;
    return GWS_OK;
}

/* Initialises the arrays and marks the vertices without arcs. Without the reverse the function marks no vertex,
 * because the vertices without incoming arcs are unknown. */
static void begin_words(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    struct gws__host_resident *state = context;
    const struct gws_graph *graph = state->search->graph, *in = state->search->in;
    uint64_t isolated = 0;
    for (uint64_t w = begin; w < end; w++) {
        uint64_t bits = 0, last = graph->vertices - w * 64;
        for (uint32_t i = 0; i < 64 && i < last; i++) {
            uint32_t v = (uint32_t)(w * 64 + i);
            bool is_isolated = in && gws_graph_degree(graph, v) == 0 && gws_graph_degree(in, v) == 0;
            bits |= (uint64_t)is_isolated << i;
            state->depth[v] = state->parent[v] = GWS_NO_VERTEX;
        }
        state->isolated[w] = bits;
        isolated += (uint64_t)__builtin_popcountll(bits);
    }
    atomic_fetch_add_explicit(&state->found, isolated,
                              memory_order_relaxed); /* relaxed: the host reads the sum after the loop */
}

/* ---- the program ---- */

/* Chooses the number of groups, all of which must be resident. A device that is the host's processor gets one group,
 * because groups would compete with the workers for cores. */
static gws_status choose_groups(struct gws__host_resident *state, struct gws_diagnostic *where)
{
    const struct gws_bfs_device *search = state->search;
    const struct gws_device_info *info = gws_device_describe(search->device);
    uint64_t max = 0, groups = search->options.groups;
    gws_status status = gws_device_resident(search->device, &state->range.protocol.launch, &max, where);
    if (status != GWS_OK) return status;
    state->range.protocol.launch.groups = state->range.groups = groups;
    state->range.window = groups / 2 + 1;
    if (groups <= max) return GWS_OK;
    return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "%u groups of %u items are not resident at once on %s",
                              search->options.groups, search->options.group_size, info->address);
}

static void bind(struct gws__host_resident *state)
{
    struct gws__range *range = &state->range;
    struct gws_device_argument *argument = state->argument;
    const uint64_t *value[] = {&state->vertices, &state->chunk_words32, &range->window, &state->patience,
                               &range->protocol.launches};
    for (uint32_t b = 0; b < resident_buffers; b++) argument[b].buffer = state->buffer[b];
    for (uint32_t b = resident_in_bound; b <= resident_in_rest && !state->in_rows.graph; b++)
        argument[b].buffer = state->buffer[b - resident_in_bound + resident_bound];
    for (uint32_t i = 0; i < sizeof value / sizeof *value; i++)
        argument[resident_buffers + i] = (struct gws_device_argument){.value = value[i], .bytes = sizeof *value[i]};
    range->protocol.words = state->host[resident_words];
    range->group = state->host[resident_stats];
}

/* ---- opening ---- */

static gws_status check(const struct gws_bfs_device *search, struct gws_diagnostic *where)
{
    const struct gws_bfs_device_options *options = &search->options;
    const char *policy = gws_runtime_policy(search->runtime), *wrong = NULL;
    if (gws_device_describe(search->device)->svm < GWS_SVM_FINE) wrong = "the device shares no memory with the host";
    if (options->cpu && !search->coarse && options->steal != GWS_BFS_STEAL_ALL)
        wrong = "all workers must be allowed to steal";
    if (options->order != GWS_BFS_WEAKEST) wrong = "memory orders must be the weakest";
    if (options->strategy != GWS_BFS_STRATEGY_AUTO && options->strategy != GWS_BFS_HOST_RESIDENT)
        wrong = "the strategy must be host-resident";
    if (!search->coarse && search->work_queue != gws__bfs_chunked) wrong = "the policy must be chunked or coarse";
    if (!wrong) return GWS_OK;
    return gws_diagnostic_set(where, GWS_UNSUPPORTED, NULL, 0, 0, "policy %s, with a host-resident graph: %s", policy,
                              wrong);
}

static void choose_sizes(struct gws__host_resident *state)
{
    struct gws_bfs_device_options *options = &state->search->options;
    options->strategy = GWS_BFS_HOST_RESIDENT;
    options->launch = GWS_BFS_PERSISTENT;
    options->chunk = options->chunk < max_chunk ? (options->chunk + 63) / 64 * 64 : max_chunk;
    if (options->chunk == 0) options->chunk = max_chunk / 2;
    if (!options->cpu) {
        options->threshold = 1;
    } else if (options->threshold == 0) {
        options->threshold = default_threshold;
        state->min_size = options->groups + gws_runtime_workers(state->search->runtime);
    }
    state->patience = (uint64_t)1 << 22;
    state->vertices = state->search->graph->vertices;
    state->words = (state->vertices + 63) / 64;
    state->chunk_words = options->chunk / 64;
    state->chunk_words32 = options->chunk / 32;
    state->range.count = (state->words + state->chunk_words - 1) / state->chunk_words;
    state->range.device_only = state->search->coarse || !options->cpu;
}

/* Chooses the cached rows among the rows that the levels will read. Bottom-up levels read the reverse's rows, and
 * top-down levels read the graph's rows. */
static void choose_cached(struct gws__host_resident *state, uint64_t budget)
{
    struct gws_runtime *runtime = state->search->runtime;
    enum gws_bfs_direction direction = state->search->options.direction;
    struct gws__split_rows *out = &state->rows, *in = state->in_rows.graph ? &state->in_rows : out;
    uint64_t largest = gws_device_describe(state->search->device)->max_buffer;
    uint64_t budget_words = (budget < largest ? budget : largest) / sizeof(uint32_t);
    if (!state->search->in || direction == GWS_BFS_TOP_DOWN) {
        gws__split_rows_cache_small(runtime, out, &budget_words);
        return;
    }
    gws__split_rows_cache_heads(runtime, in, direction == GWS_BFS_BOTTOM_UP ? gws__row_all : gws__row_head,
                                &budget_words);
    if (direction == GWS_BFS_BOTTOM_UP) return;
    gws__split_rows_cache_hubs(runtime, out, &budget_words);
    if (in != out) gws__split_rows_cache_hubs(runtime, in, &budget_words);
}

static void set_costs(struct gws__host_resident *state)
{
    const struct gws__split_rows *out = &state->rows, *in = state->in_rows.graph ? &state->in_rows : out;
    double vertices = (double)out->graph->vertices, more = (vertices - (double)in->head_from) / vertices;
    double rest = (double)out->base[out->blocks * gws__row_parts + gws__row_on_host];
    gws__row_costs((double)in->head + more, rest / (double)out->graph->arcs,
                   gws_runtime_workers(state->search->runtime), state->cost);
}

/* Places the rows. As many words as `budget` bytes allow go to the device, the others to shared memory. */
static gws_status place_rows(struct gws__host_resident *state, uint64_t budget, struct gws_diagnostic *where)
{
    const struct gws_bfs_device *search = state->search;
    bool has_reverse = gws__host_resident_has_reverse(search);
    gws_status status = gws__split_rows_open(search->runtime, search->graph, &state->rows, where);
    if (status == GWS_OK && has_reverse)
        status = gws__split_rows_open(search->runtime, search->in, &state->in_rows, where);
    if (status != GWS_OK) return status;
    if (search->budgeted) choose_cached(state, budget);
    status = gws__split_rows_upload(search->runtime, search->device, &state->rows, state->buffer + resident_bound,
                                    &state->host[resident_rest], where);
    if (status == GWS_OK && has_reverse)
        status = gws__split_rows_upload(search->runtime, search->device, &state->in_rows,
                                        state->buffer + resident_in_bound, &state->host[resident_in_rest], where);
    if (status == GWS_OK) set_costs(state);
    return status;
}

static gws_status fill(struct gws__host_resident *state, struct gws_diagnostic *where)
{
    struct gws_bfs_device *search = state->search;
    char options[40];
    uint64_t budget = 0;
    choose_sizes(state);
    snprintf(options, sizeof options, "-DGWS_GROUP_SIZE=%u", (unsigned)search->options.group_size);
    struct gws_device_launch *launch = &state->range.protocol.launch;
    gws_status status = gws__bfs_device_budget(search, gws__host_resident_min(search), &budget, where);
    if (status == GWS_OK)
        status = gws__kernel_program_build(search->device, "bfs_host_resident", options, &search->program, where);
    *launch = (struct gws_device_launch){.program = search->program,
                                         .kernel = "bfs_host_resident",
                                         .group_size = search->options.group_size,
                                         .argument = state->argument,
                                         .arguments = resident_arguments,
                                         .resident = true};
    if (status == GWS_OK) status = choose_groups(state, where);
    if (status == GWS_OK) status = make_buffers(state, where);
    if (status == GWS_OK) status = make_arrays(state, where);
    if (status == GWS_OK) status = place_rows(state, budget, where);
    if (status != GWS_OK) return status;
    bind(state);
    gws__engine_uncounted(search->runtime, state->words, 1024, begin_words, state);
    state->isolated_count = atomic_load_explicit(&state->found, memory_order_relaxed);
    return GWS_OK;
}

/* Opens the strategy. close() frees the incomplete state after a failure. */
gws_status gws__host_resident_open(struct gws_bfs_device *search, struct gws_diagnostic *where)
{
    gws_status status = check(search, where);
    if (status != GWS_OK) return status;
    struct gws__host_resident *state = gws_allocate(search->runtime, 1, sizeof *state);
    if (!state) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    memset(state, 0, sizeof *state);
    state->search = search;
    state->range.runtime = search->runtime;
    state->range.protocol.device = search->device;
    state->range.protocol.limit_ms = gws_device_limit_ms(search->device);
    search->own = state;
    return fill(state, where);
}

/* Frees the state. The kernel of a failed search may still run, so the function first orders the kernel to end. */
void gws__host_resident_close(struct gws_bfs_device *search)
{
    struct gws__host_resident *state = search->own;
    if (!state) return;
    if (state->range.protocol.running) (void)gws__protocol_publish(&state->range.protocol, ORDER_END, 0, 0);
    gws_device_program_free(search->program);
    search->program = NULL;
    for (uint32_t b = 0; b < resident_buffers; b++) gws_device_buffer_free(state->buffer[b]);
    gws__split_rows_close(search->runtime, &state->rows);
    gws__split_rows_close(search->runtime, &state->in_rows);
    gws_release(search->runtime, state->isolated, array_bytes(state), 1);
    gws_release(search->runtime, state, 1, sizeof *state);
    search->own = NULL;
}
