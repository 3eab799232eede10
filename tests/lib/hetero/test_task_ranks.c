/* SPDX-License-Identifier: MIT */
/* Tests immediate tasks on devices of several ranks (gws_device_tasks_run_ranks(), lib/device_tasks.h), which are
 * threads here (tests/lib/transport/threads.h), each with a device of PoCL, alone or with the CPU's workers. Each task
 * runs once, on any rank. An error or a cancelled call of one rank ends all. */
#include "../device/devices.h"

#include <math.h>
#include <pthread.h>

#include "../transport/threads.h"
#include "endless.h"
#include "ranges.h"

struct shared {
    bool workers, all_roots;
    uint32_t link, per_host; /* of gws__links_open() */
    uint32_t width, longest;
    atomic_uint_fast64_t created, parents;
    atomic_uint_fast32_t devices; /* that the ranks opened */
    gws_status want;
    /* What goes wrong on the last rank. */
    struct gws_test_memory *memory;
    bool cancels, no_sides;
    char message[200]; /* of rank 0 */
};

/* What one rank has. */
struct own {
    struct gws_runtime *runtime;
    struct gws_device *device;
    struct gws_device_task_side side[2];
    const char *part[GWS_DEVICE_TASK_PARTS];
    bool fails;
};

static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER; /* PoCL starts in one thread */

/* Opens the rank's device. Returns false if the machine has none that compiles. */
static bool open_own(struct own *own, const struct shared *shared, uint32_t rank)
{
    struct gws_device_info info[gws_test_devices];
    struct gws_options options = {.threads = rank % 2 + 1};
    const struct gws_device_tasks_options usual = {.length = shared->cancels ? 1 : 2};
    struct gws_device_source program = {.name = "ranges.cl", .part = own->part};
    struct gws_diagnostic where = {0};
    uint32_t found = 0, usable = 0, chosen = 0;
    if (own->fails && shared->memory) options.allocator = gws_test_allocator(shared->memory);
    if (own->fails && shared->cancels) options.cancel = is_cancelled;
    if (gws_runtime_open(&options, &own->runtime) != GWS_OK) abort();
    gws_device_list(own->runtime, info, gws_test_devices, &found);
    for (uint32_t i = 0; i < found && i < gws_test_devices; i++)
        if (!info[i].unusable[0] && info[i].compiles && usable++ <= rank) chosen = i;
    if (usable == 0) return false;
    program.parts = gws_device_tasks_source(shared->cancels ? endless : source, own->part);
    if (gws_device_open(own->runtime, info[chosen].address, gws_test_cached(), &own->device, &where) != GWS_OK ||
        gws_device_tasks_open(own->runtime, own->device, &program, &usual, &own->side[0].tasks, &where) != GWS_OK ||
        gws_device_buffer_new(own->device, (numbers + 1) * sizeof(uint32_t), &own->side[0].data, &where) != GWS_OK) {
        fprintf(stderr, "%s\n", where.message);
        abort();
    }
    own->side[1] = (struct gws_device_task_side){.run = shared->cancels ? run_endless : run_tasks, .batch = 8};
    return true;
}

static void close_own(struct own *own)
{
    gws_device_tasks_close(own->side[0].tasks);
    gws_device_buffer_free(own->side[0].data);
    gws_device_close(own->device);
    gws_runtime_close(own->runtime);
}

static gws_status run_once(const struct own *own, struct shared *shared, struct gws_transport *transport,
                           struct gws_diagnostic *where)
{
    const uint32_t first = shared->all_roots ? gws_transport_rank(transport) * shared->width : 0;
    const uint32_t root[task_words] = {first, shared->cancels ? 2 : first + shared->width, 2}, deep[] = {0, 2};
    const struct gws_device_task_roots roots = {.task = shared->cancels ? deep : root, .count = shared->width > 0};
    const struct gws_ranks ranks = {.transport = transport, .all_roots = shared->all_roots};
    struct gws_device_task_side_result result[2] = {{.created = UINT64_MAX}};
    const uint32_t sides = own->fails && shared->no_sides ? 0 : 1U + shared->workers;
    gws_status status = gws_device_fill(own->side[0].data, 0, 0, numbers + 1, where);
    if (status == GWS_OK) status = gws_device_fill(own->side[0].data, 0, shared->longest, 1, where);
    if (status != GWS_OK) abort();
    status = gws_device_tasks_run_ranks(own->runtime, &ranks, &roots, own->side, sides, result, where);
    if ((status == GWS_OK) == (result[0].created == UINT64_MAX)) abort(); /* written on success only */
    for (uint32_t i = 0; status == GWS_OK && i < sides; i++) {
        atomic_fetch_add(&shared->created, result[i].created);
        atomic_fetch_add(&shared->parents, result[i].parents);
    }
    return status;
}

/* Adds the marks of the rank's device to those of the workers. */
static void add_marks(const struct own *own)
{
    uint32_t *mark = malloc((numbers + 1) * sizeof *mark);
    if (gws_device_read(own->side[0].data, 0, mark, (numbers + 1) * sizeof *mark, NULL) != GWS_OK) abort();
    for (uint32_t i = 0; i < numbers; i++) atomic_fetch_add(&tree.mark[i], mark[i + 1]);
    free(mark);
}

