/* SPDX-License-Identifier: MIT */
/* The host-device protocol and the two-ended range (kernels/hetero/range.cl), on every device of this machine that
 * shares memory with the host. On a GPU the tests run tens of millions of chunks and a million tasks. */
#include "../device/devices.h"

/* clang-format off */
/* The host's versions of the kernel sources. Each source depends on the sources before it. */
#define GWS_HOST_WORKER
#include "../../../kernels/portability/host.h"
#include "../../../kernels/hetero/protocol_words.h"
#include "../../../kernels/hetero/ring.cl"
#include "../../kernels/protocol_litmus.h"
/* clang-format on */

enum { state = 1, stats_bytes = 1 << 20, buffers = 8 };

/* A device, the shared memory, and the kernel, which the test relaunches after its exit. */
static struct {
    struct gws_device *device;
    struct gws_device_program *program;
    struct gws_device_buffer
        *buffer[buffers]; /* words, state (the device's own), mark, twice, given, stats, down, up */
    void *host[buffers];
    uint64_t groups, group_size, patience;
    struct litmus litmus;
} run;

static void launch_range(struct litmus *litmus)
{
    uint64_t window = (run.groups + 3) / 4, number = ++litmus->protocol.launches;
    struct gws_device_argument argument[9] = {[6] = {.value = &number, .bytes = 8},
                                              [7] = {.value = &run.patience, .bytes = 8},
                                              [8] = {.value = &window, .bytes = 8}};
    for (uint32_t b = 0; b < 6; b++) argument[b].buffer = run.buffer[b];
    struct gws_device_launch launch = {.program = run.program,
                                       .kernel = "protocol_ranges",
                                       .groups = run.groups,
                                       .group_size = run.group_size,
                                       .resident = true,
                                       .argument = argument,
                                       .arguments = 9};
    runs(run.device, &launch);
}

static void launch_rings(uint64_t groups)
{
    uint64_t capacity = litmus_ring;
    struct gws_device_argument argument[5] = {{.buffer = run.buffer[6]},
                                              {.buffer = run.buffer[7]},
                                              {.buffer = run.buffer[1]},
                                              {.value = &capacity, .bytes = 8},
                                              {.value = &run.patience, .bytes = 8}};
    struct gws_device_launch launch = {.program = run.program,
                                       .kernel = "protocol_rings",
                                       .groups = groups,
                                       .group_size = 1,
                                       .resident = true,
                                       .argument = argument,
                                       .arguments = 5};
    runs(run.device, &launch);
}

/* Zeroes everything. */
static void begin(uint64_t groups, uint64_t patience)
{
    static const uint64_t bytes[buffers] = {PROTOCOL_WORDS * 8,
                                            PROTOCOL_STATE * 8,
                                            litmus_chunks * 8,
                                            8,
                                            PROTOCOL_SLOTS * 8,
                                            stats_bytes,
                                            (RING_SLOTS + litmus_ring) * 8,
                                            (RING_SLOTS + litmus_ring) * 8};
    for (uint32_t b = 0; b < buffers; b++) {
        if (b == state) continue;
        if (!run.buffer[b])
            ck_assert_int_eq(gws_device_shared_new(run.device, bytes[b], &run.buffer[b], &run.host[b], NULL), GWS_OK);
        memset(run.host[b], 0, bytes[b]);
    }
    if (!run.buffer[state]) run.buffer[state] = new_buffer(run.device, bytes[state]);
    ck_assert_int_eq(gws_device_fill(run.buffer[state], 0, 0, bytes[state] / 4, NULL), GWS_OK);
    run.groups = groups;
    run.patience = patience;
    run.litmus = (struct litmus){.protocol = {.words = run.host[0]},
                                 .mark = run.host[2],
                                 .twice = run.host[3],
                                 .sent = run.host[4],
                                 .down = run.host[6],
                                 .up = run.host[7],
                                 .launch = launch_range};
}

static void ranges(uint64_t groups, uint64_t patience, uint64_t rounds, uint32_t eaters)
{
    begin(groups, patience);
    launch_range(&run.litmus);
    litmus_ranges(&run.litmus, rounds, eaters, rounds + eaters);
    litmus_end(&run.litmus);
    waits(run.device);
    printf("%llu groups, %u threads: %llu chunks ran there, %llu here, %llu twice, %llu launches\n",
           (unsigned long long)groups, eaters, (unsigned long long)run.litmus.device_chunks,
           (unsigned long long)run.litmus.host_chunks, (unsigned long long)run.litmus.overlaps,
           (unsigned long long)run.litmus.protocol.launches);
}

static void try(const char *address)
{
    run.device = device_at(address, NULL);
    const struct gws_device_info *info = gws_device_describe(run.device);
    bool gpu = info->type == GWS_DEVICE_GPU, quick = gws_test_quick();
    if (info->svm < GWS_SVM_FINE) {
        printf("skipped: %s shares no memory with the host\n", address);
    } else {
        run.program = named_test_program(run.device, "test_protocol");
        /* The groups of a CPU device compete with the threads of this program. Also, PoCL 6 compiles the barriers in
         * these loops correctly only for one item. */
        run.group_size = gpu ? 32 : 1;
        ranges(gpu ? info->groups : 1, UINT64_C(1) << 40, gpu ? 200000 : quick ? 5 : 40, 1);
        ranges(gpu ? 3 : 1, UINT64_C(1) << 40, gpu ? 20000 : quick ? 5 : 40, litmus_hosts);
        ranges(1, 200, gpu ? 2000 : quick ? 5 : 40, 1);
        begin(1, UINT64_C(1) << 40);
        launch_rings(gpu ? 8 : 1);
        litmus_tasks(&run.litmus, gpu ? 1000000 : quick ? 100 : 2000);
        waits(run.device);
        gws_device_program_free(run.program);
        for (uint32_t b = 0; b < buffers; b++) gws_device_buffer_free(run.buffer[b]);
    }
    gws_device_close(run.device);
    memset(&run, 0, sizeof run);
}

START_TEST(nothing_is_lost_between_host_and_device)
{
    open_runtime();
    for_each_device("", try);
    close_runtime();
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{nothing_is_lost_between_host_and_device, 1}, {0}};
    return gws_test_run("host-device protocol on devices", test);
}
