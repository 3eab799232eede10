/* SPDX-License-Identifier: MIT */
/* Litmus tests of memory orders (litmus.h) between groups of one device, between a device and the host, and between two
 * devices, through the host's memory and through the memory of a peer.
 *
 *     time_litmus [ROUNDS [PREFIX]]
 *
 * runs each test for at least ROUNDS rounds (default 20000) on the usable devices whose address begins with PREFIX. A
 * line counts the rounds, the rounds that saw a new value, and the forbidden (or allowed weak) outcomes. The exit
 * status is 1 if an outcome is forbidden, if a driver fails, or if there is no such device; 2 if the operands are
 * wrong. */
#include <inttypes.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../kernels/kernels.h"
#include "../../../lib/device.h"
#include "../../../lib/parallel.h"
#include "litmus_judge.h"

enum { max_devices = 8, gpu_rounds = 512, cpu_rounds = 1 << 19, many_groups = 64, few_groups = 4 };

extern const struct gws__kernel_program gws__test_programs[];

/* A device that runs one role, or both; or the host (.device is NULL). log: two words for each role, round and pair.
 */
struct litmus_side {
    struct gws_device *device;
    struct gws_device_program *program;
    struct gws_device_buffer *buffer;
    uint32_t *log;
};

/* A test. If there is one side, it has both roles. */
struct match {
    struct litmus_side side[2];
    uint32_t sides, test, pairs, group_size, launch_rounds;
    uint32_t wide;            /* 0: the words have the scope of a device */
    struct gws_device *owner; /* of the words */
    struct gws_device_buffer *words;
    _Atomic(uint32_t) *host;          /* the words, if they lie in the host's memory; otherwise NULL */
    uint64_t pause;                   /* of the host between two rounds, in iterations */
    uint64_t rounds, news, forbidden; /* totals */
};

/* Ends the program on an error. */
static void must(gws_status status, const struct gws_diagnostic *where)
{
    if (status == GWS_OK) return;
    printf("%s: %s\n", gws_status_text(status), where->message);
    exit(EXIT_FAILURE);
}

static void *memory_of(uint64_t bytes)
{
    void *memory = calloc(1, bytes);
    if (!memory) must(GWS_NO_MEMORY, &(struct gws_diagnostic){0});
    return memory;
}

/* ---- the sides ---- */

static void run_round(const struct match *match, uint32_t role, uint32_t round, uint32_t pair, uint32_t *seen)
{
    _Atomic(uint32_t) *first = litmus_word(match->host, pair, role), *second = litmus_word(match->host, pair, 1 - role);
    const bool buffers = match->test == LITMUS_LOAD_BUFFERING;
    /* The acquires and the releases pair with those of the other side, as litmus.h tells. */
    if (buffers || role == 1) seen[0] = atomic_load_explicit(first, memory_order_acquire);
    if (!buffers && role == 1) seen[1] = atomic_load_explicit(second, memory_order_relaxed);
    if (!buffers && role == 0) atomic_store_explicit(first, round, memory_order_relaxed);
    if (buffers || role == 0) atomic_store_explicit(second, round, memory_order_release);
}

/* Waits for the device's items, but not for ever. */
static void meet(const struct match *match, uint32_t role)
{
    for (uint32_t p = 0; p < match->pairs; p++)
        atomic_store_explicit(litmus_word(match->host, match->pairs + p, role), 1, memory_order_relaxed);
    _Atomic(uint32_t) *last = litmus_word(match->host, 2 * match->pairs - 1, 1 - role);
    for (uint32_t i = 0; i < LITMUS_PATIENCE && atomic_load_explicit(last, memory_order_relaxed) == 0; i++)
        if (i % 1024 == 1023) sched_yield();
}

static void run_on_host(const struct match *match, uint32_t role)
{
    meet(match, role);
    for (uint32_t round = 1; round <= match->launch_rounds; round++) {
        for (uint32_t p = 0; p < match->pairs; p++)
            run_round(match, role, round, p, match->side[role].log + ((round - 1) * match->pairs + p) * 2);
        for (volatile uint64_t i = 0; i < match->pause; i++) continue;
    }
}

/* Returns the words as an argument. All CUDA devices have one address for words in the host's memory, which is the
 * argument for a device that does not own the words. */
static struct gws_device_argument words_for(const struct match *match, const struct gws_device *device,
                                            const void **native)
{
    *native = gws_device_buffer_native(match->words);
    if (device == match->owner || !match->host) return (struct gws_device_argument){.buffer = match->words};
    return (struct gws_device_argument){.value = native, .bytes = sizeof *native};
}

