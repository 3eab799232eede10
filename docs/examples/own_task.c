/* SPDX-License-Identifier: MIT */
/* Tasks of your own: the number of ways to place N queens on an N by N board so that none attacks another. A task is a
 * board whose first rows are filled; run() fills the next row and spawns a task for each safe square. */
#include <graphws/graphws.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct board {
    uint32_t columns, left, right; /* bits: occupied columns, and columns that diagonals attack in this row */
};

/* Each worker has its own counter on its own cache line. */
struct queens_counter {
    _Alignas(64) uint64_t found;
};

struct problem {
    uint32_t all; /* a bit for each column */
    struct queens_counter *count;
};

static void run(void *context, struct gws_task_worker *self, uint32_t worker, const void *task, uint32_t count)
{
    const struct problem *problem = context;
    const struct board *board = task;
    (void)count; /* always 1: .batch below is not set */
    if (board->columns == problem->all) problem->count[worker].found++;
    uint32_t open = problem->all & ~(board->columns | board->left | board->right);
    for (uint32_t queen; open; open ^= queen) {
        queen = open & -open;
        struct board next = {board->columns | queen, (board->left | queen) << 1, (board->right | queen) >> 1};
        gws_spawn(self, &next);
    }
}

int main(int argc, char **argv)
{
    uint32_t size = argc > 1 ? (uint32_t)atoi(argv[1]) : 10;
    struct gws_options options = {.policy = "chaselev"};
    struct gws_runtime *runtime = NULL;
    gws_status status = size >= 1 && size <= 30 ? gws_runtime_open(&options, &runtime) : GWS_INVALID;
    uint32_t workers = status == GWS_OK ? gws_runtime_workers(runtime) : 1;
    struct queens_counter *count = aligned_alloc(64, workers * sizeof *count);
    for (uint32_t w = 0; count && w < workers; w++) count[w].found = 0;
    struct problem problem = {(UINT32_C(1) << (size & 31)) - 1, count};
    struct board empty[2] = {{0}}; /* the size of a task is a multiple of 8 bytes */
    struct gws_tasks tasks = {.bytes = sizeof *empty, .root = empty, .roots = 1, .run = run, .context = &problem};
    if (status == GWS_OK) status = count ? gws_tasks_run(runtime, &tasks) : GWS_NO_MEMORY;
    uint64_t found = 0;
    for (uint32_t w = 0; status == GWS_OK && w < workers; w++) found += count[w].found;
    if (status == GWS_OK)
        printf("%" PRIu32 " queens stand in %" PRIu64 " ways\n", size, found);
    else
        fprintf(stderr, "%s\n", gws_status_text(status));
    free(count);
    gws_runtime_close(runtime);
    return status != GWS_OK;
}
