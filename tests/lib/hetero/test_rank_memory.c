/* SPDX-License-Identifier: MIT */
/* Memory that ranks share, of which each rank's runtime counts a share. Ranks are threads here. */
#include "../transport/rank_calls.h"

#include "../../../lib/hetero/rank_graph.h"
#include "../../../lib/hetero/rank_memory.h"

/* ---- one piece of memory ---- */

enum { words = 6000 };

static gws_status fill(struct rank_calls *calls, struct gws_runtime *runtime, struct gws_transport *transport)
{
    const uint32_t rank = gws_transport_rank(transport), ranks = gws_transport_ranks(transport);
    struct gws__rank_memory memory;
    struct gws_diagnostic where = {0};
    const bool apart = calls->context != NULL;
    if (apart && gws_transport_choose_links(transport, "messages") != GWS_OK) abort();
    gws_status status = gws__rank_memory_open(runtime, transport, words, &memory, &where);
    RANK_EXPECT((memory.all != NULL) == (status == GWS_OK && !apart));
    RANK_EXPECT((status == GWS_OK) == !*where.message);
    RANK_EXPECT(status == GWS_OK || strstr(where.message, "share of the ranks' shared memory takes about 1 MB"));
    for (uint32_t i = rank; memory.all && i < words; i += ranks) memory.all[i] = i;
    (void)gws_transport_agree(transport, GWS_OK);
    for (uint32_t i = 0; memory.all && i < words; i++) RANK_EXPECT(memory.all[i] == i);
    (void)gws_transport_agree(transport, GWS_OK);
    gws__rank_memory_close(&memory);
    gws__rank_memory_close(&memory);
    return status;
}

START_TEST(test_memory)
{
    struct rank_calls calls = {.body = fill, .rank = UINT32_MAX};
    for (uint32_t ranks = next_test_ranks(0); ranks; ranks = next_test_ranks(ranks)) {
        calls.context = NULL;
        ck_assert_int_eq(run_rank_calls(&calls, ranks), GWS_OK);
        calls.context = &calls;
        ck_assert_int_eq(run_rank_calls(&calls, ranks), GWS_OK);
    }
}
END_TEST

/* ---- the limit of a rank ---- */

/* An allocator that refuses requests beyond a limit. */
struct limited {
    _Atomic uint64_t now, max_seen;
    uint64_t max;
};

static void *allocate(void *context, size_t bytes)
{
    struct limited *self = context;
    const uint64_t now = atomic_fetch_add(&self->now, bytes) + bytes;
    if (now > self->max) {
        atomic_fetch_sub(&self->now, bytes);
        return NULL;
    }
    if (now > atomic_load(&self->max_seen)) atomic_store(&self->max_seen, now); /* one thread allocates */
    return malloc(bytes);
}

static void release(void *context, void *memory, size_t bytes)
{
    struct limited *self = context;
    atomic_fetch_sub(&self->now, bytes);
    free(memory);
}

/* What one algorithm needs beside the graph. */
struct algorithm {
    gws_status (*run)(struct gws_runtime *runtime, const struct gws_rank_graph *graph, struct gws_diagnostic *where);
    uint64_t (*share)(uint64_t vertices); /* words of all ranks */
};

static gws_status run_components(struct gws_runtime *runtime, const struct gws_rank_graph *graph,
                                 struct gws_diagnostic *where)
{
    struct gws_rank_components_result result = {0};
    gws_status status = gws_rank_components(runtime, graph, &result, where);
    RANK_EXPECT(status != GWS_OK || result.rounds == 0);
    gws_rank_components_result_clear(&result);
    return status;
}

static uint64_t share_of_components(uint64_t vertices)
{
    return vertices / 2 + 1;
}

static gws_status run_pagerank(struct gws_runtime *runtime, const struct gws_rank_graph *graph,
                               struct gws_diagnostic *where)
{
    struct gws_rank_pagerank_result result = {0};
    gws_status status = gws_rank_pagerank(runtime, graph, NULL, &result, where);
    RANK_EXPECT(status != GWS_OK || result.received == 0);
    gws_rank_pagerank_result_clear(&result);
    return status;
}

