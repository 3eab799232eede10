/* SPDX-License-Identifier: MIT */
/* gsim recorded: a tree of tasks from a file, with the time of each task. A line of the file is a group of equal tasks.
 * Each of them spawns all tasks of the lines that name this line as their parent. */
#include <math.h>
#include <stdlib.h>

#include "../../lib/parallel.h"
#include "simulation.h"

/* Equal tasks: a line of the file. Groups are in the order of lines, so parents come first. */
struct recorded_group {
    double ns, span_ns;           /* of a task; from the start of a first task to the end of one of this group */
    uint64_t tasks, depth;        /* tasks: of all parents */
    uint32_t count;               /* for each task of the parent */
    uint32_t parent, child, next; /* groups: the parent, its first child, the parent's next child; or none */
};

struct simulated_recorded_state {
    const char *path;             /* must be first */
    struct recorded_group *group; /* NULL: the file has not been read */
    uint64_t groups, roots, tasks, ran, depth;
    double work_ms, span_ms;
};

#define FIELD(name) offsetof(struct simulated_recorded_state, name)

static const struct option_row row[] = {
    {TEXT("tasks", "FILE", FIELD(path),
          "run the tasks in FILE, as gtask --record writes: a line \"task PARENT NS\"\n"
          "for each, or \"tasks PARENT NS COUNT\"; PARENT is a line, 0 for none")},
};

static const struct subcommand_rows group[] = {{row, sizeof row / sizeof *row, 0}};

static const struct simulated_recorded_state initial = {.path = NULL};

enum { PARENT, NS, COUNT };

static const struct gws_query_kind kinds[] = {{"task", 2, "task PARENT NS"}, {"tasks", 3, "tasks PARENT NS COUNT"}};

static const uint32_t none = UINT32_MAX;
static const double max_work_ms = 1e9; /* virtual time has 64 bits, in picoseconds */

/* ---- reading ---- */

