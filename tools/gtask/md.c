/* SPDX-License-Identifier: MIT */
/* gtask md: molecular dynamics (Chen, Villa, Krishnamoorthy, Gao, IPDPS 2010, section 6). A task is the force on 128
 * atoms. */
#include <inttypes.h>
#include <string.h>

#include "../../lib/parallel.h"
#include "../common/console.h"
#include "md_state.h"

#define FIELD(name) offsetof(struct md_state, name)

static const struct option_row row[] = {
    {NUMBER("steps", "N", FIELD(steps), 0, UINT32_MAX, "run N time steps (default: 100)")},
    {REAL("radius", "X", FIELD(options.cutoff), 1e4, "atoms within X sigma act on each other (default: 2.5)")},
    {REAL("skin", "X", FIELD(options.skin), 1e4, "lists hold atoms within cut-off and X (default: 0.3)")},
    {REAL("time-step", "X", FIELD(options.step), 1e4, "move atoms by steps of this time (default: 0.004)")},
    {TEXT("order", "NAME|help", FIELD(order_name), "tasks take atoms in this order (default: spatial)")},
    {TEXT("pattern", "NAME|help", FIELD(pattern_name), "some tasks have no work (default: P0, all have work)")},
    {TEXT("schedule", "NAME|help", FIELD(schedule_name), "groups of a device share tasks this way (default: steal)")},
};

static const struct option_row device_row[] = {
    {TEXT("device", "LIST|auto|help", FIELD(sides.given),
          "run the tasks on cpu (the default), on KIND[:N], or on several devices\nof one model, such as cuda:0,1 or "
          "cuda:all; auto uses the first CUDA\ndevice, if there is one; help lists the kinds, gdevices the devices")},
};

static const struct subcommand_rows group[] = {{md_atoms_row, MD_ATOMS_ROWS, offsetof(struct md_state, atoms)},
                                               {row, sizeof row / sizeof *row, 0},
                                               {device_row, 1, 0}};

static const struct md_state initial = {.atoms = MD_ATOMS_INITIAL,
                                        .steps = 100,
                                        .options = {.cutoff = 2.5, .skin = 0.3, .step = 0.004},
                                        .order_name = "spatial",
                                        .pattern_name = "P0"};

/* Sets *chosen to the number of the name, or answers "help". */
static int choose(const char *option, const char *name, const char *(*name_at)(uint32_t), uint32_t *chosen)
{
    bool help = strcmp(name, "help") == 0;
    for (uint32_t i = 0; name_at(i); i++) {
        if (help) printf("%s\n", name_at(i));
        if (strcmp(name, name_at(i)) != 0) continue;
        *chosen = i;
        return -1;
    }
    return help ? console_finish()
                : console_usage("--%s: unknown name '%s'; --%s help lists the names", option, name, option);
}

static int check(void *context)
{
    struct md_state *state = context;
    uint32_t order = 0, pattern = 0, schedule = 0;
    int status = choose("order", state->order_name, gws_md_order_at, &order);
    if (status < 0 && state->schedule_name)
        status = choose("schedule", state->schedule_name, gws_md_schedule_at, &schedule);
    if (status < 0 && state->schedule_name) status = device_option_check(state->sides.given, "schedule");
    if (status < 0) status = task_sides_check(&state->sides, order == GWS_MD_POPULATION ? "order population" : NULL);
    if (status < 0 && state->sides.workers && state->sides.devices > 0)
        status = console_usage("--device: the atoms are on the CPU or on devices, not on both");
    if (status < 0) status = choose("pattern", state->pattern_name, gws_md_pattern_at, &pattern);
    if (status < 0) status = md_atoms_check(&state->atoms);
    if (status < 0) status = md_check_positive("radius", state->options.cutoff);
    if (status < 0) status = md_check_positive("skin", state->options.skin);
    if (status < 0) status = md_check_positive("time-step", state->options.step);
    state->options.order = (enum gws_md_order)order;
    state->options.pattern = (enum gws_md_pattern)pattern;
    state->schedule = (enum gws_md_schedule)schedule;
    return status;
}

/* Velocities are random, unless a file has them. */
static bool draws(const void *context)
{
    const struct md_state *state = context;
    return !state->atoms.input || state->options.order == GWS_MD_RANDOM;
}

