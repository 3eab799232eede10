/* SPDX-License-Identifier: MIT */
/* Simulates the stealing of a MADNESS tree by the processes of Dinan et al. (SC 2009, section 5), where each box is a
 * task of 102 ms.
 *
 * The paper's 128 soft bodies are not published. Here the function is the sum of 128 scattered Gaussians of various
 * sizes, and the threshold makes about as many boxes as the paper has tasks: 1,801,353, which is 1 + 8 times the
 * divided boxes. gws_madness_build() projects the parts of the cell one after another, since the tolerance of mode 0
 * does not depend on the cell. A body of several SCALES is the sum of as many Gaussians, each half as wide as the one
 * before, so its boxes are on more levels.
 *
 * cc -O3 madness_stealing.c -lgraphws -lm
 * usage: madness_stealing THRESHOLD WORKERS LOCK,... [SCALES [equal|random]]
 * LOCK: gives-up, ticket, spins. The times of the boxes are equal, or random and exponentially distributed with the
 * same mean. Prints a line LOCK TASKS DEPTH VIRTUAL_MS EFFICIENCY STEALS FAILED ABORTED STOLEN for each lock. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../graphws.h"

enum { bodies = 128, order = 3, first_level = 2, parts = 1 << (3 * first_level) };
static const double half_cell = 10, task_ns = 102.28073e6; /* Table 1 */
static int scales = 1;
static bool is_random; /* the times of the boxes */

static void fail(const char *why)
{
    fprintf(stderr, "madness_stealing: %s\n", why);
    exit(1);
}

/* ---- the function ---- */

struct body {
    double at[3], sharpness, factor;
};

