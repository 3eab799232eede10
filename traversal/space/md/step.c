/* SPDX-License-Identifier: MIT */
/* Velocity Verlet (Frenkel, Smit, section 4.3): half a kick and a drift; the lists, if an atom may have moved by half
 * the skin; the forces and the other half of the kick. */
#include "state.h"

/* Returns whether the pattern gives the task no work. */
static bool is_idle(enum gws_md_pattern pattern, uint64_t task, uint64_t tasks)
{
    switch (pattern) {
    case GWS_MD_P1:
        return task % 4 == 3;
    case GWS_MD_P2:
        return task % 2 == 1;
    case GWS_MD_P3:
        return task >= tasks / 2;
    case GWS_MD_P4:
        return task % 4 != 0;
    default:
        return false;
    }
}

/* ---- forces ---- */

static void add_force(struct gws_md *md, uint64_t atom, float kick, struct gws__md_sums *sums)
{
    uint32_t length = (uint32_t)(md->row[atom + 1] - md->row[atom]);
    struct md_force force =
        md_force_on(&md->field, md->position, (uint32_t)atom, md->neighbour + md->row[atom], length, 1);
    float *out = &md->force[MD_WORDS * atom], *velocity = &md->velocity[MD_WORDS * atom];
    out[0] = force.x, out[1] = force.y, out[2] = force.z, out[3] = force.energy;
    for (int axis = 0; axis < 3; axis++) {
        velocity[axis] += kick * out[axis];
        sums->kinetic += 0.5 * (double)velocity[axis] * (double)velocity[axis];
    }
    sums->potential += (double)force.energy;
    sums->pairs += force.pairs;
}

struct force_loop {
    struct gws_md *md;
    float kick;
};

static void force_tasks(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct force_loop *loop = context;
    struct gws_md *md = loop->md;
    (void)worker;
    for (uint64_t task = begin; task < end; task++) {
        struct gws__md_sums sums = {0};
        if (!is_idle(md->options.pattern, task, md->tasks))
            for (uint64_t i = task * GWS_MD_TASK; i < gws__md_end(md, task); i++) add_force(md, i, loop->kick, &sums);
        md->sums[task] = sums;
    }
}

gws_status gws__md_forces(struct gws_md *md, float kick)
{
    struct force_loop context = {md, kick};
    const struct gws_loop loop = {.count = md->tasks, .body = force_tasks, .context = &context, .chunk = 1};
    return gws_parallel_try(md->runtime, &loop);
}

struct gws__md_sums gws__md_total(const struct gws_md *md)
{
    struct gws__md_sums total = {0};
    for (uint64_t task = 0; task < md->tasks; task++) {
        total.potential += md->sums[task].potential;
        total.kinetic += md->sums[task].kinetic;
        total.pairs += md->sums[task].pairs;
    }
    return total;
}

/* ---- a step ---- */

static void drift_tasks(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws_md *md = context;
    float step = (float)md->options.step, max_square = (float)(md->options.skin * md->options.skin / 4);
    bool far = false;
    (void)worker;
    for (uint64_t i = begin * GWS_MD_TASK; i < gws__md_end(md, end - 1); i++) {
        float square = 0;
        for (uint64_t at = MD_WORDS * i; at < MD_WORDS * i + 3; at++) {
            md->velocity[at] += 0.5F * step * md->force[at];
            md->position[at] += step * md->velocity[at];
            float shift = md->position[at] - md->built_at[at];
            square += shift * shift;
        }
        far |= !(square < max_square); /* also if it is NaN */
    }
    if (far) atomic_store_explicit(&md->stale, 1, memory_order_relaxed);
}

static gws_status one_step(struct gws_md *md)
{
    gws_status status = gws__md_for(md, md->tasks, 32, drift_tasks);
    bool stale = atomic_load_explicit(&md->stale, memory_order_relaxed) != 0;
    if (status == GWS_OK && stale) status = gws__md_rebuild(md);
    if (status == GWS_OK) status = gws__md_forces(md, 0.5F * (float)md->options.step);
    if (status == GWS_OK) md->steps++;
    return status;
}

static gws_status keep_drift(struct gws_md *md, struct gws__md_sums *total, struct gws_diagnostic *where)
{
    *total = gws__md_total(md);
    double energy = total->potential + total->kinetic;
    if (!isfinite(energy))
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0,
                                  "step %llu: the energy is not finite; a time step of %g is too long",
                                  (unsigned long long)md->steps, md->options.step);
    md->drift = fmax(md->drift, fabs(energy - md->energy) / (double)(md->atoms ? md->atoms : 1));
    return GWS_OK;
}

void gws__md_sum_momentum(const struct gws_md *md, double momentum[3])
{
    for (int axis = 0; axis < 3; axis++) momentum[axis] = 0;
    for (uint64_t i = 0; i < md->atoms; i++)
        for (int axis = 0; axis < 3; axis++) momentum[axis] += (double)md->velocity[MD_WORDS * i + (uint64_t)axis];
}

uint64_t gws__md_busy_tasks(const struct gws_md *md)
{
    uint64_t busy = 0;
    for (uint64_t task = 0; task < md->tasks; task++) busy += !is_idle(md->options.pattern, task, md->tasks);
    return busy;
}

static gws_status run_steps(struct gws_md *md, uint64_t steps, struct gws_md_result *result,
                            struct gws_diagnostic *where)
{
    double began = gws_clock_ms(), rebuild_ms = md->rebuild_ms;
    uint64_t rebuilds = md->rebuilds;
    struct gws__md_sums total = gws__md_total(md);
    gws_status status = GWS_OK;
    for (uint64_t step = 0; step < steps && status == GWS_OK; step++) {
        status = gws_diagnostic_status(where, one_step(md));
        if (status == GWS_OK) status = keep_drift(md, &total, where);
        if (step % 16 == 0) gws_report_progress(md->runtime, "moving atoms", step, steps);
    }
    if (status != GWS_OK) return status;
    *result = (struct gws_md_result){.atoms = md->atoms,
                                     .steps = steps,
                                     .tasks = steps * gws__md_busy_tasks(md),
                                     .rebuilds = md->rebuilds - rebuilds,
                                     .neighbours = md->row[md->atoms],
                                     .pairs = total.pairs / 2,
                                     .potential = total.potential,
                                     .kinetic = total.kinetic,
                                     .energy = md->energy,
                                     .drift = md->drift,
                                     .ms = gws_clock_ms() - began,
                                     .rebuild_ms = md->rebuild_ms - rebuild_ms};
    gws__md_sum_momentum(md, result->momentum);
    return GWS_OK;
}

gws_status gws_md_run(struct gws_md *md, uint64_t steps, struct gws_md_result *result, struct gws_diagnostic *where)
{
    return GWS_CALL(md->runtime, where, run_steps(md, steps, result, where));
}
