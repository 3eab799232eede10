/* SPDX-License-Identifier: MIT */
/* Prints times of kernel launches, of round trips to a running kernel, of grid barriers and of copies. Each usable
 * device whose address begins with the first operand, if any, gets one line. The program fails if there is no such
 * device. tests/device runs this program. */
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../kernels/kernels.h"
#include "../../../lib/device.h"
#include "../../../lib/parallel.h"

enum { max = 8, line = 16, slots = 64 };

extern const struct gws__kernel_program gws__test_programs[];

struct device_timing {
    struct gws_device *device;
    struct gws_device_program *program;
    bool gpu;
};

/* Ends the program on an error. */
static void must(gws_status status, const struct gws_diagnostic *where)
{
    if (status == GWS_OK) return;
    printf("%s: %s\n", gws_status_text(status), where->message);
    exit(EXIT_FAILURE);
}

static struct gws_device_buffer *buffer_of(const struct device_timing *timed, uint64_t bytes)
{
    struct gws_device_buffer *buffer = NULL;
    struct gws_diagnostic where = {0};
    must(gws_device_buffer_new(timed->device, bytes, &buffer, &where), &where);
    return buffer;
}

static void start(const struct device_timing *timed, const struct gws_device_launch *launch)
{
    struct gws_diagnostic where = {0};
    must(gws_device_run(timed->device, launch, &where), &where);
}

static void finish(const struct device_timing *timed)
{
    struct gws_diagnostic where = {0};
    must(gws_device_wait(timed->device, &where), &where);
}

/* Returns the microseconds for an empty kernel, with a wait after every `batch` launches. */
static double time_launches(const struct device_timing *timed, uint32_t batch)
{
    uint32_t rounds = timed->gpu ? 2000 : 200;
    struct gws_device_buffer *buffer = buffer_of(timed, 4);
    struct gws_device_argument argument[] = {{.buffer = buffer}};
    struct gws_device_launch launch = {.program = timed->program,
                                       .kernel = "nothing",
                                       .groups = 1,
                                       .group_size = 1,
                                       .argument = argument,
                                       .arguments = 1};
    double begin = 0;
    for (uint32_t round = 0; round <= rounds; round++) {
        if (round == 1) begin = gws_clock_ms(); /* the first round does not count */
        start(timed, &launch);
        if (round % batch == 0) finish(timed);
    }
    double took = gws_clock_ms() - begin;
    gws_device_buffer_free(buffer);
    return took * 1000 / rounds;
}

/* Returns the microseconds for a request to the kernel and the reply, or a negative number without shared memory. */
static double time_round_trip(const struct device_timing *timed)
{
    uint32_t rounds = timed->gpu ? 200000 : 2000;
    uint64_t patience = UINT64_C(1) << 32;
    struct gws_device_buffer *flags, *data;
    struct gws_diagnostic where = {0};
    void *host;
    if (gws_device_describe(timed->device)->svm < GWS_SVM_FINE) return -1;
    must(gws_device_shared_new(timed->device, 2 * line * sizeof(uint32_t), &flags, &host, &where), &where);
    memset(host, 0, 2 * line * sizeof(uint32_t));
    _Atomic(uint32_t) *flag = host;
    must(gws_device_shared_new(timed->device, 2 * slots * sizeof(uint32_t), &data, &host, &where), &where);
    struct gws_device_argument argument[] = {{.buffer = flags},
                                             {.buffer = data},
                                             {.value = &rounds, .bytes = sizeof rounds},
                                             {.value = &patience, .bytes = sizeof patience}};
    struct gws_device_launch launch = {.program = timed->program,
                                       .kernel = "ping_pong",
                                       .groups = 1,
                                       .group_size = 1,
                                       .argument = argument,
                                       .arguments = 4};
    start(timed, &launch);
    double begin = 0;
    for (uint32_t round = 1, reply = 0; round <= rounds && reply != UINT32_MAX; round++) {
        if (round == 2) begin = gws_clock_ms();
        /* The release and the acquire pair with the kernel's acquire and release of these flags. */
        atomic_store_explicit(&flag[0], round, memory_order_release);
        while ((reply = atomic_load_explicit(&flag[line], memory_order_acquire)) == round - 1) continue;
    }
    double took = gws_clock_ms() - begin;
    finish(timed);
    gws_device_buffer_free(flags);
    gws_device_buffer_free(data);
    return took * 1000 / (rounds - 1);
}