static void start(const struct match *match, uint32_t role, uint32_t shift)
{
    const struct litmus_side *side = &match->side[role];
    const uint32_t roles = match->sides == 1 ? LITMUS_BOTH : role;
    const void *native;
    const struct gws_device_argument argument[] = {words_for(match, side->device, &native),
                                                   {.buffer = side->buffer},
                                                   {.value = &match->test, .bytes = 4},
                                                   {.value = &roles, .bytes = 4},
                                                   {.value = &shift, .bytes = 4},
                                                   {.value = &match->wide, .bytes = 4},
                                                   {.value = &match->launch_rounds, .bytes = 4},
                                                   {.value = &match->pairs, .bytes = 4}};
    const struct gws_device_launch launch = {.program = side->program,
                                             .kernel = "litmus",
                                             .groups = match->pairs / match->group_size * (match->sides == 1 ? 2 : 1),
                                             .group_size = match->group_size,
                                             .argument = argument,
                                             .arguments = sizeof argument / sizeof *argument};
    struct gws_diagnostic where = {0};
    must(gws_device_run(side->device, &launch, &where), &where);
}

static void judge(struct match *match)
{
    const uint64_t words = (uint64_t)match->launch_rounds * match->pairs * 2;
    const uint32_t *zero = match->side[0].log;
    const struct litmus_logs logs = {.log = {zero, match->sides == 1 ? zero + words : match->side[1].log},
                                     .test = match->test,
                                     .rounds = match->launch_rounds,
                                     .pairs = match->pairs};
    match->forbidden += litmus_judge(&logs, &match->news);
    match->rounds += words / 2;
}

/* ---- one match ---- */

static void open_side(const struct match *match, struct litmus_side *side)
{
    const uint64_t bytes = (uint64_t)match->launch_rounds * match->pairs * 8 * (match->sides == 1 ? 2 : 1);
    const struct gws__kernel_program *found = gws__test_programs;
    struct gws_diagnostic where = {0};
    side->log = memory_of(bytes);
    if (!side->device) return;
    while (strcmp(found->name, "test_litmus") != 0) found++;
    const struct gws_device_source source = {.name = found->name,
                                             .part = found->part,
                                             .parts = found->parts,
                                             .image = found->image,
                                             .image_bytes = found->image_bytes};
    must(gws_device_program_build(side->device, &source, &side->program, &where), &where);
    must(gws_device_buffer_new(side->device, bytes, &side->buffer, &where), &where);
}

static void close_side(struct litmus_side *side)
{
    gws_device_buffer_free(side->buffer);
    gws_device_program_free(side->program);
    free(side->log);
}

/* Lets the host take about as long as the device, whose rounds are slower or faster. */
static void adapt_pause(struct match *match, double host_ms, double all_ms)
{
    if (all_ms > host_ms * 5 / 4)
        match->pause += match->pause / 4 + 1;
    else
        match->pause -= match->pause / 4;
}

static void run_once(struct match *match, uint32_t shift)
{
    struct gws_diagnostic where = {0};
    must(gws_device_fill(match->words, 0, 0, gws_device_buffer_bytes(match->words) / 4, &where), &where);
    must(gws_device_wait(match->owner, &where), &where);
    const double began = gws_clock_ms();
    double host_ms = 0;
    for (uint32_t i = 0; i < match->sides; i++)
        if (match->side[i].device) start(match, i, shift);
    for (uint32_t i = 0; i < match->sides; i++)
        if (!match->side[i].device) run_on_host(match, i), host_ms = gws_clock_ms() - began;
    for (uint32_t i = 0; i < match->sides; i++)
        if (match->side[i].device) must(gws_device_wait(match->side[i].device, &where), &where);
    if (host_ms > 0) adapt_pause(match, host_ms, gws_clock_ms() - began);
    for (uint32_t i = 0; i < match->sides; i++) {
        const struct litmus_side *side = &match->side[i];
        const uint64_t bytes = side->device ? gws_device_buffer_bytes(side->buffer) : 0;
        if (side->device) must(gws_device_read(side->buffer, 0, side->log, bytes, &where), &where);
    }
    judge(match);
}

/* Runs all tests with the match's sides, owner and .wide, and prints a line for each. Returns the number of forbidden
 * outcomes. */
