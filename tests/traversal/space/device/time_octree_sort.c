/* SPDX-License-Identifier: MIT */
/* Times the kernels of octrees by sorting on a CUDA device. Prints the time of each kernel, its minimum memory
 * traffic, and the time of that traffic at the device's copy rate. The program waits for each command and subtracts
 * the overhead of launching and waiting. The last line has the time of the whole build, without waits between
 * commands. Operands: DEVICE, then point sets, from the generators or "equal", "clusters", "line", "diagonal" and
 * "outlier" (:N as for generators). The program verifies trees of up to two million points. It fails if there is no
 * such device. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../../lib/device/kind.h"
#include "../../../../lib/random.h"
#include "../../../../traversal/octree_device.h"

enum { repeats = 7, max_checked = 2000000, max_kernels = 32, max_runs = 64 };

/* Bytes per second of copies on an H200. The data sheet has 4.8e12. */
static const double rate = 4.2e12;

/* ---- timed commands ---- */

struct timed_kernel {
    char name[32];
    uint32_t launches;
    double ms[repeats * max_runs];
};

/* State of the hooks, as the hooks have no argument for state. */
static struct {
    const struct gws_device_calls *calls;
    struct timed_kernel kernel[max_kernels];
    uint32_t kernels;
    double overhead_ms; /* launching and waiting for an almost empty command */
} recorded;

static void must(gws_status status, const struct gws_diagnostic *where)
{
    if (status == GWS_OK) return;
    printf("%s: %s\n", gws_status_text(status), where->message);
    exit(EXIT_FAILURE);
}

static void record(const char *name, double ms)
{
    uint32_t k = 0;
    while (k < recorded.kernels && strcmp(recorded.kernel[k].name, name) != 0) k++;
    if (k == max_kernels) return;
    if (k == recorded.kernels)
        snprintf(recorded.kernel[recorded.kernels++].name, sizeof recorded.kernel[k].name, "%s", name);
    struct timed_kernel *kernel = &recorded.kernel[k];
    if (kernel->launches < repeats * max_runs) kernel->ms[kernel->launches++] = ms - recorded.overhead_ms;
}

static gws_status timed_run(struct gws_stream *stream, const struct gws_device_launch *launch,
                            struct gws_diagnostic *where)
{
    double begin = gws_clock_ms();
    gws_status status = recorded.calls->run(stream, launch, where);
    if (status == GWS_OK) status = gws__stream_wait(stream, where);
    record(launch->kernel, gws_clock_ms() - begin);
    return status;
}

static gws_status timed_fill(struct gws_stream *stream, struct gws_device_buffer *buffer, uint64_t first, uint32_t word,
                             uint64_t count, struct gws_diagnostic *where)
{
    double begin = gws_clock_ms();
    gws_status status = recorded.calls->fill(stream, buffer, first, word, count, where);
    if (status == GWS_OK) status = gws__stream_wait(stream, where);
    record("fill", gws_clock_ms() - begin);
    return status;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *ms, uint32_t count)
{
    qsort(ms, count, sizeof *ms, by_size);
    return count ? ms[count / 2] : 0;
}

/* ---- points ---- */

static double draw(uint64_t i, int axis)
{
    return (double)(gws_random_at(7, 3 * i + (uint64_t)axis) >> 11) * 0x1p-53;
}

/* The coordinate of point i of n. */
static float coordinate(const char *name, uint64_t i, uint64_t n, int axis)
{
    if (strcmp(name, "equal") == 0) return 0.1F * (float)(axis + 1);
    if (strcmp(name, "clusters") == 0)
        return (float)(i < 2 ? (double)i : i % 2 ? 0x1p-20 : 0x1p-20 + 0x1p-40 * (axis + 1));
    if (strcmp(name, "line") == 0) return axis == 1 ? (float)i / (float)n : 0.5F;
    if (strcmp(name, "diagonal") == 0) return (float)(n - i) / (float)n;
    return (float)(i == n / 2 ? 10000.0 * (axis + 1) : draw(i, axis));
}

static bool is_made_here(const char *name)
{
    static const char *const names[] = {"equal", "clusters", "line", "diagonal", "outlier"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0) return true;
    return false;
}

static struct gws_points make_points(struct gws_runtime *runtime, const char *text)
{
    struct gws_points points = {0};
    struct gws_diagnostic where = {0};
    char name[16], unit = 0;
    uint64_t n = 0;
    if (sscanf(text, "%15[^:]:%" SCNu64 "%c", name, &n, &unit) < 2 || !is_made_here(name)) {
        must(gws_points_generate(runtime, text, false, &points, &where), &where);
        return points;
    }
    n *= unit == 'M' ? 1000000 : unit == 'k' ? 1000 : 1;
    char of_that_size[32];
    snprintf(of_that_size, sizeof of_that_size, "uniform:%" PRIu64, n);
    must(gws_points_generate(runtime, of_that_size, false, &points, &where), &where);
    float *axis[3] = {points.x, points.y, points.z};
    for (int a = 0; a < 3; a++)
        for (uint64_t i = 0; i < n; i++) axis[a][i] = coordinate(name, i, n, a);
    return points;
}

/* ---- the report ---- */

/* The minimum memory traffic of a kernel, in bytes per point, leaf and node. See kernels/cuda/octree_sort.cu. */
static const struct {
    const char *kernel;
    double point, leaf, node;
} minimum_traffic[] = {
    {"octree_extent_float", 12, 0, 0}, {"octree_sample_float", 28.0 / 32, 0, 0}, {"octree_scatter_float", 28, 0, 0},
    {"octree_group_float", 28, 0, 0},  {"octree_scatter_groups", 32, 0, 0},      {"octree_one_pass", 20, 16, 0},
    {"octree_nodes", 0, 24, 48},
};

