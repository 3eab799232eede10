/* SPDX-License-Identifier: MIT */
/* Shortest paths in a parted graph: the rounds of delta-stepping of ../sssp/sssp.c on each rank's rows, over buckets
 * that all ranks agree on. Ranks of one host lower the distances of all vertices in shared memory (sssp_shared.h).
 * Otherwise paths to vertices of other ranks are sent after each round (sssp_loops.h), as follows.
 *
 * Parents. A vertex's distance d is final once the owner of its last relaxed neighbour has sent it, and each neighbour
 * u with a final distance sends its path again, unless a better one was sent. So the owner keeps the smallest parent of
 * the paths of length d from other ranks, and forgets it when d falls. After the search it adds its own rows' offers.
 * Only paths that are longer than to their parent count. So parents are nearer to the source, and are a tree. Vertices
 * without such a parent follow in sssp_level.c. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "../sssp/plan.h"
#include "sssp_state.h"

/* ---- rounds ---- */

static gws_status status_of(const struct sssp *search)
{
    const struct gws__sssp_faults faults = gws__sssp_faults_of(search);
    return faults.bad_weight ? GWS_INVALID : faults.no_memory ? GWS_NO_MEMORY : GWS_OK;
}

/* Makes the lowest bucket of all ranks the base. Returns false if there is none. */
static bool agree_on_base(struct gws__rank_sssp *self)
{
    uint64_t inverse = ~gws__sssp_lowest_bucket(&self->search);
    gws_transport_max(self->graph->transport, &inverse, 1);
    self->search.base = ~inverse;
    return inverse > 0;
}

enum { of_failed, of_too_far, of_arcs, sums };

/* Ends a round: each rank gets what others found for its vertices, and the sums over all ranks. */
static void exchange(struct gws__rank_sssp *self, uint64_t sum[sums])
{
    if (self->loops->take) {
        gws_transport_sum(self->graph->transport, sum, sums);
        self->sent += self->loops->take(&self->search);
        return;
    }
    self->sent += gws__outbox_flush_all(self->outbox) + self->outbox->sent;
    gws__outbox_send(self->outbox, self->loops->receive, &self->search, sum, sums);
    atomic_store_explicit(&self->outbox->count, 0, memory_order_relaxed);
}

/* Expands the vertices of the round, as many as the outbox has space for. *waits: others wait. */
static gws_status expand(struct sssp *search, bool *waits)
{
    *waits = false;
    for (uint32_t i = 0; i < search->workers; i++) gws__sssp_worker_of(search, i)->waits = false;
    const gws_status status = gws__sssp_round(search);
    for (uint32_t i = 0; i < search->workers; i++) *waits |= gws__sssp_worker_of(search, i)->waits;
    return status == GWS_OK ? status_of(search) : status;
}

/* Runs a round and its exchange. Between hosts, a full outbox travels while the rank goes on. Returns the status of all
 * ranks. */
static gws_status run_round(struct gws__rank_sssp *self)
{
    struct sssp *search = &self->search;
    gws_status status;
    bool waits;
    do status = expand(search, &waits);
    while (waits && status == GWS_OK && gws__outbox_send_part(self->outbox, self->loops->receive, search));
    uint64_t sum[sums] = {status != GWS_OK, gws__sssp_faults_of(search).too_far, gws__sssp_arcs(search)};
    exchange(self, sum);
    if (sum[of_failed] > 0) return gws_transport_agree(self->graph->transport, status);
    self->too_far = sum[of_too_far] > 0;
    self->arcs = sum[of_arcs];
    search->rounds++;
    gws_report_progress(search->runtime, "relaxing arcs", search->rounds, 0);
    gws__sssp_adapt(search, self->arcs, self->workers);
    return GWS_OK;
}

static gws_status run_rounds(struct gws__rank_sssp *self)
{
    gws_status status = GWS_OK;
    while (status == GWS_OK && !self->too_far && agree_on_base(self)) status = run_round(self);
    return gws_transport_agree(self->graph->transport, status == GWS_OK ? status_of(&self->search) : status);
}

/* ---- the search ---- */

