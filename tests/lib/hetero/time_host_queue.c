/* SPDX-License-Identifier: MIT */
/* Times host queues (Chen, Villa, Krishnamoorthy, Gao, IPDPS 2010, sections 5.2 and 6.3.1). Operands: DEVICE, and the
 * number of tasks of a run. Prints a JSON object a line:
 *
 *   enqueue    ns of gws_host_queue_enqueue() by the tasks of a call, without a kernel
 *   dequeue    ns a task of a kernel that only takes tasks, all of which are in the queue before, by its groups
 *   serve      the same with a host that fills the queue while the kernel runs, by the queue's capacity
 *   schedule   ms for tasks of `rounds` rounds on all items of a group
 *
 * Schedules are the fed queue, the hardware (one kernel with a group for each task), and chunks (a kernel for as many
 * tasks as groups run at the same time). Some tasks are idle: patterns P0 to P4 of traversal/md.h.
 *
 * Times are minima of several runs, from the launch to the end of the kernel. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../kernels/kernels.h"
#include "../../../lib/host_queue.h"
#include "../../../lib/parallel.h"

enum { repeats = 5, arguments = GWS_HOST_QUEUE_ARGUMENTS + 1, patterns = 5, usual_capacity = 1024 };

extern const struct gws__kernel_program gws__test_programs[];

static struct {
    struct gws_runtime *runtime;
    struct gws_device *device;
    struct gws_device_program *program;
    struct gws_device_buffer *never, *list; /* list: the tasks, for the hardware's scheduler */
    uint64_t groups, group_size;            /* groups that run at the same time */
    uint64_t tasks, *task;                  /* of a run */
} price;

/* Ends the program on an error. */
static void must(gws_status status, const struct gws_diagnostic *where)
{
    if (status == GWS_OK) return;
    fprintf(stderr, "time_host_queue: %s: %s\n", gws_status_text(status), where->message);
    exit(EXIT_FAILURE);
}

static void wait_for_kernels(void)
{
    struct gws_diagnostic where = {0};
    must(gws_device_wait(price.device, &where), &where);
}

static struct gws_device_launch launch_of(const char *kernel, uint64_t groups,
                                          const struct gws_device_argument *argument, uint32_t count)
{
    return (struct gws_device_launch){.program = price.program,
                                      .kernel = kernel,
                                      .groups = groups,
                                      .group_size = price.group_size,
                                      .argument = argument,
                                      .arguments = count};
}

static void run_kernel(const struct gws_device_launch *launch)
{
    struct gws_diagnostic where = {0};
    must(gws_device_run(price.device, launch, &where), &where);
}

/* ---- the queue ---- */

static struct gws_host_queue *open_queue(uint64_t capacity)
{
    struct gws_host_queue *queue = NULL;
    struct gws_diagnostic where = {0};
    must(gws_host_queue_open(price.runtime, price.device, capacity, &queue, &where), &where);
    return queue;
}

/* Starts the kernel that takes tasks. */
static void take_tasks(const struct gws_host_queue *queue, uint64_t groups)
{
    struct gws_device_argument argument[arguments] = {[GWS_HOST_QUEUE_ARGUMENTS] = {.buffer = price.never}};
    gws_host_queue_arguments(queue, argument);
    struct gws_device_launch launch = launch_of("price_queue", groups, argument, arguments);
    launch.resident = true;
    run_kernel(&launch);
}

/* Returns whether a task has work in the pattern of enum gws_md_pattern (traversal/md.h). */
static bool has_work(uint64_t task, uint32_t pattern)
{
    const bool has[patterns] = {true, task % 4 != 3, task % 2 == 0, task < price.tasks / 2, task % 4 == 0};
    return has[pattern];
}

static void make_tasks(uint64_t rounds, uint32_t pattern)
{
    for (uint64_t i = 0; i < price.tasks; i++) price.task[i] = has_work(i, pattern) ? rounds : 0;
}