static bool is_of(const char *kernel, const char *name)
{
    return strncmp(kernel, name, strlen(name)) == 0;
}

/* Returns the minimum bytes of kernel k. Kernels with a common prefix share their work, and the first of these kernels
 * has the bytes. */
static double minimum_bytes(uint32_t k, const struct gws_octree *tree)
{
    for (size_t i = 0; i < sizeof minimum_traffic / sizeof *minimum_traffic; i++) {
        if (!is_of(recorded.kernel[k].name, minimum_traffic[i].kernel)) continue;
        for (uint32_t before = 0; before < k; before++)
            if (is_of(recorded.kernel[before].name, minimum_traffic[i].kernel)) return 0;
        return minimum_traffic[i].point * (double)tree->points + minimum_traffic[i].leaf * (double)tree->leaves +
               minimum_traffic[i].node * (double)tree->nodes;
    }
    return 0;
}

static void report(const char *points, const struct gws_octree *tree, double whole_ms)
{
    double ms = 0, bytes = 0;
    printf("%s: %" PRIu64 " nodes, %" PRIu64 " leaves, depth %" PRIu32 ", %" PRIu64 " buckets\n", points, tree->nodes,
           tree->leaves, tree->depth, tree->stats.tasks);
    for (uint32_t k = 0; k < recorded.kernels; k++) {
        struct timed_kernel *kernel = &recorded.kernel[k];
        double took = median(kernel->ms, kernel->launches), traffic = minimum_bytes(k, tree);
        double launches = (double)kernel->launches / repeats;
        printf("  %-22s %5.1f x %7.1f us  %7.1f MB, floor %6.1f us\n", kernel->name, launches, 1e3 * took,
               traffic / 1e6, 1e6 * traffic / rate);
        ms += launches * took;
        bytes += traffic;
    }
    printf("  %-22s         %7.1f us  %7.1f MB, floor %6.1f us\n", "together", 1e3 * ms, bytes / 1e6,
           1e6 * bytes / rate);
    printf("  %-22s         %7.1f us\n", "the whole build", 1e3 * whole_ms);
    fflush(stdout);
}

/* ---- */

static struct gws_octree *build(struct gws_octree_device *builder, const struct gws_points *points)
{
    struct gws_octree *tree = NULL;
    struct gws_diagnostic where = {0};
    must(gws_octree_device_build(builder, points, &tree, &where), &where);
    return tree;
}

static double time_whole(struct gws_octree_device *builder, const struct gws_points *points)
{
    double ms[repeats];
    for (int i = 0; i < repeats; i++) {
        struct gws_octree *tree = build(builder, points);
        ms[i] = tree->stats.ms;
        gws_octree_destroy(tree);
    }
    return median(ms, repeats);
}

static void time_overhead(struct gws_device *device)
{
    double ms[max_runs];
    struct gws_device_buffer *buffer = NULL;
    struct gws_diagnostic where = {0};
    must(gws_device_buffer_new(device, 4, &buffer, &where), &where);
    for (int i = 0; i < max_runs; i++) {
        double begin = gws_clock_ms();
        must(gws_device_fill(buffer, 0, 0, 1, &where), &where);
        must(gws_device_wait(device, &where), &where);
        ms[i] = gws_clock_ms() - begin;
    }
    recorded.overhead_ms = median(ms, max_runs);
    gws_device_buffer_free(buffer);
}

static void time_points(struct gws_runtime *runtime, struct gws_device *device, const char *text)
{
    struct gws_diagnostic where = {0};
    struct gws_octree_device_options options = {.tree = {.builder = GWS_OCTREE_SORT, .leaf = 32}};
    struct gws_octree_device *builder = NULL;
    struct gws_points points = make_points(runtime, text);
    must(gws_octree_device_open(runtime, device, &options, &builder, &where), &where);
    struct gws_octree *tree = build(builder, &points);
    if (points.count <= max_checked) must(gws_octree_check(runtime, &points, tree, &where), &where);
    double whole = time_whole(builder, &points);
    struct gws_device_calls timing = *device->call;
    recorded.calls = device->call;
    recorded.kernels = 0;
    memset(recorded.kernel, 0, sizeof recorded.kernel);
    timing.run = timed_run;
    timing.fill = timed_fill;
    device->call = &timing;
    for (int i = 0; i < repeats; i++) gws_octree_destroy(build(builder, &points));
    device->call = recorded.calls;
    report(text, tree, whole);
    gws_octree_destroy(tree);
    gws_points_clear(&points);
    gws_octree_device_close(builder);
}

int main(int argc, char **argv)
{
    static const char *const usual[] = {"uniform:1M", "plummer:1M"};
    const char *address = argc > 1 ? argv[1] : "cuda";
    int count = argc > 2 ? argc - 2 : (int)(sizeof usual / sizeof *usual);
    struct gws_diagnostic where = {0};
    struct gws_runtime *runtime = NULL;
    struct gws_device *device = NULL;
    must(gws_runtime_open(NULL, &runtime), &where);
    must(gws_device_open(runtime, address, NULL, &device, &where), &where);
    time_overhead(device);
    for (int i = 0; i < count; i++) time_points(runtime, device, argc > 2 ? argv[i + 2] : usual[i]);
    gws_device_close(device);
    gws_runtime_close(runtime);
    return 0;
}
