/* SPDX-License-Identifier: MIT */
/* MADNESS trees on several ranks, which are threads here: the same bits as on one process; a rank that fails ends all.
 */
#include "madness_problems.h"

#include <time.h>

#include "../../../traversal/madness_ranks.h"
#include "../../lib/transport/threads.h"

struct shared {
    const struct gws_madness_problem *problem;
    const struct gws_madness_tree *want;
    atomic_uint_fast64_t families; /* that ranks computed */
    /* One rank's failing allocation. */
    uint32_t rank;
    struct gws_test_memory *memory;
    uint64_t fail_at;
    gws_status status[max_test_ranks];
};

static void compare(const struct gws_madness_tree *tree, const struct gws_madness_tree *want)
{
    const uint64_t bytes = sizeof(double) * 8 * want->order * want->order * want->order;
    bool same = tree->boxes == want->boxes && tree->forced == want->forced && tree->families == want->families &&
                tree->divided == want->divided && tree->depth == want->depth && tree->norm == want->norm;
    for (uint64_t i = 0; same && i < want->families; i++) {
        const struct gws_madness_family *a = &tree->family[i], *b = &want->family[i];
        same = a->function == b->function && a->level == b->level && memcmp(a->at, b->at, sizeof a->at) == 0 &&
               a->square == b->square && a->difference == b->difference &&
               memcmp(a->coefficient, b->coefficient, bytes) == 0;
    }
    if (!same) abort();
}

static void body(struct gws_transport *transport, void *context)
{
    struct shared *shared = context;
    const uint32_t rank = gws_transport_rank(transport);
    const bool fails = shared->memory && rank == shared->rank;
    struct gws_options options = {.threads = 1 + rank % 2, .policy = "chaselev"};
    struct gws_runtime *runtime = NULL;
    struct gws_madness_tree *tree = NULL;
    struct gws_rank_stats stats = {0};
    const struct gws_ranks ranks = {.transport = transport, .stats = &stats};
    if (fails) options.allocator = gws_test_allocator(shared->memory);
    if (gws_runtime_open(&options, &runtime) != GWS_OK) abort();
    if (fails) shared->memory->fail_at = atomic_load(&shared->memory->calls) + shared->fail_at;
    shared->status[rank] = gws_madness_build_on_ranks(runtime, &ranks, shared->problem, &tree, NULL);
    if ((tree != NULL) != (shared->status[rank] == GWS_OK)) abort();
    if (tree) atomic_fetch_add(&shared->families, rank > 0 ? tree->families : 0);
    if (tree) shared->status[rank] = gws_madness_gather_on_ranks(runtime, &ranks, &tree, NULL);
    if ((tree != NULL) != (shared->status[rank] == GWS_OK)) abort();
    if (tree && rank == 0) compare(tree, shared->want);
    gws_madness_destroy(tree);
    gws_runtime_close(runtime);
}

/* Takes so long that other ranks steal boxes, sooner or later. */
static void slow_gaussian(void *bodies, uint32_t function, const struct gws_madness_grid *grid, double *value)
{
    const struct timespec moment = {.tv_nsec = 30000};
    (void)nanosleep(&moment, NULL);
    gws_madness_gaussian(bodies, function, grid, value);
}

START_TEST(test_same_bits)
{
    struct gws_runtime *runtime = open_one();
    struct gws_madness_body two_bodies[] = {{.factor = 1, .sharpness = 1}, {.factor = 2, .sharpness = 0.5}};
    struct gws_madness_problem problem = coarse();
    problem.functions = 2;
    problem.values = slow_gaussian;
    problem.context = two_bodies;
    problem.order = 6;
    problem.threshold = 1e-5;
    struct gws_madness_tree *want = build(runtime, &problem);
    static struct shared shared;
    for (uint32_t ranks = 1; ranks <= 5; ranks += 2) do {
            memset(&shared, 0, sizeof shared);
            shared.problem = &problem;
            shared.want = want;
            run_ranks(ranks, 2, body, &shared);
            for (uint32_t r = 0; r < ranks; r++) ck_assert_int_eq(shared.status[r], GWS_OK);
        } while (ranks > 1 && shared.families == 0);
    gws_madness_destroy(want);
    gws_runtime_close(runtime);
}
END_TEST

/* A problem that is refused, and values that are not finite, on all ranks. */
static void not_finite(void *context, uint32_t function, const struct gws_madness_grid *grid, double *value)
{
    (void)context;
    (void)function;
    for (uint32_t i = 0; i < 8 * grid->order * grid->order * grid->order; i++) value[i] = INFINITY;
}

START_TEST(test_refused)
{
    struct gws_madness_problem problem = coarse();
    static struct shared shared;
    shared.problem = &problem;
    problem.values = not_finite;
    run_ranks(3, 1, body, &shared);
    for (uint32_t r = 0; r < 3; r++) ck_assert_int_eq(shared.status[r], GWS_OUT_OF_RANGE);
    problem.order = 0;
    run_ranks(2, 0, body, &shared);
    for (uint32_t r = 0; r < 2; r++) ck_assert_int_eq(shared.status[r], GWS_INVALID);
}
END_TEST

START_TEST(test_memory)
{
    struct gws_runtime *runtime = open_one();
    struct gws_madness_problem problem = coarse();
    struct gws_madness_tree *want = build(runtime, &problem);
    for (uint32_t rank = 0; rank < 2; rank++)
        for (uint64_t k = 1;; k += gws_test_step()) {
            static struct shared shared;
            struct gws_test_memory memory = {0};
            memset(&shared, 0, sizeof shared);
            shared.problem = &problem;
            shared.want = want;
            shared.rank = rank;
            shared.memory = &memory;
            shared.fail_at = k;
            run_ranks(2, 0, body, &shared);
            gws_test_memory_check(&memory);
            ck_assert_int_eq(shared.status[0], shared.status[1]);
            if (!memory.failed) {
                ck_assert_int_eq(shared.status[0], GWS_OK);
                break;
            }
            ck_assert(shared.status[0] == GWS_NO_MEMORY || shared.status[0] == GWS_OK);
        }
    gws_madness_destroy(want);
    gws_runtime_close(runtime);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{test_same_bits, 1}, {test_refused, 1}, {test_memory, 1}, {0}};
    return gws_test_run("madness_ranks", test);
}
