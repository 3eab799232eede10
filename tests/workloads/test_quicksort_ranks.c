/* SPDX-License-Identifier: MIT */
/* Tests quicksort on several ranks, which are threads here (tests/lib/transport/threads.h): keys in every order against
 * qsort(), ranks on several hosts, ranks with few keys and none, equal parts of equal keys, the same tree in every run,
 * results that the check must refuse, counted, failing and limited memory, and cancelled calls of one rank. */
#include "workload.h"

#include "../../workloads/quicksort.h"
#include "../lib/transport/threads.h"

enum { max_keys = 20000 };

struct shared {
    enum gws_quicksort_order order;
    uint64_t count[max_test_ranks], cutoff; /* keys of each rank */
    uint32_t link, per_host;                /* of gws__links_open() */
    gws_status want;
    bool spoils; /* changes a key of each rank before another check */
    struct gws_quicksort_result result;
    uint64_t sorted[max_keys], sorted_count, largest;
    /* Failures of one rank; UINT32_MAX: none. */
    uint32_t rank;
    struct gws_test_memory *memory;
    uint64_t fail_at; /* the allocation after the runtime's opening */
    uint64_t max_memory;
    bool cancels;
};

static uint64_t before(const struct shared *shared, uint32_t rank)
{
    uint64_t keys = 0;
    for (uint32_t r = 0; r < rank; r++) keys += shared->count[r];
    return keys;
}

static bool cancel(void *context)
{
    (void)context;
    return true;
}

static void check(struct shared *shared, struct gws_runtime *runtime, struct gws_transport *transport,
                  const struct gws_quicksort_parted *sorted, uint64_t sum)
{
    if (gws_quicksort_check_parted(runtime, transport, sorted, sum, NULL) != GWS_OK) abort();
    if (gws_quicksort_check_parted(runtime, transport, sorted, sum + 1, NULL) != GWS_WRONG_RESULT) abort();
    if (!shared->spoils || sorted->count < 2) return;
    uint64_t *key = &sorted->keys[sorted->count - 1], saved = *key; /* out of order in the rank, or across ranks */
    *key = 0;
    if (saved > 0 && gws_quicksort_check_parted(runtime, transport, sorted, sum, NULL) != GWS_WRONG_RESULT) abort();
    *key = saved;
}