static double draw(uint64_t *state)
{
    uint64_t bits = *state += UINT64_C(0x9e3779b97f4a7c15);
    bits = (bits ^ bits >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    bits = (bits ^ bits >> 27) * UINT64_C(0x94d049bb133111eb);
    return (double)((bits ^ bits >> 31) >> 11) * 0x1p-53;
}

/* Gaussians of norm 1 in the middle of the cell. */
static void scatter(struct body *body)
{
    uint64_t state = 1;
    for (int b = 0; b < bodies; b++) {
        for (int a = 0; a < 3; a++) body[b].at[a] = half_cell * (draw(&state) - 0.5);
        body[b].sharpness = exp2(4 * draw(&state));
        body[b].factor = pow(2 * body[b].sharpness / 3.141592653589793, 0.75);
    }
}

/* Returns the smallest squared distance along an axis. */
static double nearest(double at, const double *x)
{
    double low = x[0], high = x[0];
    for (int i = 1; i < 2 * order; i++) low = fmin(low, x[i]), high = fmax(high, x[i]);
    const double apart = at < low ? low - at : at > high ? at - high : 0;
    return apart * apart;
}

static void gaussians(double *to, const double *x, double at, double sharpness)
{
    for (int i = 0; i < 2 * order; i++) to[i] = exp(-sharpness * (x[i] - at) * (x[i] - at));
}

static void add_gaussian(const struct body *body, const struct gws_madness_grid *grid, double *value)
{
    static const double negligible = 40; /* an exponent */
    const double square = nearest(body->at[0], grid->x) + nearest(body->at[1], grid->y) + nearest(body->at[2], grid->z);
    if (body->sharpness * square > negligible) return;
    double x[2 * order], y[2 * order], z[2 * order];
    gaussians(x, grid->x, body->at[0], body->sharpness);
    gaussians(y, grid->y, body->at[1], body->sharpness);
    gaussians(z, grid->z, body->at[2], body->sharpness);
    for (int i = 0; i < 2 * order; i++)
        for (int j = 0; j < 2 * order; j++)
            for (int l = 0; l < 2 * order; l++)
                value[8 * ((i / 2 * order + j / 2) * order + l / 2) + 4 * (i % 2) + 2 * (j % 2) + l % 2] +=
                    body->factor * x[i] * y[j] * z[l];
}

static void add_body(const struct body *body, const struct gws_madness_grid *grid, double *value)
{
    struct body scale = *body;
    for (int i = 0; i < scales; i++, scale.sharpness *= 4, scale.factor *= sqrt(8)) add_gaussian(&scale, grid, value);
}

static void values(void *context, uint32_t function, const struct gws_madness_grid *grid, double *value)
{
    const struct body *body = context;
    (void)function;
    memset(value, 0, 8 * order * order * order * sizeof *value);
    for (int b = 0; b < bodies; b++) add_body(&body[b], grid, value);
}

/* ---- the tree ---- */

/* Boxes in depth-first order: how many boxes each has below it and itself. So box i's first child is i + 1, and the
 * next one follows after the boxes of the first. */
struct tree {
    uint32_t *size, boxes, capacity, depth;
};

static uint32_t add_box(struct tree *tree)
{
    if (tree->boxes == tree->capacity) {
        tree->capacity = tree->capacity ? 2 * tree->capacity : 1 << 16;
        tree->size = realloc(tree->size, tree->capacity * sizeof *tree->size);
        if (!tree->size) fail("out of memory");
    }
    tree->size[tree->boxes] = 1;
    return tree->boxes++;
}

/* Adds a box and those below it. next: the next of the families of its part, which are its undivided boxes. */
static void add_boxes(struct tree *tree, uint32_t level, const struct gws_madness_family **next)
{
    const uint32_t box = add_box(tree);
    if (first_level + level > tree->depth) tree->depth = first_level + level;
    if ((*next)->level == level)
        (*next)++;
    else
        for (int child = 0; child < 8; child++) add_boxes(tree, level + 1, next);
    tree->size[box] = tree->boxes - box;
}

/* Projects a part of the cell, number `part` in depth-first order, and adds its boxes. */
static void add_part(struct gws_runtime *runtime, struct tree *tree, double threshold, uint32_t part, struct body *body)
{
    const double edge = 2 * half_cell / (1 << first_level);
    struct gws_madness_problem problem;
    struct gws_madness_tree *made = NULL;
    gws_madness_defaults(&problem);
    problem.functions = 1;
    problem.values = values;
    problem.context = body;
    problem.order = order;
    problem.mode = 0;
    problem.threshold = threshold;
    for (int a = 0; a < 3; a++) {
        uint32_t at = 0;
        for (int level = 0; level < first_level; level++) at |= (part >> (3 * level + 2 - a) & 1) << level;
        problem.low[a] = edge * at - half_cell;
        problem.high[a] = problem.low[a] + edge;
    }
    if (gws_madness_build(runtime, &problem, &made, NULL) != GWS_OK) fail("cannot project the function");
    const struct gws_madness_family *next = made->family;
    const uint32_t box = add_box(tree);
    for (int child = 0; child < 8; child++) add_boxes(tree, 1, &next);
    tree->size[box] = tree->boxes - box;
    gws_madness_destroy(made);
}

/* Adds the boxes of a level above the parts. */
static void add_top(struct gws_runtime *runtime, struct tree *tree, double threshold, uint32_t level, uint32_t number,
                    struct body *body)
{
    if (level == first_level) {
        add_part(runtime, tree, threshold, number, body);
        return;
    }
    const uint32_t box = add_box(tree);
    for (uint32_t child = 0; child < 8; child++) add_top(runtime, tree, threshold, level + 1, 8 * number + child, body);
    tree->size[box] = tree->boxes - box;
}

/* ---- the simulation ---- */

static double cost(void *context, const void *task)
{
    uint64_t state = *(const uint64_t *)task;
    (void)context;
    return is_random ? -log(1 - draw(&state)) * task_ns : task_ns;
}

static void run(void *context, struct gws_sim *sim, uint32_t worker, const void *task)
{
    const struct tree *tree = context;
    const uint64_t box = *(const uint64_t *)task;
    (void)worker;
    for (uint64_t child = box + 1; child < box + tree->size[box]; child += tree->size[child])
        gws_sim_spawn(sim, &child);
}

static void simulate(struct gws_runtime *runtime, struct tree *tree, uint32_t workers, const char *lock)
{
    const uint64_t root = 0;
    const struct gws_sim_tasks tasks = {
        .bytes = sizeof root, .root = &root, .roots = 1, .cost = cost, .run = run, .context = tree};
    struct gws_sim_options options = {.workers = workers, .policy = "split", .newest = true};
    struct gws_sim_result found;
    uint32_t i = 0;
    while (strcmp(gws_sim_preset_at(i)->name, "dinan") != 0) i++;
    options.machine = gws_sim_preset_at(i)->machine;
    options.ticket = strcmp(lock, "ticket") == 0;
    options.wait = options.ticket || strcmp(lock, "spins") == 0;
    if (gws_sim_run(runtime, &options, &tasks, &found, NULL) != GWS_OK) fail("the simulation failed");
    printf("%s %llu %u %.6f %.6f %llu %llu %llu %llu\n", lock, (unsigned long long)found.tasks, tree->depth,
           found.virtual_ms, found.busy_ms / found.virtual_ms / workers, (unsigned long long)found.steals,
           (unsigned long long)found.failed_steals, (unsigned long long)found.aborted_steals,
           (unsigned long long)found.stolen);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    static struct body body[bodies];
    struct tree tree = {NULL, 0, 0, 0};
    struct gws_runtime *runtime = NULL;
    if (argc < 4 || argc > 6) return 2;
    if (argc > 4) scales = atoi(argv[4]);
    is_random = argc > 5 && strcmp(argv[5], "random") == 0;
    if (gws_runtime_open(NULL, &runtime) != GWS_OK) fail("cannot open a runtime");
    scatter(body);
    add_top(runtime, &tree, atof(argv[1]), 0, 0, body);
    fprintf(stderr, "%u boxes, depth %u\n", tree.boxes, tree.depth);
    for (char *lock = strtok(argv[3], ","); lock; lock = strtok(NULL, ","))
        simulate(runtime, &tree, (uint32_t)atoi(argv[2]), lock);
    gws_runtime_close(runtime);
    free(tree.size);
    return 0;
}