static uint64_t share_of_pagerank(uint64_t vertices)
{
    return (vertices * sizeof(float) + 7) / 8;
}

static gws_status run_sssp(struct gws_runtime *runtime, const struct gws_rank_graph *graph,
                           struct gws_diagnostic *where)
{
    struct gws_rank_sssp_result result = {0};
    gws_status status = gws_rank_sssp(runtime, graph, 0, NULL, &result, where);
    gws_rank_sssp_result_clear(&result);
    return status;
}

static uint64_t share_of_sssp(uint64_t vertices)
{
    const uint64_t marks = vertices / 64 + 1;
    return vertices + marks + marks / 64 + 1;
}

struct subject {
    const struct algorithm *algorithm;
    const struct gws_graph *whole;
    struct limited memory[max_test_ranks];
    uint64_t limit[max_test_ranks], before[max_test_ranks]; /* while the algorithm runs; bytes in use when it begins */
    bool fits;
};

static void run_limited(struct gws_transport *transport, void *context)
{
    struct subject *self = context;
    const uint32_t rank = gws_transport_rank(transport);
    self->memory[rank].max = UINT64_MAX;
    const struct gws_allocator allocator = {.allocate = allocate, .release = release, .context = &self->memory[rank]};
    const struct gws_options options = {.threads = 1, .allocator = allocator};
    const struct gws_graph *whole = rank == 0 ? self->whole : NULL;
    struct gws_runtime *runtime = NULL;
    struct gws_rank_graph *graph = NULL;
    struct gws_diagnostic where = {0};
    RANK_EXPECT(gws_runtime_open(&options, &runtime) == GWS_OK);
    RANK_EXPECT(gws_rank_graph_spread(runtime, transport, whole, &graph, &where) == GWS_OK);
    self->before[rank] = atomic_load(&self->memory[rank].now);
    atomic_store(&self->memory[rank].max_seen, self->before[rank]);
    self->memory[rank].max = self->limit[rank];
    const gws_status status = self->algorithm->run(runtime, graph, &where);
    RANK_EXPECT(status == (self->fits ? GWS_OK : GWS_NO_MEMORY));
    gws_rank_graph_destroy(graph);
    gws_runtime_close(runtime);
    RANK_EXPECT(atomic_load(&self->memory[rank].now) == 0);
}

static void run(struct subject *self, uint32_t ranks, bool fits)
{
    self->fits = fits;
    run_ranks(ranks, 0, run_limited, self);
}

/* A rank needs its share, and runs with a limit of exactly what it needs, but not with a byte less. */
START_TEST(test_limit)
{
    static const struct algorithm algorithm[] = {
        {run_components, share_of_components}, {run_pagerank, share_of_pagerank}, {run_sssp, share_of_sssp}};
    struct gws_runtime *runtime = NULL;
    struct gws_graph *whole = NULL;
    ck_assert_int_eq(gws_runtime_open(NULL, &runtime), GWS_OK);
    ck_assert_int_eq(gws_graph_generate(runtime, "uniform:12:4", &whole, NULL), GWS_OK);
    for (size_t a = 0; a < sizeof algorithm / sizeof *algorithm; a++)
        for (uint32_t ranks = 2; ranks <= 3; ranks++) {
            struct subject self = {.algorithm = &algorithm[a], .whole = whole};
            for (uint32_t r = 0; r < ranks; r++) self.limit[r] = UINT64_MAX;
            run(&self, ranks, true);
            for (uint32_t r = 0; r < ranks; r++) {
                const uint64_t peak = atomic_load(&self.memory[r].max_seen);
                ck_assert_uint_ge(peak - self.before[r], algorithm[a].share(whole->vertices) / ranks * 8);
                self.limit[r] = peak;
            }
            run(&self, ranks, true);
            for (uint32_t r = 0; r < ranks; r++) {
                self.limit[r]--;
                run(&self, ranks, false);
                self.limit[r]++;
            }
        }
    gws_graph_destroy(whole);
    gws_runtime_close(runtime);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{test_memory, 1}, {test_limit, 1}, {0}};
    return gws_test_run("rank_memory", test);
}
