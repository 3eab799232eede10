/* SPDX-License-Identifier: MIT */
/* Records a tree of tasks for `gsim recorded`: a program's own tasks, with their times and their parents. The tasks are
 * the recursive calls of Fibonacci's function, with a loop as their work. */
#include <graphws/graphws.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void run(void *context, struct gws_task_worker *self, uint32_t worker, const void *task, uint32_t count)
{
    const uint64_t n = *(const uint64_t *)task;
    (void)context;
    (void)worker;
    (void)count; /* always 1: .batch below is not set */
    for (volatile uint64_t i = 0; i < 1000 * n; i++) {
    }
    for (uint64_t less = 1; less <= 2 && n >= 2; less++) gws_spawn(self, &(uint64_t){n - less});
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "tasks.txt";
    uint64_t root = argc > 2 ? strtoull(argv[2], NULL, 10) : 12, recorded = 0;
    struct gws_options options = {.policy = "chaselev"};
    struct gws_runtime *runtime = NULL;
    struct gws_diagnostic where = {0};
    struct gws_tasks tasks = {.bytes = sizeof root, .root = &root, .roots = 1, .run = run};
    gws_status status = gws_runtime_open(&options, &runtime);
    if (status == GWS_OK) status = gws_tasks_record(runtime, path, &where);
    if (status == GWS_OK) status = gws_tasks_run(runtime, &tasks);
    if (status == GWS_OK) status = gws_tasks_record_end(runtime, &recorded, &where);
    if (status == GWS_OK)
        printf("%" PRIu64 " tasks are in %s\n", recorded, path);
    else
        fprintf(stderr, "%s %s\n", gws_status_text(status), where.message);
    gws_runtime_close(runtime);
    return status != GWS_OK;
}
