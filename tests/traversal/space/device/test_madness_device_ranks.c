/* SPDX-License-Identifier: MIT */
/* MADNESS trees on devices of several ranks, which are threads here: the same bits as on one device, with the workers
 * the same up to rounding; a rank that fails ends the call on all ranks. */
#include "madness_fixture.h"

#include "../../../../traversal/madness_ranks.h"
#include "../../../lib/transport/threads.h"

enum { ranks = 3, order = 4, other_order = 1 };

struct shared {
    struct gws_test_memory memory;
    struct gws_runtime *runtime[ranks];
    struct gws_device *device[ranks];
    struct gws_madness_device *builder[2][ranks], *other; /* alone and with workers; of another order, on rank 1 */
    struct gws_madness_problem problem;
    bool workers, refused; /* refused: rank 1 has the other builder */
    uint32_t per_host;
    struct gws_madness_tree *tree; /* of rank 0 */
    struct gws_madness_device_stats stats[ranks];
    gws_status status[ranks];
    char message[ranks][256];
};

static void body(struct gws_transport *transport, void *context)
{
    struct shared *shared = context;
    const uint32_t self = gws_transport_rank(transport);
    struct gws_rank_stats across;
    const struct gws_ranks all = {.transport = transport, .stats = &across};
    struct gws_madness_device *builder =
        shared->refused && self == 1 ? shared->other : shared->builder[shared->workers][self];
    struct gws_madness_tree *tree = NULL;
    struct gws_diagnostic where = {0};
    if (gws__links_open(transport, gws__link_auto, shared->per_host) != GWS_OK) abort();
    shared->status[self] = gws_madness_device_build_on_ranks(builder, &all, &shared->problem, &tree, &where);
    gws_madness_device_stats(builder, &shared->stats[self]);
    if (tree) shared->status[self] = gws_madness_gather_on_ranks(shared->runtime[self], &all, &tree, &where);
    snprintf(shared->message[self], sizeof shared->message[self], "%s", where.message);
    if ((tree != NULL) != (shared->status[self] == GWS_OK)) abort();
    if (self == 0)
        shared->tree = tree;
    else
        gws_madness_destroy(tree);
}

/* Builds on all ranks. Returns their status. */
static gws_status build_tree(struct shared *shared)
{
    run_ranks(ranks, 1, body, shared);
    for (uint32_t r = 1; r < ranks; r++) {
        ck_assert_int_eq(shared->status[r], shared->status[0]);
        ck_assert_str_eq(shared->message[r], shared->message[0]);
    }
    return shared->status[0];
}

/* Returns false if there is no device. */
static bool open_ranks(struct shared *shared)
{
    const struct gws_madness_device_options options[] = {{.group_size = 1}, {.group_size = 1, .cpu = true}};
    memset(shared, 0, sizeof *shared);
    shared->problem = coarse(order);
    shared->problem.threshold = 1e-3;
    for (uint32_t r = 0; r < ranks; r++) {
        const struct gws_options workers = {
            .threads = 1 + r % 2, .policy = "chaselev", .allocator = gws_test_allocator(&shared->memory)};
        ck_assert_int_eq(gws_runtime_open(&workers, &shared->runtime[r]), GWS_OK);
        struct device_fixture fixture = {shared->runtime[r], open_device(shared->runtime[r])};
        shared->device[r] = fixture.device;
        if (!fixture.device) return false;
        for (uint32_t i = 0; i < 2; i++) shared->builder[i][r] = open_builder(&fixture, order, &options[i]);
        if (r == 1) shared->other = open_builder(&fixture, other_order, &options[0]);
    }
    return true;
}

static void close_ranks(struct shared *shared)
{
    for (uint32_t r = 0; r < ranks; r++) {
        for (uint32_t i = 0; i < 2; i++) gws_madness_device_close(shared->builder[i][r]);
        if (r == 1) gws_madness_device_close(shared->other);
        gws_device_close(shared->device[r]);
        gws_runtime_close(shared->runtime[r]);
    }
    gws_test_memory_check(&shared->memory);
}

static void check_bits(const struct gws_madness_tree *tree, const struct gws_madness_tree *want)
{
    ck_assert_mem_eq(&tree->norm, &want->norm, sizeof tree->norm);
    ck_assert_str_eq(tree->kernel, want->kernel);
    for (uint64_t i = 0; i < want->families; i++)
        ck_assert_mem_eq(tree->family[i].coefficient, want->family[i].coefficient,
                         sizeof(double) * 8 * order * order * order);
}

START_TEST(same_tree)
{
    static struct shared shared;
    if (open_ranks(&shared)) {
        struct gws_madness_tree *want = build(shared.builder[0][0], &shared.problem);
        for (uint32_t variant = 0; variant < 6; variant++) {
            uint64_t boxes = 0;
            shared.workers = variant % 2;
            shared.per_host = variant / 2; /* on one host, each on its own, two on one */
            ck_assert_int_eq(build_tree(&shared), GWS_OK);
            for (uint32_t r = 0; r < ranks; r++) boxes += shared.stats[r].device.run;
            compare(shared.tree, want);
            if (!shared.workers) {
                ck_assert_uint_eq(boxes, want->boxes);
                check_bits(shared.tree, want);
            }
            ck_assert_uint_eq(shared.stats[1].near_tolerance, shared.stats[0].near_tolerance);
            gws_madness_destroy(shared.tree);
        }
        gws_madness_destroy(want);
    }
    close_ranks(&shared);
}
END_TEST

START_TEST(refused)
{
    static struct shared shared;
    if (open_ranks(&shared)) {
        shared.refused = true;
        ck_assert_int_eq(build_tree(&shared), GWS_INVALID);
        ck_assert_str_eq(shared.message[0], "rank 1: the builder has another order");
        shared.refused = false;
        shared.problem.threshold = -1;
        ck_assert_int_eq(build_tree(&shared), GWS_INVALID);
        shared.problem = coarse(order);
        struct gws_madness_body endless[] = {{.factor = 1e308, .sharpness = 1}, {.factor = 1e308, .sharpness = 1}};
        shared.problem.context = endless;
        for (int workers = 0; workers < 2; workers++) {
            shared.workers = workers;
            ck_assert_int_eq(build_tree(&shared), GWS_OUT_OF_RANGE);
        }
        shared.problem = coarse(order); /* the builders are of further use */
        ck_assert_int_eq(build_tree(&shared), GWS_OK);
        gws_madness_destroy(shared.tree);
    }
    close_ranks(&shared);
}
END_TEST

START_TEST(short_memory)
{
    static struct shared shared;
    bool failed = open_ranks(&shared);
    shared.problem.threshold = 1e-2;
    for (uint64_t k = 1; failed; k += gws_test_quick() ? 13 : 5) {
        shared.workers = k % 2;
        shared.memory.fail_at = atomic_load(&shared.memory.calls) + k;
        gws_status status = build_tree(&shared);
        shared.memory.fail_at = 0;
        failed = atomic_exchange(&shared.memory.failed, false);
        ck_assert(status == GWS_OK || (status == GWS_NO_MEMORY && failed));
        if (status == GWS_OK) gws_madness_destroy(shared.tree);
    }
    close_ranks(&shared);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{same_tree, 1}, {refused, 1}, {short_memory, 1}, {0}};
    return gws_test_run("MADNESS on devices of ranks", test);
}