/* Returns the group on that line, before the i-th; none: there is none. */
static uint32_t find_line(const struct gws_query *line, uint32_t i, double number)
{
    uint32_t low = 0;
    for (uint32_t high = i; low < high;) {
        const uint32_t middle = low + (high - low) / 2;
        if ((double)line[middle].line < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < i && (double)line[low].line == number ? low : none;
}

/* Adds the i-th group. Returns the error of one of its numbers, or NULL. */
static const char *add_group(struct simulated_recorded_state *state, const struct gws_query *line, uint32_t i,
                             int *wrong)
{
    const double *number = line[i].number, count = line[i].kind ? number[COUNT] : 1;
    const uint32_t parent = find_line(line, i, number[PARENT]);
    struct recorded_group *of = &state->group[i];
    *wrong = PARENT;
    if (parent == none && number[PARENT] != 0) return "PARENT must be an earlier line with a task, or 0";
    *wrong = NS;
    if (!(number[NS] >= 0)) return "NS must not be negative";
    *wrong = COUNT;
    if (!(count >= 1 && count <= UINT32_MAX && count == floor(count)))
        return "COUNT must be a whole number from 1 to 4294967295";
    const struct recorded_group top = {.tasks = 1}, *above = parent == none ? &top : &state->group[parent];
    *of = (struct recorded_group){.ns = number[NS],
                                  .span_ns = above->span_ns + number[NS],
                                  .depth = above->depth + 1,
                                  .count = (uint32_t)count,
                                  .parent = parent,
                                  .child = none,
                                  .next = none};
    *wrong = line[i].kind ? COUNT : PARENT;
    if (__builtin_mul_overflow(above->tasks, of->count, &of->tasks) ||
        __builtin_add_overflow(state->tasks, of->tasks, &state->tasks))
        return "the tasks do not fit in 64 bits";
    *wrong = NS;
    state->work_ms += of->ns * (double)of->tasks / 1e6;
    if (state->work_ms > max_work_ms) return "all tasks together take more than 1e15 ns";
    state->span_ms = fmax(state->span_ms, of->span_ns / 1e6);
    if (of->depth > state->depth) state->depth = of->depth;
    if (parent == none) state->roots += of->count;
    return NULL;
}

static gws_status add_groups(struct simulated_recorded_state *state, const struct gws_query *line,
                             struct gws_diagnostic *where)
{
    for (uint32_t i = 0; i < state->groups; i++) {
        int wrong;
        const char *why = add_group(state, line, i, &wrong);
        if (why)
            return gws_diagnostic_set(where, GWS_SYNTAX, state->path, line[i].line, line[i].column[wrong], "%s", why);
    }
    for (uint32_t i = (uint32_t)state->groups; i-- > 0;) { /* backwards, so children are in the order of lines */
        struct recorded_group *of = &state->group[i];
        if (of->parent == none) continue;
        of->next = state->group[of->parent].child;
        state->group[of->parent].child = i;
    }
    return GWS_OK;
}

static gws_status read_tasks(struct gws_runtime *runtime, struct simulated_recorded_state *state,
                             struct gws_diagnostic *where)
{
    struct gws_query *line = NULL;
    gws_status status =
        gws_queries_read(runtime, state->path, kinds, sizeof kinds / sizeof *kinds, &line, &state->groups, where);
    if (status != GWS_OK) return status;
    const uint64_t lines = state->groups;
    if (lines >= none) status = GWS_TOO_LARGE;
    if (status == GWS_OK) state->group = calloc(lines + 1, sizeof *state->group);
    if (status == GWS_OK) status = state->group ? add_groups(state, line, where) : GWS_NO_MEMORY;
    gws_release(runtime, line, lines, sizeof *line);
    return status;
}

/* ---- simulating: a task is the number of its group ---- */

static double cost(void *context, const void *task)
{
    return ((const struct simulated_recorded_state *)context)->group[*(const uint64_t *)task].ns;
}

static void run_task(void *context, struct gws_sim *sim, uint32_t worker, const void *task)
{
    struct simulated_recorded_state *state = context;
    (void)worker;
    state->ran++;
    for (uint32_t child = state->group[*(const uint64_t *)task].child; child != none;
         child = state->group[child].next) {
        const uint64_t next = child;
        for (uint32_t i = 0; i < state->group[child].count; i++) gws_sim_spawn(sim, &next);
    }
}

static gws_status simulate(struct gws_runtime *runtime, const struct gws_sim_options *options,
                           struct simulated_recorded_state *state, struct gws_sim_result *found,
                           struct gws_diagnostic *where)
{
    uint64_t *root = gws_allocate(runtime, state->roots, sizeof *root), roots = 0;
    if (!root) return GWS_NO_MEMORY;
    state->ran = 0;
    for (uint64_t i = 0; i < state->groups; i++)
        for (uint32_t k = 0; state->group[i].parent == none && k < state->group[i].count; k++) root[roots++] = i;
    const struct gws_sim_tasks tasks = {.bytes = sizeof *root,
                                        .repeats = state->tasks / 2 > state->groups,
                                        .root = root,
                                        .roots = roots,
                                        .cost = cost,
                                        .run = run_task,
                                        .context = state};
    gws_status status = gws_sim_run(runtime, options, &tasks, found, where);
    gws_release(runtime, root, state->roots, sizeof *root);
    if (status != GWS_OK || state->ran == state->tasks) return status;
    return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0, "the simulation did not run all tasks");
}

/* Reads the file once, for several numbers of workers. */
static gws_status run(void *context, struct gws_runtime *runtime, const struct gws_sim_options *options,
                      struct gws_sim_result *found, struct gws_diagnostic *where)
{
    struct simulated_recorded_state *state = context;
    gws_status status = state->group ? GWS_OK : read_tasks(runtime, state, where);
    return status == GWS_OK ? simulate(runtime, options, state, found, where) : status;
}

static void end(void *context)
{
    free(((struct simulated_recorded_state *)context)->group);
}

/* ---- the subcommand ---- */

static int check(void *context)
{
    const struct simulated_recorded_state *state = context;
    return state->path ? -1 : console_usage("recorded requires --tasks");
}

static void describe(const void *context, FILE *out)
{
    char name[CONSOLE_NAME];
    fputs(console_name(((const struct simulated_recorded_state *)context)->path, name), out);
}

static void parameters_json(const void *context, struct json *json)
{
    json_text(json, "tasks", ((const struct simulated_recorded_state *)context)->path);
}

#define MEMBER(name) JSON_FIELD(struct simulated_recorded_state, name, #name)
static const struct json_field result[] = {{MEMBER(groups)}, {MEMBER(depth)}, {MEMBER(work_ms)}, {MEMBER(span_ms)}};

const struct simulation simulation_recorded = {
    .command.name = "recorded",
    .command.about = "A tree of tasks from a file, with the time of each task",
    SUBCOMMAND_STATE(struct simulated_recorded_state),
    .input = "--tasks",
    .check = check,
    .run = run,
    .end = end,
    .cost = GWS_SIM_COSTS_COUNT,
    .describe = describe,
    .parameters_json = parameters_json,
    .result = JSON_TABLE(result),
    .finding = "tree      depth {depth}; {work_ms} ms of work, at least {span_ms} ms on any number of workers\n",
};
