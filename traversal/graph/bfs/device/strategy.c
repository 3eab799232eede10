/* SPDX-License-Identifier: MIT */
/* Chooses a search's strategy, its kernels, and the number and size of its groups. */
#include "state.h"

enum { gpu_group_size = 256, whole_group_size = 1024, cpu_group_size = 1, groups_a_unit = 4 };

/* Returns the number of free units. Groups of a CPU device share the cores with CPU workers. A group that spins on a
 * worker's core delays both. */
uint32_t gws__bfs_device_free_units(const struct gws_bfs_device *search)
{
    const struct gws_device_info *info = gws_device_describe(search->device);
    uint32_t left = gws_device_cores_left(search->device, gws_runtime_workers(search->runtime));
    if (left == 0) left = 1; /* there is always at least one group */
    return left < info->groups ? left : info->groups;
}

/* Chooses the number of groups. Reads over a bus need more groups, which keep enough requests in flight. */
static uint32_t choose_groups(const struct gws_bfs_device *search)
{
    const struct gws_device_info *info = gws_device_describe(search->device);
    bool gpu = info->type == GWS_DEVICE_GPU, host_resident = search->placement == GWS_PLACE_HOST;
    if (search->options.cpu && !(gpu && host_resident)) return gws__bfs_device_free_units(search);
    return gpu ? info->units * groups_a_unit : info->units;
}

/* Returns the strategy that the caller selects, or the default strategy. */
static enum gws_bfs_strategy resolve_strategy(const struct gws_bfs_device *search)
{
    if (search->options.strategy != GWS_BFS_STRATEGY_AUTO || search->placement == GWS_PLACE_HOST)
        return search->options.strategy; /* a later step resolves AUTO, which depends on whether the graph is a mesh */
    if (!search->options.cpu) return GWS_BFS_DEVICE;
    return gws_device_sharing(search->device, NULL).atomics ? GWS_BFS_SHARED : GWS_BFS_HANDOFF;
}

/* Returns the kernel that runs whole searches, or NULL if the search uses other kernels. */
static const struct gws__bfs_persistent *choose_kernel(struct gws_bfs_device *search)
{
    const struct gws_bfs_device_options *options = &search->options;
    bool gpu = gws_device_describe(search->device)->type == GWS_DEVICE_GPU;
    bool handoff = options->strategy == GWS_BFS_HANDOFF, requested = handoff || options->launch == GWS_BFS_PERSISTENT;
    if (search->placement == GWS_PLACE_HOST) return gws__bfs_mesh_host_supports(search) ? &gws__bfs_mesh : NULL;
    if (options->launch == GWS_BFS_PER_LEVEL || (handoff && search->work_queue != gws__bfs_chunked)) return NULL;
    if (!handoff && options->strategy != GWS_BFS_DEVICE) return NULL;
    if (options->launch == GWS_BFS_LAUNCH_AUTO && gws__bfs_mesh_supports(search)) return &gws__bfs_mesh;
    return (gpu || requested) && gws__bfs_whole_supports(search) ? &gws__bfs_whole : NULL;
}

void gws__bfs_device_choose_sizes(struct gws_bfs_device *search)
{
    const struct gws_device_info *info = gws_device_describe(search->device);
    struct gws_bfs_device_options *options = &search->options;
    bool gpu = info->type == GWS_DEVICE_GPU;
    options->strategy = resolve_strategy(search);
    search->kernel = choose_kernel(search);
    const uint32_t whole = info->warp > 1 ? whole_group_size : 1;
    if (options->group_size == 0) options->group_size = search->kernel ? whole : gpu ? gpu_group_size : cpu_group_size;
    while (options->group_size > info->max_group_size) options->group_size /= 2;
    if (options->groups == 0) options->groups = search->kernel ? info->groups : choose_groups(search);
    if (options->chunk == 0) options->chunk = gws_runtime_chunk(search->runtime);
    search->workers = options->groups + (options->cpu ? gws_runtime_workers(search->runtime) : 0);
}

/* Returns the reason why the strategy is impossible, or NULL if the strategy is possible. */
static const char *find_obstacle(const struct gws_bfs_device *search)
{
    const struct gws_bfs_device_options *options = &search->options;
    if (options->strategy == GWS_BFS_HOST_RESIDENT) return "the graph is not host-resident";
    if (options->cpu != (options->strategy != GWS_BFS_DEVICE))
        return "the strategy device requires that no CPU workers take part, and the others require CPU workers";
    if (options->strategy == GWS_BFS_DEVICE && options->launch == GWS_BFS_PERSISTENT && !search->kernel)
        return "the options or the device do not support a persistent kernel";
    if (options->strategy == GWS_BFS_SHARED && !gws_device_sharing(search->device, NULL).atomics)
        return "its atomics are not coherent with the host's, so deques cannot be shared";
    if (options->strategy == GWS_BFS_HANDOFF && !search->kernel)
        return "handoff requires the policy chunked and a persistent kernel, which the options or the device do not "
               "support";
    return NULL;
}

/* Sets the strategy. A persistent kernel on shared deques requires a core for each group and each CPU worker. */
gws_status gws__bfs_device_choose_strategy(struct gws_bfs_device *search, struct gws_diagnostic *where)
{
    const enum gws_bfs_strategy strategy = search->options.strategy;
    enum gws_bfs_launch *launch = &search->options.launch;
    if (search->placement == GWS_PLACE_HOST) {
        search->strategy = search->kernel ? &gws__bfs_device_mesh_at_host : &gws__bfs_device_from_host;
        return GWS_OK;
    }
    const char *why = find_obstacle(search);
    if (why)
        return gws_diagnostic_set(where, GWS_UNSUPPORTED, NULL, 0, 0, "policy %s on %s: %s",
                                  gws_runtime_policy(search->runtime), gws_device_describe(search->device)->address,
                                  why);
    bool persistent = search->kernel != NULL;
    if (strategy == GWS_BFS_SHARED) {
        persistent = *launch == GWS_BFS_PERSISTENT;
        if (*launch == GWS_BFS_LAUNCH_AUTO)
            persistent = gws_device_cores_left(search->device, gws_runtime_workers(search->runtime)) > 0;
    }
    *launch = persistent ? GWS_BFS_PERSISTENT : GWS_BFS_PER_LEVEL;
    const struct gws__bfs_strategy *const row[][2] = {
        [GWS_BFS_DEVICE] = {&gws__bfs_device_per_level, &gws__bfs_device_whole},
        [GWS_BFS_SHARED] = {&gws__bfs_shared, &gws__bfs_shared},
        [GWS_BFS_HANDOFF] = {NULL, &gws__bfs_device_handoff}};
    search->strategy = row[strategy][persistent];
    return GWS_OK;
}
