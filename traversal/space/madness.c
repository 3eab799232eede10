/* SPDX-License-Identifier: MIT */
/* Builds MADNESS trees (Dinan et al., SC 2009, section 2.5.1). A task is a box. The task computes the box's children,
 * and either stores them as leaves or spawns a task for each child.
 *
 * Each worker computes coefficients in the free end of its slab, and accepted coefficients stay there. While tasks
 * run, workers share only two error flags. Sorting establishes the order of the tree afterwards. */
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "../../lib/tasks.h"
#include "madness_box.h"
#include "madness_state.h"

/* The state of one worker. */
struct madness_worker {
    struct gws__madness_slab *slab; /* the current slab, followed by the full slabs */
    double *values, *scratch;       /* 8 k^3 entries each */
    uint64_t boxes, forced;
    char padding[64];
};

struct madness_build {
    struct gws_runtime *runtime;
    const struct gws_madness_problem *problem;
    const struct gws__madness_box *box;
    struct gws__madness_tables tables;
    uint64_t entries; /* 8 k^3 */
    struct madness_worker *worker;
    atomic_bool no_memory, not_finite; /* relaxed: the final read happens after all tasks have ended */
};

/* ---- a box ---- */

/* Returns true if the special point lies in the box or in a box that touches the box. */
static bool is_near(const struct gws_madness_problem *problem, const struct gws_madness_special *special,
                    const struct gws__madness_task *task)
{
    const uint32_t boxes = (uint32_t)1 << task->level;
    for (int a = 0; a < 3; a++) {
        double where = (special->at[a] - problem->low[a]) / (problem->high[a] - problem->low[a]) * boxes;
        uint32_t at = where < boxes ? (uint32_t)where : boxes - 1;
        if (at > task->at[a] + 1 || task->at[a] > at + 1) return false;
    }
    return true;
}

static bool is_forced(const struct gws_madness_problem *problem, const struct gws__madness_task *task)
{
    if (task->level >= problem->max_level) return false;
    for (uint32_t i = 0; i < problem->specials; i++) {
        const struct gws_madness_special *special = &problem->special[i];
        if (special->function == task->function && task->level < special->level && is_near(problem, special, task))
            return true;
    }
    return false;
}

static void evaluate(const struct madness_build *build, const struct gws__madness_task *task, double *values)
{
    double x[3][2 * GWS_MADNESS_ORDER];
    const struct gws_madness_problem *problem = build->problem;
    for (int a = 0; a < 3; a++)
        gws__madness_points(build->tables.point, problem->order, problem->low[a], problem->high[a], task->level,
                            task->at[a], x[a]);
    const struct gws_madness_grid grid = {problem->order, x[0], x[1], x[2]};
    problem->values(problem->context, task->function, &grid, values);
}

/* Ensures capacity for one family in the worker's slab. Returns false when memory is short. */
static bool reserve_family(const struct madness_build *build, struct madness_worker *own)
{
    if (own->slab && own->slab->count < own->slab->capacity) return true;
    struct gws__madness_slab *slab = gws__madness_slab_new(build->runtime, build->entries, UINT64_MAX);
    if (!slab) return false;
    slab->next = own->slab;
    own->slab = slab;
    return true;
}

static void divide(const struct madness_build *build, struct gws_task_worker *self,
                   const struct gws__madness_task *task)
{
    if (atomic_load_explicit(&build->no_memory, memory_order_relaxed) ||
        atomic_load_explicit(&build->not_finite, memory_order_relaxed))
        return;
    for (uint32_t c = 8; c-- > 0;) {
        struct gws__madness_task *child = gws_spawn_reserve(self);
        *child = (struct gws__madness_task){task->function, task->level + 1, {0, 0, 0}};
        for (uint32_t a = 0; a < 3; a++) child->at[a] = 2 * task->at[a] + (c >> (2 - a) & 1);
        gws_spawn_commit(self);
    }
}

/* Computes the children in the slab's free end. If the children meet the tolerance, keeps them in the slab and returns
 * true.
 */
static bool compute_family(struct madness_build *build, struct madness_worker *own,
                           const struct gws__madness_task *task)
{
    struct gws__madness_slab *slab = own->slab;
    double *coefficient = slab->coefficient + slab->count * build->entries;
    evaluate(build, task, own->values);
    build->box->project(&build->tables, gws__madness_scale(build->problem, task->level), own->values, own->scratch,
                        coefficient);
    struct gws__madness_norms norms = build->box->compare(&build->tables, coefficient, own->scratch, own->values);
    if (!isfinite(norms.square)) atomic_store_explicit(&build->not_finite, true, memory_order_relaxed);
    double difference = sqrt(norms.difference);
    if (difference >= gws__madness_tolerance(build->problem, task->level) && task->level < build->problem->max_level)
        return false;
    slab->family[slab->count++] = (struct gws_madness_family){.function = task->function,
                                                              .level = task->level,
                                                              .at = {task->at[0], task->at[1], task->at[2]},
                                                              .square = norms.square,
                                                              .difference = difference,
                                                              .coefficient = coefficient};
    return true;
}

