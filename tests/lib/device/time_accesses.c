/* SPDX-License-Identifier: MIT */
/* Times what workers of devices do with queues: the costs of the simulator (lib/sim.h), by whose names it prints them.
 *
 *     time_accesses [ROUNDS [PREFIX]]
 *
 * runs ROUNDS operations of each kind (default and at most 16384) on the usable devices whose address begins with
 * PREFIX, and on each pair of devices of which one reaches the other's memory. A worker is a group, and its queue is a
 * deque (kernels/queue/deque_abp.cl). A line is a JSON object: the device, the peer whose words they are (or null), the
 * cost, and the nanoseconds, of which each is the smallest of some runs:
 *
 *     push, pop, lock    one group on its own deque and its own lock
 *     steal              the other operations of a thief with a deque in which nobody else works
 *     host, network      reads of another worker's words one after another, in the own device and in a peer
 *     word, server, read operations on one word by all groups, each atomic addition and each read
 *     retry              a pause
 *     byte               of tasks that a warp copies from a peer, beyond those of one block
 *     message            half of a round trip between two groups
 *
 * Exit status: 1 if a driver fails, an operation fails, or there is no such device; 2 if the operands are wrong. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../kernels/kernels.h"
#include "../../../lib/device.h"
#include "../../../lib/parallel.h"
#include "accesses.h"

enum { max_devices = 8, repeats = 5, max_rounds = 1 << 14, deque_words = 32 + max_rounds * 3, large = 1024 };

extern const struct gws__kernel_program gws__test_programs[];

struct side {
    struct gws_device *device;
    struct gws_device_program *program;
    struct gws_device_buffer *words, *result;
    uint64_t groups; /* all that run at the same time */
    uint32_t warp;
};

static uint64_t rounds = max_rounds;

/* Ends the program on an error. */
static void must(gws_status status, const struct gws_diagnostic *where)
{
    if (status == GWS_OK) return;
    fprintf(stderr, "time_accesses: %s: %s\n", gws_status_text(status), where->message);
    exit(EXIT_FAILURE);
}

static void wait_for(const struct side *side)
{
    struct gws_diagnostic where = {0};
    must(gws_device_wait(side->device, &where), &where);
}

static void clear(struct gws_device_buffer *buffer)
{
    struct gws_diagnostic where = {0};
    must(gws_device_fill(buffer, 0, 0, gws_device_buffer_bytes(buffer) / 4, &where), &where);
}

/* ---- launches ---- */

struct operation {
    uint32_t which, count;   /* count: words to read, or tasks of a block to copy */
    uint64_t groups, rounds; /* rounds of each group */
    const struct side *of;   /* the owner of the words */
};

/* second: 1 on the second one of two devices that exchange messages. */
static void start(const struct side *side, const struct operation *run, uint32_t second)
{
    const uint32_t wide = run->of != side, capacity = max_rounds;
    const struct gws_device_argument argument[] = {
        {.buffer = run->of->words},         {.buffer = side->words},
        {.buffer = side->result},           {.value = &run->which, .bytes = 4},
        {.value = &wide, .bytes = 4},       {.value = &second, .bytes = 4},
        {.value = &capacity, .bytes = 4},   {.value = &run->count, .bytes = 4},
        {.value = &run->rounds, .bytes = 8}};
    const struct gws_device_launch launch = {.program = side->program,
                                             .kernel = "accesses",
                                             .groups = run->groups,
                                             .group_size = side->warp,
                                             .argument = argument,
                                             .arguments = sizeof argument / sizeof *argument};
    struct gws_diagnostic where = {0};
    must(gws_device_run(side->device, &launch, &where), &where);
}

static double run_ms(const struct side *side, const struct operation *run)
{
    wait_for(side);
    const double began = gws_clock_ms();
    start(side, run, 0);
    wait_for(side);
    return gws_clock_ms() - began;
}

static void check_result(const struct side *side, const struct operation *run)
{
    struct gws_diagnostic where = {0};
    uint64_t done;
    must(gws_device_read(side->result, 0, &done, sizeof done, &where), &where);
    if (run->which <= ACCESSES_STEAL && done != run->rounds) must(GWS_WRONG_RESULT, &where);
}

/* Returns the nanoseconds of an operation: the time of a launch less that of one which does nothing. A deque is filled
 * before tasks are taken from it. */
static double time_ns(const struct side *side, const struct operation *run)
{
    const struct operation nothing = {.which = ACCESSES_NOTHING, .groups = run->groups, .of = run->of};
    const struct operation fill = {.which = ACCESSES_PUSH, .groups = 1, .rounds = run->rounds, .of = run->of};
    double best = 1e9, min = 1e9;
    for (int i = 0; i < repeats; i++) {
        clear(run->of->words);
        wait_for(run->of);
        if (run->which == ACCESSES_POP || run->which == ACCESSES_STEAL) (void)run_ms(side, &fill);
        const double idle = run_ms(side, &nothing), ms = run_ms(side, run);
        check_result(side, run);
        if (ms < best) best = ms;
        if (idle < min) min = idle;
    }
    return (best - min) * 1e6 / (double)(run->rounds * run->groups);
}

static void print(const struct side *side, const struct side *of, const char *cost, double ns)
{
    printf("{\"device\": \"%s\", ", gws_device_describe(side->device)->address);
    if (of != side)
        printf("\"peer\": \"%s\", ", gws_device_describe(of->device)->address);
    else
        printf("\"peer\": null, ");
    printf("\"cost\": \"%s\", \"ns\": %.4g}\n", cost, ns);
}

/* ---- what is timed ---- */

