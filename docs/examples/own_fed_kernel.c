/* SPDX-License-Identifier: MIT */
/* A kernel that the host feeds: own_fed_kernel [DEVICE [IMAGE]] counts primes with primes.cl, in blocks of 1,000
 * numbers. OpenCL compiles the text; for CUDA, IMAGE is what nvcc made of it. */
#include <graphws/graphws.h>
#include <stdio.h>

enum { blocks = 100, max_bytes = 1 << 22 };

/* Writes the blocks, then a task for each group that ends it. context: the numbers of the next task and of all. */
static uint64_t next(void *context, uint32_t queue, uint64_t *task, uint64_t max)
{
    uint64_t *from = context, count = 0;
    (void)queue; /* always 0: there is one */
    for (; count < max && from[0] < from[1]; from[0]++)
        task[count++] = from[0] < blocks ? from[0] : GWS_HOST_QUEUE_HALT;
    return count;
}

static uint64_t read_file(const char *name, char *text)
{
    FILE *in = fopen(name, "rb");
    uint64_t bytes = in ? fread(text, 1, max_bytes - 1, in) : 0;
    if (in) fclose(in);
    return bytes;
}

int main(int argc, char **argv)
{
    static char text[max_bytes], image[max_bytes];
    const char *part[GWS_HOST_QUEUE_PARTS];
    struct gws_device_source source = {.part = part, .parts = gws_host_queue_source(text, part), .image = image};
    struct gws_device_argument argument[GWS_HOST_QUEUE_ARGUMENTS + 1];
    struct gws_device_launch launch = {.kernel = "count_primes", .resident = true, .argument = argument};
    struct gws_diagnostic where = {0};
    struct gws_runtime *runtime = NULL;
    struct gws_device *device = NULL;
    struct gws_host_queue *queue = NULL;
    struct gws_device_buffer *found = NULL;
    uint32_t primes = 0;
    source.image_bytes = argc > 2 ? read_file(argv[2], image) : 0;
    gws_status status = read_file("primes.cl", text) > 0 ? gws_runtime_open(NULL, &runtime) : GWS_SYSTEM;
    if (status == GWS_OK) status = gws_device_open(runtime, argc > 1 ? argv[1] : "opencl", NULL, &device, &where);
    if (status == GWS_OK) status = gws_device_program_build(device, &source, &launch.program, &where);
    if (status == GWS_OK) status = gws_device_buffer_new(device, sizeof primes, &found, &where);
    if (status == GWS_OK) status = gws_host_queue_open(runtime, device, 64, &queue, &where);
    if (status == GWS_OK) status = gws_device_fill(found, 0, 0, 1, &where);
    if (status == GWS_OK) {
        const bool gpu = gws_device_describe(device)->type == GWS_DEVICE_GPU;
        launch.groups = gpu ? gws_device_describe(device)->groups : 1;
        launch.group_size = gpu ? 128 : 1;
        launch.arguments = GWS_HOST_QUEUE_ARGUMENTS + 1;
        gws_host_queue_arguments(queue, argument);
        argument[GWS_HOST_QUEUE_ARGUMENTS] = (struct gws_device_argument){.buffer = found};
        status = gws_device_run(device, &launch, &where); /* starts the kernel and returns */
    }
    uint64_t tasks[] = {0, blocks + launch.groups};
    if (status == GWS_OK) status = gws_host_queue_serve(&queue, 1, next, tasks, true, &where);
    if (status == GWS_OK) status = gws_device_read(found, 0, &primes, sizeof primes, &where);
    if (status == GWS_OK) printf("%u primes below %d\n", primes, 1000 * blocks);
    if (status != GWS_OK) fprintf(stderr, "%s\n", *where.message ? where.message : gws_status_text(status));
    gws_device_program_free(launch.program);
    gws_device_buffer_free(found);
    gws_host_queue_close(queue);
    gws_device_close(device);
    gws_runtime_close(runtime);
    return status != GWS_OK;
}