/* Writes the tasks, then one for each group that ends it. context: the number of the next one. */
static uint64_t next(void *context, uint32_t number, uint64_t *task, uint64_t max)
{
    uint64_t *from = context, count = 0;
    (void)number;
    for (; count < max && *from < price.tasks + price.groups; count++, ++*from)
        task[count] = *from < price.tasks ? price.task[*from] : GWS_HOST_QUEUE_HALT;
    return count;
}

static double serve_ms(struct gws_host_queue *queue)
{
    struct gws_diagnostic where = {0};
    uint64_t sent = 0;
    const double began = gws_clock_ms();
    take_tasks(queue, price.groups);
    must(gws_host_queue_serve(&queue, 1, next, &sent, false, &where), &where);
    return gws_clock_ms() - began;
}

/* ---- enqueue and dequeue ---- */

static void time_enqueue(uint64_t batch)
{
    enum { capacity = 1 << 16 };
    struct gws_host_queue *queue = open_queue(capacity);
    uint64_t task[256] = {0}, calls = capacity / batch;
    double best = 0;
    for (int run = 0; run < repeats; run++) {
        struct gws_diagnostic where = {0};
        must(gws_host_queue_reset(queue, &where), &where);
        const double began = gws_clock_ms();
        for (uint64_t i = 0; i < calls; i++) (void)gws_host_queue_enqueue(queue, task, batch);
        const double ns = (gws_clock_ms() - began) * 1e6 / (double)calls;
        if (run == 0 || ns < best) best = ns;
    }
    printf("{\"what\": \"enqueue\", \"batch\": %" PRIu64 ", \"ns\": %.4g, \"ns_a_task\": %.4g}\n", batch, best,
           best / (double)batch);
    gws_host_queue_close(queue);
}

static void time_dequeue(uint64_t groups)
{
    struct gws_host_queue *queue = open_queue(price.tasks + groups);
    const uint64_t halt = GWS_HOST_QUEUE_HALT;
    double best = 0;
    make_tasks(0, 0);
    for (int run = 0; run < repeats; run++) {
        struct gws_diagnostic where = {0};
        must(gws_host_queue_reset(queue, &where), &where);
        (void)gws_host_queue_enqueue(queue, price.task, price.tasks);
        for (uint64_t i = 0; i < groups; i++) (void)gws_host_queue_enqueue(queue, &halt, 1);
        wait_for_kernels();
        const double began = gws_clock_ms();
        take_tasks(queue, groups);
        wait_for_kernels();
        const double ns = (gws_clock_ms() - began) * 1e6 / (double)price.tasks;
        if (run == 0 || ns < best) best = ns;
    }
    printf("{\"what\": \"dequeue\", \"groups\": %" PRIu64 ", \"ns_a_task\": %.4g}\n", groups, best);
    gws_host_queue_close(queue);
}

static void time_serve(uint64_t capacity)
{
    struct gws_host_queue *queue = open_queue(capacity);
    double best = 0;
    make_tasks(0, 0);
    for (int run = 0; run < repeats; run++) {
        const double ns = serve_ms(queue) * 1e6 / (double)price.tasks;
        if (run == 0 || ns < best) best = ns;
    }
    printf("{\"what\": \"serve\", \"capacity\": %" PRIu64 ", \"ns_a_task\": %.4g}\n", capacity, best);
    gws_host_queue_close(queue);
}

/* ---- schedules ---- */

/* Launches a group for each task, `chunk` groups a launch; each launch but the first waits for the one before. */
static double groups_ms(uint64_t chunk)
{
    const double began = gws_clock_ms();
    for (uint64_t first = 0; first < price.tasks; first += chunk) {
        const uint64_t groups = price.tasks - first < chunk ? price.tasks - first : chunk;
        const struct gws_device_argument argument[] = {
            {.buffer = price.list}, {.value = &first, .bytes = sizeof first}, {.buffer = price.never}};
        const struct gws_device_launch launch = launch_of("price_groups", groups, argument, 3);
        if (first > 0) wait_for_kernels();
        run_kernel(&launch);
    }
    wait_for_kernels();
    return gws_clock_ms() - began;
}

