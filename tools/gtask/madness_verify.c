/* SPDX-License-Identifier: MIT */
/* gtask madness --verify: against known results, on a device against the CPU's tree, and against a serial projection.
 */
#include "madness_state.h"

#include <inttypes.h>
#include <math.h>

#include "../../lib/parallel.h"

/* The serial check runs only if boxes * order^4 is at most this; it then takes about 15 s. */
static const double max_serial_work = 1.2e8;

static gws_status find_error(struct madness_state *state, struct gws_runtime *runtime)
{
    const uint32_t functions = state->problem.functions;
    double *error = gws_allocate(runtime, functions, sizeof *error), sum = 0;
    gws_status status = error ? gws_madness_error(runtime, &state->problem, state->tree, error) : GWS_NO_MEMORY;
    for (uint32_t f = 0; f < functions && status == GWS_OK; f++) sum += error[f] * error[f];
    if (status == GWS_OK) state->error = sqrt(sum);
    gws_release(runtime, error, functions, sizeof *error);
    return status;
}

bool madness_is_cut(const struct madness_state *state)
{
    return state->found.rough > 0 || (state->problem.specials > 0 && state->special_level > state->problem.max_level);
}

/* Checks against known results, without building the tree again. */
static gws_status verify_known(const struct madness_state *state, struct gws_diagnostic *where)
{
    const struct madness_set *set = state->set;
    const double norm = madness_norm(state->body, state->problem.functions);
    if (set->has_norm && !madness_is_cut(state) && !(fabs(state->found.norm - norm) <= state->error + 1e-12 * norm))
        return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0,
                                  "the norm is %.10g, not %.10g, and the error %.3g", state->found.norm, norm,
                                  state->error);
    if (!state->is_default || set->leaves == 0) return GWS_OK;
    if (state->found.leaves == set->leaves && state->error >= set->min_error && state->error <= set->max_error)
        return GWS_OK;
    return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0,
                              "found %" PRIu64 " leaves and an error of %.3g; %s has %" PRIu64 " and %.3g to %.3g",
                              state->found.leaves, state->error, set->name, set->leaves, set->min_error,
                              set->max_error);
}

static gws_status verify_tree(struct madness_state *state, struct gws_runtime *runtime, struct gws_diagnostic *where)
{
    gws_status status = find_error(state, runtime);
    if (status == GWS_OK) status = verify_known(state, where);
    if (status == GWS_OK && state->device.builder)
        status = madness_device_compare(&state->device, runtime, &state->problem, state->tree, where);
    if (status != GWS_OK) return status;
    if ((double)state->found.boxes * pow(state->problem.order, 4) > max_serial_work)
        return gws_diagnostic_set(where, GWS_TOO_LARGE, NULL, 0, 0,
                                  "a serial projection of %" PRIu64 " boxes would take too long", state->found.boxes);
    return gws_madness_check(runtime, &state->problem, state->tree, where);
}

gws_status madness_verify(void *context, struct gws_runtime *runtime, struct gws_diagnostic *where)
{
    struct madness_state *state = context;
    const struct gws_ranks *ranks = state->device.sides.ranks;
    gws_status status = gws_madness_gather_on_ranks(runtime, ranks, &state->tree, where);
    if (status != GWS_OK || (ranks && gws_transport_rank(ranks->transport) > 0)) return status;
    state->found = *state->tree;
    return verify_tree(state, runtime, where);
}
