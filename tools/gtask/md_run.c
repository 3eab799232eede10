/* SPDX-License-Identifier: MIT */
/* The runs of gtask md: in one piece, or from frame to frame of a trajectory. */
#include <string.h>

#include "../../lib/parallel.h"
#include "../common/console.h"
#include "md_state.h"

void md_close(struct md_state *state)
{
    gws_md_close(state->md);
    gws_md_device_close(state->on_device);
    state->md = NULL;
    state->on_device = NULL;
}

static gws_status open_atoms(struct md_state *state, struct gws_runtime *runtime, uint64_t seed,
                             struct gws_diagnostic *where)
{
    const struct gws_md_devices on = {state->sides.device, state->sides.devices, state->schedule};
    struct gws_points atoms = {0};
    md_close(state);
    state->options.seed = seed;
    gws_status status = md_atoms_begin(&state->atoms, runtime, seed, &atoms, state->options.low, state->options.high);
    if (status == GWS_OK) {
        md_atoms_momentum(&atoms, state->momentum);
        status = on.devices > 0 ? gws_md_devices_open(runtime, &on, &atoms, &state->options, &state->on_device, where)
                                : gws_md_open(runtime, &atoms, &state->options, &state->md, where);
    }
    gws_points_clear(&atoms);
    return status;
}

static gws_status fetch(const struct md_state *state, struct gws_points *atoms, struct gws_diagnostic *where)
{
    return state->on_device ? gws_md_device_fetch(state->on_device, atoms, where)
                            : gws_diagnostic_status(where, gws_md_fetch(state->md, atoms));
}

/* Writes the atoms as a frame. */
static gws_status write_frame(struct md_state *state, struct gws_diagnostic *where)
{
    struct gws_points atoms = {0};
    gws_status status = fetch(state, &atoms, where);
    if (status == GWS_OK) {
        status = md_atoms_append(&state->atoms, &atoms, state->options.low, state->options.high);
        if (status != GWS_OK) *where = state->atoms.where;
    }
    gws_points_clear(&atoms);
    return status;
}

gws_status md_prepare(void *context, struct gws_runtime *runtime, uint64_t seed, struct gws_diagnostic *where)
{
    struct md_state *state = context;
    gws_status status = open_atoms(state, runtime, seed, where);
    if (status != GWS_OK || !state->atoms.frames) return status;
    status = md_atoms_open(&state->atoms, runtime);
    if (status == GWS_OK) return write_frame(state, where);
    *where = state->atoms.where;
    return status;
}

/* Runs some steps, and adds them to the result. */
static gws_status run_part(struct md_state *state, uint64_t steps, struct gws_diagnostic *where)
{
    const struct gws_md_result before = state->result;
    gws_status status = state->on_device ? gws_md_device_run(state->on_device, steps, &state->result, where)
                                         : gws_md_run(state->md, steps, &state->result, where);
    if (status != GWS_OK) return status;
    if (state->on_device) md_devices_add(&state->sides, state->on_device, before.steps, steps, state->stats);
    state->result.steps += before.steps, state->result.tasks += before.tasks;
    state->result.rebuilds += before.rebuilds, state->result.rebuild_ms += before.rebuild_ms;
    state->result.ms += before.ms;
    return GWS_OK;
}

gws_status md_run(void *context, struct gws_runtime *runtime, struct gws_diagnostic *where)
{
    struct md_state *state = context;
    const uint64_t max = state->atoms.frames ? state->atoms.frames : state->steps;
    gws_status status = GWS_OK;
    (void)runtime;
    state->result = (struct gws_md_result){.atoms = 0};
    memset(state->stats, 0, sizeof state->stats);
    do {
        const uint64_t left = state->steps - state->result.steps, steps = left < max ? left : max;
        status = run_part(state, steps, where);
        if (status == GWS_OK && state->atoms.frames && steps > 0) status = write_frame(state, where);
    } while (status == GWS_OK && state->result.steps < state->steps);
    state->atom_steps = state->atoms.atoms * state->steps;
    return status;
}

gws_status md_verify(void *context, struct gws_runtime *runtime, struct gws_diagnostic *where)
{
    struct md_state *state = context;
    struct gws_points atoms = {0};
    gws_status status = fetch(state, &atoms, where);
    if (status == GWS_OK)
        status = gws_md_check(runtime, &atoms, &state->options, &state->result, state->momentum, where);
    gws_points_clear(&atoms);
    return status;
}

/* A trajectory is complete when its run has ended. */
int md_write(void *context, struct gws_runtime *runtime)
{
    struct md_state *state = context;
    struct gws_diagnostic where = {0};
    gws_status status = GWS_OK;
    if (!state->atoms.out) return -1;
    console_progress_begin("writing", state->atoms.out);
    if (!state->atoms.frames) {
        status = md_atoms_open(&state->atoms, runtime);
        if (status == GWS_OK) {
            status = write_frame(state, &where);
            if (status != GWS_OK) state->atoms.where = where;
        }
    }
    int failure = md_atoms_close(&state->atoms, status);
    console_progress_end();
    return failure;
}