/* Returns the microseconds for a barrier of the resident groups, with at most one group per unit. */
static double time_barrier(const struct device_timing *timed, uint64_t *groups)
{
    uint32_t rounds = timed->gpu ? 20000 : 200;
    uint64_t patience = UINT64_C(1) << 32;
    struct gws_device_buffer *buffer = buffer_of(timed, 8);
    struct gws_diagnostic where = {0};
    struct gws_device_argument argument[] = {
        {.buffer = buffer}, {.value = &rounds, .bytes = sizeof rounds}, {.value = &patience, .bytes = sizeof patience}};
    struct gws_device_launch launch = {.program = timed->program,
                                       .kernel = "grid_barrier",
                                       .groups = gws_device_describe(timed->device)->groups,
                                       .group_size = 32,
                                       .resident = true,
                                       .argument = argument,
                                       .arguments = 3};
    must(gws_device_fill(buffer, 0, 0, 2, &where), &where);
    finish(timed);
    double begin = gws_clock_ms();
    start(timed, &launch);
    finish(timed);
    double took = gws_clock_ms() - begin;
    must(gws_device_resident(timed->device, &launch, groups, &where), &where);
    gws_device_buffer_free(buffer);
    return took * 1000 / rounds;
}

/* Sets rate[] to the GB/s of copies to the device, of copies from the device, and of fills. */
static void time_copies(const struct device_timing *timed, double rate[3])
{
    uint64_t bytes = UINT64_C(1) << (timed->gpu ? 28 : 25);
    char *host = malloc(bytes);
    struct gws_device_buffer *buffer = buffer_of(timed, bytes);
    struct gws_diagnostic where = {0};
    if (!host) exit(EXIT_FAILURE);
    memset(host, 1, bytes);
    for (int turn = 0; turn < 2; turn++) { /* only the second turn counts */
        double at[4] = {gws_clock_ms()};
        must(gws_device_write(buffer, 0, host, bytes, &where), &where);
        at[1] = gws_clock_ms();
        must(gws_device_read(buffer, 0, host, bytes, &where), &where);
        at[2] = gws_clock_ms();
        must(gws_device_fill(buffer, 0, 7, bytes / 4, &where), &where);
        finish(timed);
        at[3] = gws_clock_ms();
        for (int i = 0; i < 3; i++) rate[i] = (double)bytes / (at[i + 1] - at[i]) / 1e6;
    }
    gws_device_buffer_free(buffer);
    free(host);
}

static void time_device(struct gws_runtime *runtime, const struct gws_device_info *info)
{
    struct device_timing timed = {.gpu = info->type == GWS_DEVICE_GPU};
    struct gws_device_source source = {.name = "kernels.cl",
                                       .part = gws__test_programs[0].part,
                                       .parts = gws__test_programs[0].parts,
                                       .image = gws__test_programs[0].image,
                                       .image_bytes = gws__test_programs[0].image_bytes};
    struct gws_diagnostic where = {0};
    uint64_t groups = 0;
    double rate[3], begin = gws_clock_ms();
    must(gws_device_open(runtime, info->address, NULL, &timed.device, &where), &where);
    double opened = gws_clock_ms();
    must(gws_device_program_build(timed.device, &source, &timed.program, &where), &where);
    double built = gws_clock_ms();
    time_copies(&timed, rate);
    printf("%-9s  open %.0f ms, build %.0f ms; launch and wait %.1f us, back to back %.1f us; ", info->address,
           opened - begin, built - opened, time_launches(&timed, 1), time_launches(&timed, 100));
    printf("round trip %.2f us; barrier of %" PRIu32 " groups %.2f us", time_round_trip(&timed), info->groups,
           time_barrier(&timed, &groups));
    printf(" (%" PRIu64 " resident); write %.1f, read %.1f, fill %.1f GB/s; %s\n", groups, rate[0], rate[1], rate[2],
           info->name);
    gws_device_program_free(timed.program);
    gws_device_close(timed.device);
}

int main(int argc, char **argv)
{
    const char *prefix = argc > 1 ? argv[1] : "";
    struct gws_options options = {.threads = 0}; /* all threads take part in large copies */
    struct gws_runtime *runtime = NULL;
    struct gws_device_info info[max];
    uint32_t count = 0, timed = 0;
    must(gws_runtime_open(&options, &runtime), &(struct gws_diagnostic){0});
    gws_device_list(runtime, info, max, &count);
    for (uint32_t i = 0; i < count && i < max; i++)
        if (!info[i].unusable[0] && strncmp(info[i].address, prefix, strlen(prefix)) == 0)
            time_device(runtime, &info[i]), timed++;
    gws_runtime_close(runtime);
    if (timed == 0) printf("there is no device %s\n", prefix);
    return timed > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
