/* SPDX-License-Identifier: MIT */
/* A kernel of your own: own_kernel [DEVICE [IMAGE]] finds the longest Collatz chain from a number below a million with
 * collatz.cl. OpenCL compiles the text; for CUDA, IMAGE is what nvcc made of it. */
#include <graphws/graphws.h>
#include <stdio.h>

enum { below = 1000000, max_bytes = 1 << 20 };

static uint64_t read_file(const char *name, char *text)
{
    FILE *in = fopen(name, "rb");
    uint64_t bytes = in ? fread(text, 1, max_bytes - 1, in) : 0;
    if (in) fclose(in);
    return bytes;
}

/* Runs the kernel on every compute unit and reads the word that it wrote. */
static gws_status run(struct gws_device *device, const struct gws_device_source *source, uint32_t *longest,
                      struct gws_diagnostic *where)
{
    const struct gws_device_info *info = gws_device_describe(device);
    const uint64_t limit = below, size = info->max_group_size < 256 ? info->max_group_size : 256;
    struct gws_device_argument argument[2] = {{.value = &limit, .bytes = sizeof limit}};
    struct gws_device_launch launch = {.kernel = "longest_chain", .argument = argument, .arguments = 2};
    launch.groups = 8 * (uint64_t)info->units;
    launch.group_size = size;
    gws_status status = gws_device_program_build(device, source, &launch.program, where);
    if (status == GWS_OK) status = gws_device_buffer_new(device, sizeof *longest, &argument[1].buffer, where);
    if (status == GWS_OK) status = gws_device_fill(argument[1].buffer, 0, 0, 1, where);
    if (status == GWS_OK) status = gws_device_run(device, &launch, where); /* returns at once; the read waits */
    if (status == GWS_OK) status = gws_device_read(argument[1].buffer, 0, longest, sizeof *longest, where);
    gws_device_buffer_free(argument[1].buffer);
    gws_device_program_free(launch.program);
    return status;
}

int main(int argc, char **argv)
{
    static char text[max_bytes], image[max_bytes];
    const char *part[] = {text};
    struct gws_device_source source = {.name = "collatz.cl", .part = part, .parts = 1, .image = image};
    struct gws_diagnostic where = {0};
    struct gws_runtime *runtime = NULL;
    struct gws_device *device = NULL;
    uint32_t longest = 0;
    source.image_bytes = argc > 2 ? read_file(argv[2], image) : 0;
    gws_status status = read_file("collatz.cl", text) > 0 ? gws_runtime_open(NULL, &runtime) : GWS_SYSTEM;
    if (status == GWS_OK) status = gws_device_open(runtime, argc > 1 ? argv[1] : "opencl", NULL, &device, &where);
    if (status == GWS_OK) status = run(device, &source, &longest, &where);
    if (status == GWS_OK) printf("the longest chain below %d has %u steps\n", below, longest);
    if (status != GWS_OK) fprintf(stderr, "%s\n", *where.message ? where.message : gws_status_text(status));
    gws_device_close(device);
    gws_runtime_close(runtime);
    return status != GWS_OK;
}