/* The mean of a rank's weights, over the mean degree; of ranks that differ, the largest. In shared memory, buckets of
 * graphs with many arcs to a vertex are up to four times as narrow. A rank expands only its own vertices before a round
 * ends: in wide buckets it would expand many from distances that other ranks' vertices then lower. */
static void choose_delta(struct gws__rank_sssp *self, double delta)
{
    const struct gws_rank_graph *graph = self->graph;
    const double degree = (double)graph->arcs / (double)graph->vertices,
                 mean = gws__sssp_mean_weight(self->search.graph);
    const double narrower = !self->search.all || degree < 8 ? 1 : degree < 32 ? degree / 8 : 4;
    uint64_t bits;
    memcpy(&bits, &mean, sizeof bits); /* ordered like the numbers, which are not negative */
    gws_transport_max(graph->transport, &bits, 1);
    double largest;
    memcpy(&largest, &bits, sizeof largest);
    gws__sssp_set_delta(&self->search, delta > 0 ? delta : largest / (degree > 1 ? degree : 1) / narrower);
}

static void clear_marks(const struct sssp *search)
{
    const uint64_t end = search->first + search->graph->vertices;
    for (uint64_t i = search->first / 64; i * 64 < end; i++)
        atomic_store_explicit(&search->mark[i], 0, memory_order_relaxed);
    for (uint64_t i = search->first / 4096; i * 4096 < end; i++) (void)gws__rank_sssp_take_words(search, i);
}

static gws_status begin(struct gws__rank_sssp *self, uint32_t source)
{
    struct sssp *search = &self->search;
    search->base = search->arcs = 0;
    search->fused = 1;
    self->too_far = false;
    if (search->all) clear_marks(search);
    gws_status status = gws__sssp_uncounted(search, search->graph->vertices, self->loops->rounds.fill);
    for (uint32_t i = 0; i < search->workers; i++) gws__sssp_worker_of(search, i)->limit = gws__sssp_limit(search, 0);
    if (source - search->first >= search->graph->vertices) return status;
    search->source = (uint32_t)(source - search->first);
    self->loops->rounds.start(search);
    gws__sssp_add(search, gws__sssp_worker_of(search, 0), 0, (struct gws__sssp_entry){search->source, 0});
    return status;
}

static gws_status find_parents(struct gws__rank_sssp *self, uint32_t source, struct gws_diagnostic *where)
{
    struct sssp *search = &self->search;
    gws_body *parents = self->graph->directed ? self->loops->parents : self->loops->pull_parents;
    const bool has_parents = search->all && !search->all_parents;
    gws_status status = has_parents ? GWS_OK : gws__sssp_uncounted(search, search->graph->vertices, parents);
    status = gws__ranks_agree(self->graph->transport, status, where);
    if (status != GWS_OK) return status;
    status = gws__sssp_uncounted(search, search->graph->vertices, self->loops->rounds.finish);
    if (source - search->first < search->graph->vertices) search->parent[source - search->first] = source;
    status = gws__ranks_agree(self->graph->transport, status, where);
    return status == GWS_OK ? gws__rank_sssp_level(self, where) : status;
}

static double weight_of(const struct gws_graph *rows, uint64_t arc)
{
    return rows->real_weight ? (double)rows->real_weight[arc] : rows->weight ? (double)rows->weight[arc] : 1;
}

/* Names the first arc whose weight is invalid, the same on all ranks. */
static gws_status name_bad_weight(const struct gws__rank_sssp *self, struct gws_diagnostic *where)
{
    const struct gws_graph *rows = self->search.graph;
    uint64_t bad = rows->arcs, from = 0, inverse = 0, arc[2] = {0};
    for (uint64_t a = rows->arcs; a-- > 0;) {
        const double weight = weight_of(rows, a);
        if (!(weight >= 0 && weight < (double)INFINITY)) bad = a;
    }
    while (bad < rows->arcs && rows->offset[from + 1] <= bad) from++;
    if (bad < rows->arcs) inverse = ~(self->search.first + from);
    uint64_t largest = inverse;
    gws_transport_max(self->graph->transport, &largest, 1);
    if (inverse == largest && bad < rows->arcs) {
        const double weight = weight_of(rows, bad);
        arc[0] = rows->target[bad];
        memcpy(&arc[1], &weight, sizeof weight);
    }
    gws_transport_sum(self->graph->transport, arc, 2);
    double weight;
    memcpy(&weight, &arc[1], sizeof weight);
    return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0,
                              "the arc from vertex %" PRIu64 " to vertex %" PRIu64
                              " has the weight %g; shortest paths need weights that are not negative",
                              ~largest, arc[0], weight);
}