static void rank_body(struct gws_transport *transport, void *context)
{
    struct shared *shared = context;
    const uint32_t rank = gws_transport_rank(transport);
    struct own own = {.fails = rank + 1 == gws_transport_ranks(transport)};
    struct gws_diagnostic where = {0};
    if (gws__links_open(transport, shared->link, shared->per_host) != GWS_OK) abort();
    (void)pthread_mutex_lock(&opening);
    bool opened = open_own(&own, shared, rank);
    (void)pthread_mutex_unlock(&opening);
    for (uint64_t k = 1; opened && k < (shared->memory ? 30 : 2); k += gws_test_step()) {
        if (own.fails && shared->memory) shared->memory->fail_at = atomic_load(&shared->memory->calls) + k;
        gws_status status = run_once(&own, shared, transport, &where);
        if (status != shared->want && !(shared->memory && status == GWS_NO_MEMORY)) {
            fprintf(stderr, "%s: %s\n", gws_status_text(status), where.message);
            abort();
        }
        if (gws_transport_agree(transport, status) != status) abort(); /* the same on all ranks */
    }
    if (own.fails && shared->memory) shared->memory->fail_at = 0;
    if (opened) atomic_fetch_add(&shared->devices, 1);
    if (opened) add_marks(&own);
    if (rank == 0) snprintf(shared->message, sizeof shared->message, "%.190s", where.message);
    close_own(&own);
}

static struct shared *new_shared(void)
{
    static struct shared shared;
    memset(&shared, 0, sizeof shared);
    memset(tree.mark, 0, sizeof tree.mark);
    shared.link = gws__link_auto;
    shared.longest = tree.longest = 100; /* all work is below one child */
    ck_assert_int_eq(setenv("POCL_DEVICES", "pthread pthread", 1), 0);
    return &shared;
}

static void check_run(struct shared *shared, uint32_t ranks, uint32_t late)
{
    run_ranks(ranks, late, rank_body, shared);
    if (shared->devices == 0) {
        printf("skipped: no device\n");
        return;
    }
    const uint64_t trees = shared->all_roots ? ranks : 1, width = shared->width;
    for (uint32_t i = 0; i < trees * width; i++)
        if (atomic_load(&tree.mark[i]) != 1) ck_abort_msg("number %u has %u marks", i, (unsigned)tree.mark[i]);
    ck_assert_uint_eq(shared->created, width > 0 ? trees * (2 * width - 2) : 0);
    ck_assert_uint_eq(shared->parents, width > 0 ? trees * (width - 2) : 0);
}

/* _i: with the workers. */
START_TEST(each_task_runs_once)
{
    static const uint32_t link[] = {gws__link_auto, GWS__LINK_MESSAGES, GWS__LINK_RMA, GWS__LINK_SHARED};
    for (uint32_t l = 0; l < sizeof link / sizeof *link; l++) {
        struct shared *shared = new_shared();
        shared->workers = _i;
        shared->link = link[l];
        shared->per_host = l == 0 ? 1 : 0;
        shared->width = 3000;
        if (l == 1) shared->longest = tree.longest = numbers; /* halves */
        check_run(shared, l == 3 ? 3 : 2, l);
    }
}
END_TEST

START_TEST(few_tasks_and_many_roots)
{
    for (uint32_t i = 0; i < 4; i++) {
        struct shared *shared = new_shared();
        shared->workers = i % 2;
        shared->all_roots = i / 2;
        shared->width = shared->all_roots ? 20 : 0;
        check_run(shared, 2, 1);
    }
}
END_TEST

START_TEST(a_rank_without_memory_ends_all)
{
    for (uint32_t workers = 0; workers < 2; workers++) {
        struct gws_test_memory memory = {0};
        struct shared *shared = new_shared();
        shared->workers = workers;
        shared->width = 1000;
        shared->memory = &memory;
        run_ranks(2, 1, rank_body, shared);
        gws_test_memory_check(&memory);
    }
}
END_TEST

START_TEST(a_cancelled_rank_ends_all)
{
    for (uint32_t workers = 0; workers < 2; workers++) {
        struct shared *shared = new_shared();
        shared->workers = workers;
        shared->width = 1;
        shared->cancels = true;
        shared->want = GWS_CANCELLED;
        cancelled_at = gws_clock_ms() + 100;
        run_ranks(2, 1, rank_body, shared);
    }
}
END_TEST

START_TEST(wrong_sides_of_a_rank_are_refused_on_all)
{
    struct shared *shared = new_shared();
    shared->no_sides = true;
    shared->want = GWS_INVALID;
    run_ranks(2, 0, rank_body, shared);
    ck_assert(shared->devices == 0 || strcmp(shared->message, gws_status_text(GWS_INVALID)) == 0);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{each_task_runs_once, 2},
                                    {few_tasks_and_many_roots, 1},
                                    {a_rank_without_memory_ends_all, 1},
                                    {a_cancelled_rank_ends_all, 1},
                                    {wrong_sides_of_a_rank_are_refused_on_all, 1},
                                    {0}};
    return gws_test_run("tasks on devices of ranks", test);
}
