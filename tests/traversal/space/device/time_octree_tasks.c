/* SPDX-License-Identifier: MIT */
/* Times octrees by tasks on a device. Prints one line per case, with the minimum device time of several runs. The
 * program verifies trees of up to two million points. Operands: DEVICE, then any number of
 * POLICY,POINTS,GROUPS,SIZE,PIECE (0: chosen; PIECE all: as in the paper). The program fails if there is no such
 * device. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../../traversal/octree_device.h"

enum { repeats = 5, max_checked = 2000000 };

/* One case. */
struct time_case {
    char policy[16], points[32], piece[16];
    uint32_t groups, size;
};

/* Exits with a message unless status is GWS_OK. */
static void must(gws_status status, const struct gws_diagnostic *where)
{
    if (status == GWS_OK) return;
    printf("%s: %s\n", gws_status_text(status), where->message);
    exit(EXIT_FAILURE);
}

static void run_case(const char *address, const struct time_case *time_case)
{
    struct gws_diagnostic where = {0};
    struct gws_options policy = {.policy = time_case->policy};
    struct gws_octree_device_options options = {.tree = {.builder = GWS_OCTREE_BY_TASK, .leaf = 32}};
    struct gws_runtime *runtime = NULL;
    struct gws_device *device = NULL;
    struct gws_octree_device *builder = NULL;
    struct gws_points points = {0};
    struct gws_octree_device_stats stats = {0};
    double best = 0, flat = 0;
    options.groups = time_case->groups;
    options.group_size = time_case->size;
    options.piece = strcmp(time_case->piece, "all") == 0 ? UINT32_MAX : (uint32_t)strtoul(time_case->piece, NULL, 10);
    must(gws_runtime_open(&policy, &runtime), &where);
    must(gws_device_open(runtime, address, NULL, &device, &where), &where);
    must(gws_octree_device_open(runtime, device, &options, &builder, &where), &where);
    gws_octree_device_chosen(builder, &options);
    must(gws_points_generate(runtime, time_case->points, false, &points, &where), &where);
    for (int i = 0; i < repeats; i++) {
        struct gws_octree *tree = NULL;
        must(gws_octree_device_build(builder, &points, &tree, &where), &where);
        gws_octree_device_stats(builder, &stats);
        if (i == 0 && points.count <= max_checked) must(gws_octree_check(runtime, &points, tree, &where), &where);
        if (best == 0 || stats.ms < best) best = stats.ms;
        flat = tree->stats.flatten_ms;
        gws_octree_destroy(tree);
    }
    printf("%-7s %-14s %5" PRIu32 " x %3" PRIu32 " piece %10" PRIu32 "  %8.3f ms  %7.1f tasks/ms  tasks %" PRIu64
           " steals %" PRIu64 " failed %" PRIu64 " high %" PRIu64 " rounds %" PRIu64 "  up %.1f down %.1f flat %.1f\n",
           time_case->policy, time_case->points, options.groups, options.group_size, options.piece, best,
           (double)stats.device.run / best, stats.device.run, stats.device.steals, stats.device.failed,
           stats.high_water, stats.rounds, stats.upload_ms, stats.download_ms, flat);
    fflush(stdout);
    gws_points_clear(&points);
    gws_octree_device_close(builder);
    gws_device_close(device);
    gws_runtime_close(runtime);
}

int main(int argc, char **argv)
{
    static const char *const usual[] = {"abp,uniform:1M,0,0,0", "chunked,uniform:1M,0,0,0", "static,uniform:1M,0,0,0"};
    const char *address = argc > 1 ? argv[1] : getenv("GWS_TEST_DEVICE") ? getenv("GWS_TEST_DEVICE") : "opencl";
    int count = argc > 2 ? argc - 2 : (int)(sizeof usual / sizeof *usual);
    for (int i = 0; i < count; i++) {
        struct time_case time_case;
        const char *text = argc > 2 ? argv[i + 2] : usual[i];
        if (sscanf(text, "%15[^,],%31[^,],%" SCNu32 ",%" SCNu32 ",%15s", time_case.policy, time_case.points,
                   &time_case.groups, &time_case.size, time_case.piece) != 5) {
            fprintf(stderr, "time_octree_tasks: '%s' is no POLICY,POINTS,GROUPS,SIZE,PIECE\n", text);
            return 2;
        }
        run_case(address, &time_case);
    }
    return 0;
}