static void run(void *context, struct gws_task_worker *self, uint32_t worker, const void *memory, uint32_t count)
{
    struct madness_build *build = context;
    struct madness_worker *own = &build->worker[worker];
    const struct gws__madness_task *task = memory;
    (void)count;
    own->boxes++;
    if (is_forced(build->problem, task)) {
        own->forced++;
        divide(build, self, task);
        return;
    }
    if (!reserve_family(build, own))
        atomic_store_explicit(&build->no_memory, true, memory_order_relaxed);
    else if (!compute_family(build, own, task))
        divide(build, self, task);
}

/* ---- all boxes ---- */

static gws_status run_tasks(struct madness_build *build, gws__madness_runner *runner, void *context)
{
    enum { bytes = 24 };
    const uint64_t roots = UINT64_C(8) * build->problem->functions;
    char *root = gws_allocate(build->runtime, roots, bytes);
    if (!root) return GWS_NO_MEMORY;
    for (uint64_t i = 0; i < roots; i++) {
        const struct gws__madness_task task = {(uint32_t)(i / 8), 1, {i >> 2 & 1, i >> 1 & 1, i & 1}};
        memcpy(root + bytes * i, &task, sizeof task);
    }
    struct gws_tasks tasks = {
        .bytes = sizeof(struct gws__madness_task), .root = root, .roots = roots, .run = run, .context = build};
    gws_status status = runner ? runner(context, &tasks) : gws_tasks_run(build->runtime, &tasks);
    gws_release(build->runtime, root, roots, bytes);
    if (atomic_load_explicit(&build->no_memory, memory_order_relaxed)) return GWS_NO_MEMORY;
    if (status == GWS_OK && atomic_load_explicit(&build->not_finite, memory_order_relaxed)) return GWS_OUT_OF_RANGE;
    return status;
}

/* Moves the workers' slabs and counts to the tree. */
static void collect(struct madness_build *build, struct gws__madness_owner *owner, uint32_t workers)
{
    for (uint32_t w = 0; w < workers; w++) {
        struct madness_worker *own = &build->worker[w];
        owner->tree.boxes += own->boxes;
        owner->tree.forced += own->forced;
        while (own->slab) {
            struct gws__madness_slab *slab = own->slab;
            own->slab = slab->next;
            slab->next = owner->slab;
            owner->slab = slab;
        }
    }
}

static gws_status run_all(struct madness_build *build, struct gws__madness_owner *owner, gws__madness_runner *runner,
                          void *context)
{
    const uint32_t workers = gws_runtime_workers(build->runtime);
    const uint64_t numbers = 2 * workers * build->entries;
    double *array = gws_allocate(build->runtime, numbers, sizeof *array);
    build->worker = gws_allocate(build->runtime, workers, sizeof *build->worker);
    gws_status status = array && build->worker ? GWS_OK : GWS_NO_MEMORY;
    if (status == GWS_OK) {
        for (uint32_t w = 0; w < workers; w++) {
            double *values = array + 2 * w * build->entries;
            build->worker[w] = (struct madness_worker){.values = values, .scratch = values + build->entries};
        }
        status = run_tasks(build, runner, context);
        collect(build, owner, workers);
    }
    gws_release(build->runtime, build->worker, workers, sizeof *build->worker);
    gws_release(build->runtime, array, numbers, sizeof *array);
    return status;
}

gws_status gws__madness_run(struct gws_runtime *runtime, const struct gws_madness_problem *problem,
                            struct gws__madness_owner *owner, gws__madness_runner *runner, void *context)
{
    struct madness_build *build = gws_allocate(runtime, 1, sizeof *build);
    if (!build) return GWS_NO_MEMORY;
    memset(build, 0, sizeof *build);
    build->runtime = runtime;
    build->problem = problem;
    build->box = gws__madness_box_named(problem->kernel);
    build->entries = UINT64_C(8) * problem->order * problem->order * problem->order;
    gws__madness_tables_make(problem->order, &build->tables);
    gws_status status = run_all(build, owner, runner, context);
    owner->tree.kernel = build->box->name;
    gws_release(runtime, build, 1, sizeof *build);
    return status;
}

static gws_status madness_build(struct gws_runtime *runtime, const struct gws_madness_problem *problem,
                                struct gws_madness_tree **tree, struct gws_diagnostic *where)
{
    gws_status status = gws__madness_problem_check(problem, where);
    if (status != GWS_OK) return status;
    struct gws__madness_owner *owner = gws__madness_owner_new(runtime, problem);
    status = owner ? gws__madness_run(runtime, problem, owner, NULL, NULL) : GWS_NO_MEMORY;
    return gws__madness_finish(runtime, problem, status, owner, tree, where);
}

gws_status gws_madness_build(struct gws_runtime *runtime, const struct gws_madness_problem *problem,
                             struct gws_madness_tree **tree, struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, madness_build(runtime, problem, tree, where));
}
