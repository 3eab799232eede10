/* SPDX-License-Identifier: MIT */
/* Divides the rows of a PageRank run into tasks of equal cost. The method is merge path without a second array
 * (Merrill, Garland, "Merge-based parallel sparse matrix-vector multiplication", SC 2016), but rows shorter than a task
 * are not divided. */
#include "state.h"

static uint64_t key(const struct gws__pagerank *run, uint64_t row)
{
    return run->offset[row] + row;
}

static void find_first(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws__pagerank *run = context;
    (void)worker;
    for (uint64_t task = begin; task < end; task++) {
        uint64_t low = 0, high = run->vertices;
        while (low < high) {
            uint64_t middle = low + (high - low) / 2;
            if (key(run, middle) < task * pagerank_task)
                low = middle + 1;
            else
                high = middle;
        }
        run->plan.first[task] = (uint32_t)low;
    }
}

/* Writes the pieces of all heavy rows to piece, unless it is NULL, and returns their number. A heavy row is longer than
 * a task, so the begin of some task lies within the row. The first row of that task is the next row, so every heavy row
 * precedes the first row of a task. */
static uint64_t cut_heavy(const struct gws__pagerank *run, struct gws__pagerank_piece *piece)
{
    uint64_t pieces = 0, behind = 0;
    for (uint64_t task = 1; task <= run->plan.tasks; task++) {
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): allocated for tasks + 1 entries */
        uint64_t first = run->plan.first[task];
        if (first == behind) continue;
        behind = first;
        uint64_t begin = run->offset[first - 1], end = run->offset[first];
        if (end - begin <= pagerank_task) continue;
        for (; begin < end; begin += pagerank_task, pieces++) {
            uint64_t stop = end - begin < pagerank_task ? end : begin + pagerank_task;
            if (piece) piece[pieces] = (struct gws__pagerank_piece){begin, stop, 0, (uint32_t)(first - 1)};
        }
    }
    return pieces;
}

gws_status gws__pagerank_plan(struct gws__pagerank *run)
{
    struct gws__pagerank_plan *plan = &run->plan;
    plan->tasks = (key(run, run->vertices) + pagerank_task - 1) / pagerank_task;
    plan->first = gws_allocate(run->runtime, plan->tasks + 1, sizeof *plan->first);
    plan->sums = gws_allocate(run->runtime, plan->tasks, sizeof *plan->sums);
    if (plan->first && plan->sums) {
        gws_parallel_for(run->runtime, plan->tasks, 256, find_first, run);
        plan->first[plan->tasks] = (uint32_t)run->vertices;
        plan->pieces = cut_heavy(run, NULL);
        plan->piece = gws_allocate(run->runtime, plan->pieces, sizeof *plan->piece);
    }
    if (!plan->piece) {
        gws__pagerank_plan_free(run);
        return GWS_NO_MEMORY;
    }
    (void)cut_heavy(run, plan->piece);
    return GWS_OK;
}

void gws__pagerank_plan_free(struct gws__pagerank *run)
{
    struct gws__pagerank_plan *plan = &run->plan;
    gws_release(run->runtime, plan->first, plan->tasks + 1, sizeof *plan->first);
    gws_release(run->runtime, plan->sums, plan->tasks, sizeof *plan->sums);
    gws_release(run->runtime, plan->piece, plan->pieces, sizeof *plan->piece);
    *plan = (struct gws__pagerank_plan){0};
}
