/* SPDX-License-Identifier: MIT */
/* gsim levels: loops over the levels of a search in virtual time, under the policies for levels. */
#include <stdlib.h>

#include "run_file.h"
#include "simulation.h"

struct simulated_levels_state {
    const char *path; /* must be first */
    uint64_t grain, levels, largest;
    uint64_t *size;
    double spread;
};

#define FIELD(name) offsetof(struct simulated_levels_state, name)

static const struct option_row row[] = {
    {TEXT("sizes", "FILE", FIELD(path), "read the levels' sizes from the output of gbfs --levels --json")},
    {NUMBER("grain", "N", FIELD(grain), 0, UINT32_MAX,
            "use a worker for each N vertices of a level (default: 0,\nall workers for all levels)")},
    {REAL("spread", "X", FIELD(spread), 1000,
          "let a vertex's time have a standard deviation of X times the\nmean (default: 1)")},
};

static const struct subcommand_rows group[] = {{row, sizeof row / sizeof *row, 0}};

static const struct simulated_levels_state initial = {.spread = 1};

static int refuse(const char *path, const char *why)
{
    char name[CONSOLE_NAME];
    return console_usage("%s: %s", console_name(path, name), why);
}

/* Takes the list of sizes. */
static int take_sizes(struct simulated_levels_state *state, const struct run_file *file)
{
    state->size = calloc(file->members + 1, sizeof *state->size);
    if (!state->size) return console_fail("%s", gws_status_text(GWS_NO_MEMORY));
    for (size_t i = 0; i < file->members; i++) {
        const struct run_member *member = &file->member[i];
        double size;
        if (!run_member_is_at(member, "level_sizes")) continue;
        if (member->is_text || options_real(member->value, &size) == NULL || !(size >= 0 && size <= UINT32_MAX))
            return refuse(state->path, "a level has no size from 0 to 4294967295");
        state->size[state->levels++] = (uint64_t)size;
        if (size > (double)state->largest) state->largest = (uint64_t)size;
    }
    return state->levels ? -1 : refuse(state->path, "no level_sizes, which gbfs --levels --json writes");
}

static int check(void *context)
{
    struct simulated_levels_state *state = context;
    if (!state->path) return console_usage("levels requires --sizes");
    struct run_file file;
    int status = run_file_read(state->path, &file);
    if (status < 0) status = take_sizes(state, &file);
    run_file_clear(&file);
    return status;
}

static void end(void *context)
{
    free(((struct simulated_levels_state *)context)->size);
}

static gws_status run(void *context, struct gws_runtime *runtime, const struct gws_sim_options *options,
                      struct gws_sim_result *found, struct gws_diagnostic *where)
{
    const struct simulated_levels_state *state = context;
    const struct gws_sim_levels levels = {.size = state->size,
                                          .count = state->levels,
                                          .ns = options->machine.cost[GWS_SIM_vertex],
                                          .spread = state->spread,
                                          .grain = (uint32_t)state->grain};
    return gws_sim_levels(runtime, options, &levels, found, where);
}

#define MEMBER(name, key) JSON_FIELD(struct simulated_levels_state, name, key)
static const struct json_field parameter[] = {{MEMBER(grain, "grain")}, {MEMBER(spread, "spread")}};

static const struct json_field result[] = {{MEMBER(levels, "levels")}, {MEMBER(largest, "largest")}};

const struct simulation simulation_levels = {
    .command.name = "levels",
    .command.about = "Loops over the levels of a search, under the policies for levels",
    SUBCOMMAND_STATE(struct simulated_levels_state),
    .input = "--sizes",
    .levels = true,
    .check = check,
    .draws = true,
    .cost = GWS_SIM_vertex,
    .end = end,
    .run = run,
    .parameter = JSON_TABLE(parameter),
    .result = JSON_TABLE(result),
    .description = "grain {grain}, spread {spread}",
    .finding = "levels    {levels}, of at most {largest} vertices\n",
};