static void rank_body(struct gws_transport *transport, void *context)
{
    struct shared *shared = context;
    const uint32_t self = gws_transport_rank(transport), ranks = gws_transport_ranks(transport);
    const bool fails = self == shared->rank;
    struct gws_options options = {.threads = self % 2 + 1, .policy = "chaselev"};
    struct gws_runtime *runtime = NULL;
    if (fails && shared->memory) options.allocator = gws_test_allocator(shared->memory);
    if (fails) options.max_memory = shared->max_memory;
    if (fails && shared->cancels) options.cancel = cancel;
    if (gws__links_open(transport, shared->link, shared->per_host) != GWS_OK) abort();
    if (gws_runtime_open(&options, &runtime) != GWS_OK) abort();
    const uint64_t count = shared->count[self], first = before(shared, self);
    uint64_t *keys = malloc((count + 1) * sizeof *keys);
    gws_quicksort_fill_part(runtime, shared->order, 3, keys, first, count, before(shared, ranks));
    uint64_t sum = gws_quicksort_sum(runtime, keys, count);
    gws_transport_sum(transport, &sum, 1);
    if (fails && shared->fail_at > 0) shared->memory->fail_at = atomic_load(&shared->memory->calls) + shared->fail_at;
    const struct gws_ranks with = {.transport = transport};
    const struct gws_quicksort_options how = {.cutoff = shared->cutoff, .seed = 5};
    struct gws_quicksort_parted sorted = {.count = 0};
    struct gws_quicksort_result result = {.tasks = 0};
    struct gws_diagnostic where = {0};
    gws_status status = GWS_OK;
    for (int repeat = 0; repeat < 2 && status == GWS_OK; repeat++) {
        result.tasks = 0;
        status = gws_quicksort_on_ranks(runtime, &with, keys, count, &how, &result, &sorted, &where);
    }
    if (status != shared->want && !(shared->memory && status == GWS_NO_MEMORY)) abort();
    if (status == GWS_OK && !shared->memory) check(shared, runtime, transport, &sorted, sum);
    if (shared->max_memory > 0 && !strstr(where.message, "rank 1: out of memory: this rank's share")) abort();
    if (status != GWS_OK && (sorted.keys || sorted.count > 0 || result.tasks > 0)) abort();
    uint64_t counts[max_test_ranks] = {0};
    counts[self] = sorted.count;
    gws_transport_sum(transport, counts, ranks);
    uint64_t at = 0, largest = sorted.count;
    for (uint32_t r = 0; r < self; r++) at += counts[r];
    for (uint64_t i = 0; i < sorted.count; i++) shared->sorted[at + i] = sorted.keys[i];
    gws_transport_max(transport, &largest, 1);
    if (self == ranks - 1) shared->sorted_count = at + sorted.count, shared->largest = largest, shared->result = result;
    const int_fast64_t live = fails && shared->memory ? atomic_load(&shared->memory->live) : 0;
    const uint64_t held = sorted.count * sizeof *sorted.keys;
    gws_quicksort_parted_free(transport, &sorted);
    if (fails && shared->memory && status == GWS_OK && live - atomic_load(&shared->memory->live) != (int64_t)held)
        abort();
    free(keys);
    gws_runtime_close(runtime);
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void check_sorted(const struct shared *shared, uint32_t ranks)
{
    static uint64_t want[max_keys];
    struct gws_runtime *runtime = workload_open(1, NULL);
    const uint64_t count = before(shared, ranks);
    gws_quicksort_fill(runtime, shared->order, 3, want, count);
    qsort(want, count, sizeof *want, by_value);
    ck_assert_uint_eq(shared->sorted_count, count);
    ck_assert(memcmp(want, shared->sorted, count * sizeof *want) == 0);
    gws_runtime_close(runtime);
}

static struct shared *new_shared(uint32_t order)
{
    static struct shared shared;
    memset(&shared, 0, sizeof shared);
    shared.order = (enum gws_quicksort_order)order;
    shared.link = gws__link_auto;
    shared.rank = UINT32_MAX;
    return &shared;
}

START_TEST(sorts)
{
    for (uint32_t ranks = 1; ranks <= 5; ranks += 2)
        for (uint32_t per_host = 0; per_host < 3; per_host++) {
            struct shared *shared = new_shared(_i);
            for (uint32_t r = 0; r < ranks; r++) shared->count[r] = 3000;
            shared->cutoff = 40;
            shared->per_host = per_host;
            run_ranks(ranks, 1, rank_body, shared);
            check_sorted(shared, ranks);
            ck_assert_uint_le(shared->largest, 3500); /* equal keys, too */
            ck_assert_uint_ge(shared->result.tasks, ranks);
        }
}
END_TEST

START_TEST(ranks_with_few_keys)
{
    static const uint64_t counts[][3] = {{0, 0, 0}, {1, 0, 0}, {0, 0, 2}, {5, 1, 0}, {0, 12000, 1}};
    for (uint32_t order = 0; gws_quicksort_order_at(order); order++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            struct shared *shared = new_shared(order);
            memcpy(shared->count, counts[c], sizeof counts[c]);
            run_ranks(3, 0, rank_body, shared);
            check_sorted(shared, 3);
        }
}
END_TEST

/* On every link, the tree of ranges is the same. */
START_TEST(links_and_a_tree_that_repeats)
{
    struct gws_quicksort_result first = {.tasks = 0};
    for (uint32_t link = 0; link <= gws__link_auto; link++) {
        struct shared *shared = new_shared(GWS_QUICKSORT_RANDOM);
        shared->count[0] = shared->count[1] = 6000;
        shared->link = link;
        shared->cutoff = 10;
        shared->spoils = true;
        run_ranks(2, 3, rank_body, shared);
        check_sorted(shared, 2);
        if (link == 0) first = shared->result;
        ck_assert_mem_eq(&first, &shared->result, sizeof first);
    }
}
END_TEST

/* One rank lacks memory at its k-th allocation: all ranks return it, or the keys are sorted. */
START_TEST(short_memory)
{
    for (uint32_t rank = 0; rank < 2; rank++)
        for (uint64_t k = 1;; k += gws_test_step()) {
            struct gws_test_memory memory = {0};
            struct shared *shared = new_shared(GWS_QUICKSORT_RANDOM);
            shared->count[0] = shared->count[1] = 500;
            shared->rank = rank;
            shared->memory = &memory;
            shared->fail_at = k;
            run_ranks(2, 0, rank_body, shared);
            gws_test_memory_check(&memory);
            if (memory.failed) continue;
            check_sorted(shared, 2);
            break;
        }
}
END_TEST

/* The limit of one rank has no space for its sorted keys. */
START_TEST(limited_memory)
{
    struct shared *shared = new_shared(GWS_QUICKSORT_RANDOM);
    shared->count[0] = shared->count[1] = 600000;
    shared->rank = 1;
    shared->max_memory = 4000000;
    shared->want = GWS_NO_MEMORY;
    run_ranks(2, 0, rank_body, shared);
}
END_TEST

START_TEST(cancelled)
{
    for (uint32_t rank = 0; rank < 2; rank++) {
        struct shared *shared = new_shared(GWS_QUICKSORT_RANDOM);
        shared->count[0] = shared->count[1] = 1000;
        shared->rank = rank;
        shared->cancels = true;
        shared->want = GWS_CANCELLED;
        run_ranks(2, 0, rank_body, shared);
    }
}
END_TEST

START_TEST(one_process)
{
    struct gws_runtime *runtime = workload_open(2, "chunked");
    uint64_t keys[1000];
    const struct gws_ranks alone = {.transport = NULL};
    const struct gws_quicksort_options how = {.cutoff = 20};
    struct gws_quicksort_result result;
    struct gws_quicksort_parted sorted = {.count = 0};
    gws_quicksort_fill(runtime, GWS_QUICKSORT_RANDOM, 1, keys, 1000);
    const uint64_t sum = gws_quicksort_sum(runtime, keys, 1000);
    ck_assert_int_eq(gws_quicksort_on_ranks(runtime, &alone, keys, 1000, &how, &result, &sorted, NULL), GWS_OK);
    ck_assert_uint_eq(sorted.count, 1000);
    ck_assert_int_eq(gws_quicksort_check_parted(runtime, NULL, &sorted, sum, NULL), GWS_OK);
    gws_quicksort_parted_free(NULL, &sorted);
    gws_runtime_close(runtime);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{sorts, 5},
                                    {ranks_with_few_keys, 1},
                                    {links_and_a_tree_that_repeats, 1},
                                    {short_memory, 1},
                                    {limited_memory, 1},
                                    {cancelled, 1},
                                    {one_process, 1},
                                    {0}};
    return gws_test_run("quicksort on ranks", test);
}