static gws_status run(struct gws__rank_sssp *self, uint32_t source)
{
    const gws_status status = gws_transport_agree(self->graph->transport, begin(self, source));
    return status == GWS_OK ? run_rounds(self) : status;
}

static gws_status search_all(struct gws__rank_sssp *self, uint32_t source, struct gws_diagnostic *where)
{
    gws_status status = run(self, source);
    if (status == GWS_OK && self->too_far) {
        gws__sssp_bins_clear(self->search.scratch);
        status = gws__rank_sssp_share(self, 0, where);
        if (status != GWS_OK) return status;
        status = self->search.all ? run(self, source) : GWS_NO_MEMORY;
    }
    if (status == GWS_INVALID) return name_bad_weight(self, where);
    if (status != GWS_OK) return gws_diagnostic_status(where, status);
    return find_parents(self, source, where);
}

static void sum_up(const struct gws__rank_sssp *self, struct gws_rank_sssp_result *result)
{
    const struct sssp *search = &self->search;
    uint64_t reached[3] = {0, 0, self->sent}, max = 0;
    for (uint32_t w = 0; w < search->workers; w++) {
        const struct gws__sssp_worker *worker = gws__sssp_worker_of(search, w);
        reached[0] += worker->reached;
        reached[1] += worker->reached_arcs;
        if (worker->max_distance > max) max = worker->max_distance;
        gws_parallel_add_stats(search->runtime, w, worker->tasks, 0, 0);
    }
    gws_transport_sum(self->graph->transport, reached, 3);
    gws_transport_max(self->graph->transport, &max, 1);
    const bool is_real = self->graph->real_weight != NULL;
    result->distance = is_real ? NULL : search->scratch->distance;
    result->real_distance = is_real ? search->scratch->distance : NULL;
    result->parent = search->parent;
    result->reached = reached[0];
    result->reached_arcs = reached[1];
    result->relaxations = self->arcs;
    result->rounds = search->rounds;
    result->sent = reached[2];
    result->delta = search->delta;
    result->max_distance = (double)max;
    if (is_real) memcpy(&result->max_distance, &max, sizeof max);
}

static gws_status rank_sssp(struct gws_runtime *runtime, const struct gws_rank_graph *graph, uint32_t source,
                            const struct gws_sssp_options *options, struct gws_rank_sssp_result *result,
                            struct gws_diagnostic *where)
{
    const double began = gws_clock_ms(), delta = options ? options->delta : 0;
    struct gws__rank_sssp self = {.graph = graph};
    self.search = (struct sssp){.runtime = runtime, .workers = gws_runtime_workers(runtime), .first = graph->first};
    gws_status status = GWS_OK;
    if (source >= graph->vertices)
        status = gws_diagnostic_set(where, GWS_OUT_OF_RANGE, NULL, 0, 0, "the source is not a vertex of the graph");
    else if (!(delta >= 0 && isfinite(delta)))
        status = gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "delta is negative or not finite");
    else
        status = gws__rank_sssp_open(&self, result, where);
    if (status == GWS_OK) {
        choose_delta(&self, delta);
        status = search_all(&self, source, where);
    }
    gws__rank_memory_close(&self.shared);
    if (status != GWS_OK) {
        gws_rank_sssp_result_clear(result);
        return status;
    }
    sum_up(&self, result);
    result->source = source;
    result->ms = gws_clock_ms() - began;
    return GWS_OK;
}

gws_status gws_rank_sssp(struct gws_runtime *runtime, const struct gws_rank_graph *graph, uint32_t source,
                         const struct gws_sssp_options *options, struct gws_rank_sssp_result *result,
                         struct gws_diagnostic *where)
{
    return GWS__RANKS_CALL(runtime, graph->transport, where, rank_sssp(runtime, graph, source, options, result, where));
}