static void time_own(const struct side *side)
{
    static const struct {
        const char *cost;
        uint32_t which, count;
        bool all; /* groups */
    } row[] = {{"push", ACCESSES_PUSH, 0, false},   {"pop", ACCESSES_POP, 0, false},
               {"steal", ACCESSES_STEAL, 0, false}, {"lock", ACCESSES_LOCK, 0, false},
               {"host", ACCESSES_READ, 64, false},  {"word", ACCESSES_WORD, 0, true},
               {"read", ACCESSES_READ, 1, true},    {"retry", ACCESSES_PAUSE, 0, false}};
    for (uint32_t i = 0; i < sizeof row / sizeof *row; i++) {
        const struct operation run = {row[i].which, row[i].count, row[i].all ? side->groups : 1, rounds, side};
        print(side, side, row[i].cost, time_ns(side, &run));
    }
}

/* Copies of blocks of a warp's tasks and of large ones differ by their bytes. */
static double byte_ns(const struct side *side, const struct side *of)
{
    const struct operation one = {ACCESSES_COPY, side->warp, 1, rounds, of},
                           more = {ACCESSES_COPY, large, 1, rounds, of};
    return (time_ns(side, &more) - time_ns(side, &one)) / (double)((large - side->warp) * 16);
}

static void time_peer(const struct side *side, const struct side *of)
{
    const struct operation network = {ACCESSES_READ, 64, 1, rounds, of};
    const struct operation server = {ACCESSES_WORD, 0, side->groups, rounds, of};
    print(side, of, "network", time_ns(side, &network));
    print(side, of, "server", time_ns(side, &server));
    print(side, of, "byte", byte_ns(side, of));
}

/* ---- messages ---- */

/* Two groups of one device, or one group on each of two, store a word in turn. A round is two messages. */
static void time_messages(const struct side *side, const struct side *of)
{
    const bool alone = side == of;
    const struct operation run = {ACCESSES_MESSAGE, 0, alone ? 2 : 1, rounds, of};
    const struct operation back = {ACCESSES_MESSAGE, 0, 1, rounds, side};
    double best = 1e9;
    for (int i = 0; i < repeats; i++) {
        clear(side->words), clear(of->words);
        wait_for(side), wait_for(of);
        const double began = gws_clock_ms();
        start(side, &run, 0);
        if (!alone) start(of, &back, 1);
        wait_for(side), wait_for(of);
        const double ns = (gws_clock_ms() - began) * 1e6 / (double)(2 * rounds);
        if (ns < best) best = ns;
    }
    print(side, of, "message", best);
}

/* ---- devices ---- */

static void open_side(struct gws_runtime *runtime, const struct gws_device_info *info, struct side *side)
{
    const struct gws__kernel_program *found = gws__test_programs;
    struct gws_diagnostic where = {0};
    while (strcmp(found->name, "test_accesses") != 0) found++;
    const struct gws_device_source source = {.name = found->name,
                                             .part = found->part,
                                             .parts = found->parts,
                                             .image = found->image,
                                             .image_bytes = found->image_bytes};
    must(gws_device_open(runtime, info->address, NULL, &side->device, &where), &where);
    must(gws_device_program_build(side->device, &source, &side->program, &where), &where);
    side->groups = info->groups;
    side->warp = info->warp;
    must(gws_device_buffer_new(side->device, UINT64_C(8) * deque_words, &side->words, &where), &where);
    must(gws_device_buffer_new(side->device, 8 * side->groups + 16, &side->result, &where), &where);
}

static void close_side(struct side *side)
{
    gws_device_buffer_free(side->words);
    gws_device_buffer_free(side->result);
    gws_device_program_free(side->program);
    gws_device_close(side->device);
}

static bool reaches(const struct side *side, const struct side *of)
{
    struct gws_diagnostic where = {0};
    if (!gws_device_peer(gws_device_describe(side->device), gws_device_describe(of->device)).atomics) return false;
    must(gws_device_reach(side->device, of->device, &where), &where);
    return true;
}

static void time_pairs(const struct side *side, uint32_t sides)
{
    for (uint32_t i = 0; i < sides; i++)
        for (uint32_t k = 0; k < sides; k++)
            if (i != k && reaches(&side[i], &side[k])) time_peer(&side[i], &side[k]);
    for (uint32_t k = 1; k < sides; k++)
        if (reaches(&side[0], &side[k]) && reaches(&side[k], &side[0])) time_messages(&side[0], &side[k]);
}

int main(int argc, char **argv)
{
    const char *prefix = argc > 2 ? argv[2] : "";
    char *end = NULL;
    struct gws_runtime *runtime = NULL;
    struct gws_device_info info[max_devices];
    struct side side[max_devices];
    struct gws_diagnostic where = {0};
    uint32_t count = 0, sides = 0;
    if (argc > 1) rounds = strtoull(argv[1], &end, 10);
    if (argc > 3 || rounds == 0 || rounds > max_rounds || (end && *end)) {
        fprintf(stderr, "time_accesses: expected [ROUNDS [PREFIX]], ROUNDS from 1 to %d\n", max_rounds);
        return 2;
    }
    must(gws_runtime_open(&(struct gws_options){.threads = 1}, &runtime), &where);
    gws_device_list(runtime, info, max_devices, &count);
    for (uint32_t i = 0; i < count && i < max_devices; i++)
        if (!info[i].unusable[0] && strncmp(info[i].address, prefix, strlen(prefix)) == 0)
            open_side(runtime, &info[i], &side[sides++]);
    for (uint32_t i = 0; i < sides; i++) time_own(&side[i]);
    for (uint32_t i = 0; i < sides; i++)
        if (side[i].groups > 1) time_messages(&side[i], &side[i]);
    time_pairs(side, sides);
    for (uint32_t i = 0; i < sides; i++) close_side(&side[i]);
    gws_runtime_close(runtime);
    if (sides == 0) printf("there is no device %s\n", prefix);
    return sides > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