static void files(const void *context, struct named_file file[WORKLOAD_FILES])
{
    const struct md_state *state = context;
    file[0] = (struct named_file){"--input", state->atoms.input, false};
    file[1] = (struct named_file){"--out", state->atoms.out, true};
}

/* ---- running ---- */

static int open(void *context, struct gws_runtime *runtime)
{
    struct md_state *state = context;
    int status = md_atoms_read(&state->atoms, runtime);
    return status < 0 ? task_sides_open(&state->sides, runtime) : status;
}

static void end(void *context, struct gws_runtime *runtime)
{
    struct md_state *state = context;
    (void)runtime;
    md_close(state);
    md_atoms_clear(&state->atoms);
    task_sides_close(&state->sides);
}

/* ---- output ---- */

static void print(const void *context, FILE *out)
{
    const struct md_state *state = context;
    const struct gws_md_result *result = &state->result;
    char neighbours[CONSOLE_NUMBER], time[CONSOLE_NUMBER];
    double atoms = (double)(result->atoms ? result->atoms : 1);
    fprintf(out, "lists     %s neighbours, built %" PRIu64 " time%s", console_count(result->neighbours, neighbours),
            result->rebuilds, result->rebuilds == 1 ? "" : "s");
    if (result->rebuild_ms > 0) fprintf(out, " in %s", console_time(result->rebuild_ms, time));
    fputc('\n', out);
    fprintf(out, "pairs     %.4g within the cut-off per atom\n", 2 * (double)result->pairs / atoms);
    fprintf(out, "energy    %.6g per atom, potential %.6g, kinetic %.6g, drift %.3g\n",
            (result->potential + result->kinetic) / atoms, result->potential / atoms, result->kinetic / atoms,
            result->drift);
    md_devices_print(&state->sides, state->stats, state->schedule, out);
}

static void table(const void *context, FILE *out)
{
    const struct md_state *state = context;
    md_devices_table(&state->sides, state->stats, out);
}

static void result_json(const void *context, struct json *json)
{
    const struct md_state *state = context;
    md_devices_json(&state->sides, state->stats, state->schedule, json);
}

static void parameters_json(const void *context, struct json *json)
{
    json_name(json, "input", ((const struct md_state *)context)->atoms.input);
}

#define MEMBER(name, key) JSON_FIELD(struct md_state, name, key)
static const struct json_field parameter[] = {
    {MEMBER(atoms.atoms, "atoms")},
    {MEMBER(steps, "steps")},
    {MEMBER(atoms.shape, "shape")},
    {MEMBER(atoms.density, "density")},
    {MEMBER(atoms.temperature, "temperature")},
    {MEMBER(atoms.charge, "charge")},
    {MEMBER(options.cutoff, "radius")},
    {MEMBER(options.skin, "skin")},
    {MEMBER(options.step, "time_step")},
    {MEMBER(order_name, "order")},
    {MEMBER(pattern_name, "pattern")},
};

static const struct json_field found[] = {{MEMBER(result.tasks, "force_tasks")},
                                          {MEMBER(result.rebuilds, "rebuilds")},
                                          {MEMBER(result.rebuild_ms, "rebuild_ms")},
                                          {MEMBER(result.neighbours, "neighbours")},
                                          {MEMBER(result.pairs, "pairs")},
                                          {MEMBER(result.potential, "potential")},
                                          {MEMBER(result.kinetic, "kinetic")},
                                          {MEMBER(result.energy, "first_energy")},
                                          {MEMBER(result.drift, "drift")}};

const struct workload workload_md = {
    .command.name = "md",
    .command.about = "Molecular dynamics within a cut-off (Chen, Villa, Krishnamoorthy, Gao)",
    WORKLOAD_STATE(struct md_state),
    .check = check,
    .device = task_sides_address,
    .draws = draws,
    .files = files,
    .open = open,
    .prepare = md_prepare,
    .run = md_run,
    .verify = md_verify,
    .write = md_write,
    .end = end,
    .print = print,
    .table = table,
    .parameters_json = parameters_json,
    .result_json = result_json,
    .parameter = JSON_TABLE(parameter),
    .found = JSON_TABLE(found),
    .description = "{atoms} atoms, {shape}, {steps} steps, cut-off {radius}, order {order}, pattern {pattern}",
    .unit = "atom_steps",
    .units = offsetof(struct md_state, atom_steps),
};
