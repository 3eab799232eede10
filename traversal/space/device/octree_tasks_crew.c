/* SPDX-License-Identifier: MIT */
/* CPU workers of octrees by tasks: the runtime's workers play them, a task of one loop each; nobody waits for another
 * in it, so it does no harm if one plays several. */
#include "octree_tasks_worker.h"

#include "../../../lib/parallel.h"

static void play(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws__octree_crew *crew = context;
    (void)worker;
    for (uint64_t i = begin; i < end; i++) {
        uint32_t self = crew->first + (uint32_t)i;
        if (i == 0)
            crew->calls->keep(&crew->place, self, crew->keeper);
        else
            crew->calls->work(&crew->place, self);
    }
}

void gws__octree_crew_run(struct gws_runtime *runtime, struct gws__octree_crew *crew)
{
    struct gws_loop loop = {
        .count = crew->threads, .chunk = 1, .grain = 1, .body = play, .context = crew, .aside = true};
    gws_parallel_run(runtime, &loop);
}

bool gws__octree_patient(struct gws__octree_patience *patience, const struct gws_device *device, bool first,
                         uint64_t placed)
{
    double now = gws_clock_ms();
    if (first || placed != patience->placed) patience->until_ms = now + gws_device_limit_ms(device);
    patience->placed = placed;
    return now < patience->until_ms;
}
