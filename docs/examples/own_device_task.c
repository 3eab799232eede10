/* SPDX-License-Identifier: MIT */
/* Tasks of your own on a device: own_device_task [SIZE [DEVICE [IMAGE]]] places queens with queens.cl. OpenCL compiles
 * the text; for CUDA, IMAGE is what nvcc made of it. */
#include <graphws/graphws.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Reads a file of less than 4 MiB and appends a zero. */
static char *read_file(const char *name, uint64_t *bytes)
{
    FILE *in = fopen(name, "rb");
    char *text = calloc(1 << 22, 1);
    if (in && text) *bytes = fread(text, 1, (1 << 22) - 1, in);
    if (in) fclose(in);
    return text;
}

static gws_status place(struct gws_runtime *runtime, struct gws_device *device, const struct gws_device_source *source,
                        uint32_t size, struct gws_device_tasks_result *result, struct gws_diagnostic *where)
{
    const struct gws_device_tasks_options options = {.length = 3};
    const uint32_t all = (UINT32_C(1) << size) - 1, empty[] = {0, 0, 0, size}; /* the empty board has size children */
    struct gws_device_task_roots roots = {.task = empty, .count = 1};
    struct gws_device_tasks *tasks = NULL;
    gws_status status = gws_device_buffer_new(device, sizeof all, &roots.data, where);
    if (status == GWS_OK) status = gws_device_write(roots.data, 0, &all, sizeof all, where);
    if (status == GWS_OK) status = gws_device_tasks_open(runtime, device, source, &options, &tasks, where);
    if (status == GWS_OK) status = gws_device_tasks_run(tasks, &roots, result, where);
    gws_device_tasks_close(tasks);
    gws_device_buffer_free(roots.data);
    return status;
}

int main(int argc, char **argv)
{
    const uint32_t size = argc > 1 ? (uint32_t)atoi(argv[1]) % 31 : 10;
    const char *part[GWS_DEVICE_TASK_PARTS];
    struct gws_device_source source = {.name = "queens.cl", .part = part};
    struct gws_device_tasks_result result;
    struct gws_diagnostic where = {0};
    struct gws_runtime *runtime = NULL;
    struct gws_device *device = NULL;
    uint64_t bytes = 0;
    char *text = read_file("queens.cl", &bytes), *image = argc > 3 ? read_file(argv[3], &source.image_bytes) : NULL;
    source.parts = gws_device_tasks_source(text, part);
    source.image = image;
    gws_status status = text && bytes > 0 ? gws_runtime_open(NULL, &runtime) : GWS_SYSTEM;
    if (status == GWS_OK) status = gws_device_open(runtime, argc > 2 ? argv[2] : "opencl", NULL, &device, &where);
    if (status == GWS_OK) status = place(runtime, device, &source, size, &result, &where);
    if (status == GWS_OK) printf("%" PRIu32 " queens stand in %" PRIu64 " ways\n", size, result.sum[0]);
    if (status != GWS_OK) fprintf(stderr, "%s\n", *where.message ? where.message : gws_status_text(status));
    gws_device_close(device);
    gws_runtime_close(runtime);
    free(text);
    free(image);
    return status != GWS_OK;
}