static uint64_t run_match(const struct match *of, bool on_host, const char *about, uint64_t rounds)
{
    static const char *const name[] = {"message passing", "load buffering", "relaxed messages"};
    const bool gpu = gws_device_describe(of->owner)->type == GWS_DEVICE_GPU;
    uint64_t forbidden = 0;
    for (uint32_t test = 0; test <= LITMUS_RELAXED; test++) {
        struct match match = *of;
        struct gws_diagnostic where = {0};
        void *host = NULL;
        match.test = test;
        match.launch_rounds = gpu ? gpu_rounds : cpu_rounds;
        match.group_size = gpu ? gws_device_describe(of->owner)->warp : 1;
        match.pairs = match.group_size * (!gpu ? 1 : match.wide ? few_groups : many_groups);
        const uint64_t bytes = UINT64_C(4) * match.pairs * LITMUS_STRIDE * sizeof(uint32_t);
        must(on_host ? gws_device_shared_new(of->owner, bytes, &match.words, &host, &where)
                     : gws_device_buffer_new(of->owner, bytes, &match.words, &where),
             &where);
        match.host = host;
        for (uint32_t i = 0; i < match.sides; i++) open_side(&match, &match.side[i]);
        for (uint32_t shift = 0; match.rounds < rounds; shift++) run_once(&match, shift);
        printf("%-18s %-16s %14" PRIu64 " rounds, %14" PRIu64 " saw a new value, %" PRIu64 " %s\n", about, name[test],
               match.rounds, match.news, match.forbidden, test == LITMUS_RELAXED ? "weak" : "forbidden");
        for (uint32_t i = 0; i < match.sides; i++) close_side(&match.side[i]);
        gws_device_buffer_free(match.words);
        if (test != LITMUS_RELAXED) forbidden += match.forbidden;
    }
    return forbidden;
}

/* ---- devices ---- */

/* Runs between groups, and with the host in both roles. */
static uint64_t test_alone(struct gws_device *device, uint64_t rounds)
{
    const struct gws_device_info *info = gws_device_describe(device);
    char about[64];
    struct match match = {.side = {{.device = device}}, .sides = 1, .owner = device};
    snprintf(about, sizeof about, "%s groups", info->address);
    uint64_t forbidden = run_match(&match, false, about, rounds);
    if (info->svm < GWS_SVM_FINE) return forbidden;
    match.wide = 1;
    snprintf(about, sizeof about, "%s in host", info->address);
    forbidden += run_match(&match, true, about, rounds);
    match.sides = 2;
    snprintf(about, sizeof about, "%s to host", info->address);
    forbidden += run_match(&match, true, about, rounds);
    match.side[1] = match.side[0];
    match.side[0].device = NULL;
    snprintf(about, sizeof about, "host to %s", info->address);
    return forbidden + run_match(&match, true, about, rounds);
}

/* Runs between two devices, through the host's memory and through the memory of the second device. */
static uint64_t test_pair(struct gws_device *from, struct gws_device *to, uint64_t rounds)
{
    const char *names[] = {gws_device_describe(from)->address, gws_device_describe(to)->address};
    struct gws_diagnostic where = {0};
    char about[80];
    const struct match match = {.side = {{.device = from}, {.device = to}}, .sides = 2, .wide = 1, .owner = to};
    if (gws_device_describe(from)->api != GWS_DEVICE_CUDA || gws_device_describe(to)->api != GWS_DEVICE_CUDA) return 0;
    snprintf(about, sizeof about, "%s %s host", names[0], names[1]);
    uint64_t forbidden = run_match(&match, true, about, rounds);
    if (!gws_device_peer(gws_device_describe(from), gws_device_describe(to)).access) {
        printf("%s does not reach the memory of %s\n", names[0], names[1]);
        return forbidden;
    }
    must(gws_device_reach(from, to, &where), &where);
    snprintf(about, sizeof about, "%s %s peer", names[0], names[1]);
    return forbidden + run_match(&match, false, about, rounds);
}

int main(int argc, char **argv)
{
    const char *prefix = argc > 2 ? argv[2] : "";
    char *end = NULL;
    const uint64_t rounds = argc > 1 ? strtoull(argv[1], &end, 10) : 20000;
    struct gws_runtime *runtime = NULL;
    struct gws_device_info info[max_devices];
    struct gws_device *device[max_devices];
    struct gws_diagnostic where = {0};
    uint32_t count = 0, opened = 0;
    uint64_t forbidden = 0;
    if (argc > 3 || rounds == 0 || (end && *end)) {
        fprintf(stderr, "time_litmus: expected [ROUNDS [PREFIX]], ROUNDS at least 1\n");
        return 2;
    }
    must(gws_runtime_open(&(struct gws_options){.threads = 1}, &runtime), &where);
    gws_device_list(runtime, info, max_devices, &count);
    for (uint32_t i = 0; i < count && i < max_devices; i++)
        if (!info[i].unusable[0] && strncmp(info[i].address, prefix, strlen(prefix)) == 0)
            must(gws_device_open(runtime, info[i].address, NULL, &device[opened++], &where), &where);
    for (uint32_t i = 0; i < opened; i++) forbidden += test_alone(device[i], rounds);
    for (uint32_t i = 0; i < opened; i++)
        for (uint32_t k = 0; k < opened; k++)
            if (i != k) forbidden += test_pair(device[i], device[k], rounds);
    for (uint32_t i = 0; i < opened; i++) gws_device_close(device[i]);
    gws_runtime_close(runtime);
    if (opened == 0) printf("there is no device %s\n", prefix);
    return opened > 0 && forbidden == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