static void time_schedules(uint64_t rounds, uint32_t pattern)
{
    struct gws_host_queue *queue = open_queue(usual_capacity);
    struct gws_diagnostic where = {0};
    double best[3] = {0};
    make_tasks(rounds, pattern);
    must(gws_device_write(price.list, 0, price.task, price.tasks * sizeof *price.task, &where), &where);
    wait_for_kernels();
    for (int run = 0; run < repeats; run++) {
        const double ms[3] = {serve_ms(queue), groups_ms(price.tasks), groups_ms(price.groups)};
        for (int i = 0; i < 3; i++)
            if (run == 0 || ms[i] < best[i]) best[i] = ms[i];
    }
    printf("{\"what\": \"schedule\", \"rounds\": %" PRIu64 ", \"pattern\": \"P%" PRIu32 "\", \"tasks\": %" PRIu64
           ", \"groups\": %" PRIu64 ", \"fed_ms\": %.5g, \"hardware_ms\": %.5g, \"chunks_ms\": %.5g}\n",
           rounds, pattern, price.tasks, price.groups, best[0], best[1], best[2]);
    fflush(stdout);
    gws_host_queue_close(queue);
}

/* ---- the program ---- */

static void build(void)
{
    const struct gws__kernel_program *program = gws__test_programs;
    struct gws_diagnostic where = {0};
    char options[32];
    while (strcmp(program->name, "time_host_queue") != 0) program++;
    snprintf(options, sizeof options, "-DGWS_GROUP_SIZE=%" PRIu64, price.group_size);
    const struct gws_device_source source = {.name = program->name,
                                             .part = program->part,
                                             .parts = program->parts,
                                             .options = options,
                                             .image = program->image,
                                             .image_bytes = program->image_bytes};
    must(gws_device_program_build(price.device, &source, &price.program, &where), &where);
}

static void open_all(const char *address, const char *tasks)
{
    struct gws_diagnostic where = {0};
    must(gws_runtime_open(NULL, &price.runtime), &where);
    must(gws_device_open(price.runtime, address, NULL, &price.device, &where), &where);
    const bool gpu = gws_device_describe(price.device)->type == GWS_DEVICE_GPU;
    price.group_size = gpu ? 128 : 1;
    price.tasks = tasks ? strtoull(tasks, NULL, 10) : gpu ? 100000 : 1000;
    if (price.tasks == 0) price.tasks = 1;
    build();
    const struct gws_device_launch launch = launch_of("price_queue", 0, NULL, 0);
    must(gws_device_resident(price.device, &launch, &price.groups, &where), &where);
    if (!gpu) price.groups = 1; /* a CPU device's groups compete with the thread that feeds them */
    must(gws_device_buffer_new(price.device, sizeof(uint32_t), &price.never, &where), &where);
    must(gws_device_buffer_new(price.device, price.tasks * sizeof *price.task, &price.list, &where), &where);
    price.task = calloc(price.tasks, sizeof *price.task);
    if (!price.task) exit(EXIT_FAILURE);
}

static void close_all(void)
{
    free(price.task);
    gws_device_buffer_free(price.list);
    gws_device_buffer_free(price.never);
    gws_device_program_free(price.program);
    gws_device_close(price.device);
    gws_runtime_close(price.runtime);
}

int main(int argc, char **argv)
{
    static const uint64_t batch[] = {1, 4, 20, 64, 120, 256}, capacity[] = {20, 64, 256, 1024, 4096};
    static const uint64_t rounds[] = {0, 100, 1000, 10000};
    open_all(argc > 1 ? argv[1] : "opencl", argc > 2 ? argv[2] : NULL);
    for (uint32_t i = 0; i < sizeof batch / sizeof *batch; i++) time_enqueue(batch[i]);
    for (uint64_t groups = price.groups; groups > 0; groups = groups > 16 ? groups / 4 : 0) time_dequeue(groups);
    for (uint32_t i = 0; i < sizeof capacity / sizeof *capacity; i++) time_serve(capacity[i]);
    for (uint32_t i = 0; i < sizeof rounds / sizeof *rounds; i++)
        for (uint32_t pattern = 0; pattern < patterns; pattern++) time_schedules(rounds[i], pattern);
    close_all();
    return EXIT_SUCCESS;
}
