/* SPDX-License-Identifier: MIT */
#include "rank_calls.h"

void rank_expect(bool condition, const char *text, const char *file, int line)
{
    if (condition) return;
    fprintf(stderr, "%s:%d: %s\n", file, line, text);
    abort();
}

static bool cancel(void *context)
{
    (void)context;
    return true;
}

static void rank_body(struct gws_transport *transport, void *context)
{
    struct rank_calls *calls = context;
    const uint32_t rank = gws_transport_rank(transport);
    struct gws_options options = {.threads = calls->threads ? calls->threads : 1 + rank % 2};
    struct gws_runtime *runtime = NULL;
    const bool fails = rank == calls->rank;
    if (fails && calls->memory) options.allocator = gws_test_allocator(calls->memory);
    if (fails && calls->cancels) options.cancel = cancel;
    RANK_EXPECT(gws_runtime_open(&options, &runtime) == GWS_OK);
    if (fails && calls->memory && calls->fail_at)
        calls->memory->fail_at = atomic_load(&calls->memory->calls) + calls->fail_at;
    calls->status[rank] = calls->body(calls, runtime, transport);
    gws_runtime_close(runtime);
}

gws_status run_rank_calls(struct rank_calls *calls, uint32_t ranks)
{
    run_ranks(ranks, 0, rank_body, calls);
    for (uint32_t r = 1; r < ranks; r++) RANK_EXPECT(calls->status[r] == calls->status[0]);
    return calls->status[0];
}

void run_failing_ranks(struct rank_calls *calls)
{
    for (calls->rank = 0; calls->rank < 2; calls->rank++) {
        for (calls->fail_at = 1;; calls->fail_at += gws_test_step()) {
            struct gws_test_memory memory = {0};
            calls->memory = &memory;
            const gws_status status = run_rank_calls(calls, 2);
            gws_test_memory_check(&memory);
            if (status == GWS_OK && !memory.failed) break;
            RANK_EXPECT(status == GWS_NO_MEMORY);
        }
        calls->memory = NULL;
        calls->fail_at = 0;
        calls->cancels = true;
        RANK_EXPECT(run_rank_calls(calls, 2) == GWS_CANCELLED);
        calls->cancels = false;
    }
    calls->rank = UINT32_MAX;
}

void check_rank_rows(const struct gws_rank_graph *part, const struct gws_graph *whole)
{
    RANK_EXPECT(part->first + part->rows <= whole->vertices && part->block % 64 == 0);
    RANK_EXPECT(part->vertices == whole->vertices && part->arcs == whole->arcs && part->directed == whole->directed);
    RANK_EXPECT(whole->arcs == 0 || (part->weight != NULL) == (whole->weight != NULL));
    RANK_EXPECT((part->real_weight != NULL) == (whole->real_weight != NULL));
    RANK_EXPECT(part->offset[0] == 0);
    for (uint64_t row = 0; row < part->rows; row++) {
        const uint64_t first = whole->offset[part->first + row], end = whole->offset[part->first + row + 1];
        RANK_EXPECT(gws_rank_graph_owner(part, part->first + row) == gws_transport_rank(part->transport));
        RANK_EXPECT(part->offset[row + 1] - part->offset[row] == end - first);
        for (uint64_t own = part->offset[row], arc = first; arc < end; own++, arc++) {
            RANK_EXPECT(part->target[own] == whole->target[arc]);
            RANK_EXPECT(!part->weight || part->weight[own] == whole->weight[arc]);
            RANK_EXPECT(!part->real_weight ||
                        (whole->real_weight && part->real_weight[own] == whole->real_weight[arc]));
        }
    }
}
