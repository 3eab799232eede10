/* SPDX-License-Identifier: MIT */
/* Tests molecular dynamics: forces against sums over all pairs, the same atoms under every policy and order, laws of
 * motion, faults that the check must find, bad input, failing memory, cancelled calls. */
#include "world.h"

/* Runs some steps and returns the atoms. */
static struct gws_points run(struct gws_runtime *runtime, const struct world *world, uint64_t steps,
                             struct gws_md_result *result)
{
    struct gws_md *md = NULL;
    struct gws_points atoms = {0};
    struct gws_diagnostic where = {0};
    if (gws_md_open(runtime, &world->atoms, &world->options, &md, &where) != GWS_OK) ck_abort_msg("%s", where.message);
    if (gws_md_run(md, steps, result, &where) != GWS_OK) ck_abort_msg("%s", where.message);
    ck_assert_int_eq(gws_md_fetch(md, &atoms), GWS_OK);
    gws_md_close(md);
    return atoms;
}

/* ---- forces and motion ---- */

START_TEST(few_atoms)
{
    static const struct gws_md_start starts[] = {{.atoms = 0, .gauss = true},
                                                 {.atoms = 1, .gauss = true},
                                                 {.atoms = 2, .gauss = true, .charge = 0.5},
                                                 {.atoms = 130, .gauss = true},
                                                 {.atoms = 130, .density = 0.001, .gauss = true, .charge = 3}};
    struct gws_runtime *runtime = runtime_of(2);
    struct world world = world_of(runtime, starts[_i]);
    struct gws_md_result result;
    struct gws_points atoms = run(runtime, &world, 20, &result);
    ck_assert_uint_eq(result.atoms, starts[_i].atoms);
    ck_assert_uint_eq(result.tasks, 20 * ((starts[_i].atoms + 127) / 128));
    check(runtime, &world, &atoms, &result);
    gws_points_clear(&atoms);
    gws_points_clear(&world.atoms);
    gws_runtime_close(runtime);
}
END_TEST

/* Two atoms oscillate. Their force at the first distance is known. */
START_TEST(two_atoms)
{
    float x[2] = {0, 1.25F}, zero[2] = {0};
    struct world world = {.atoms = {.count = 2, .x = x, .y = zero, .z = zero}, .options = {.cutoff = 3}};
    struct gws_runtime *runtime = runtime_of(1);
    struct gws_md_result result;
    struct gws_points atoms = run(runtime, &world, 0, &result);
    double at_cutoff = 48 * pow(3, -13) - 24 * pow(3, -7), force = 48 * pow(1.25, -13) - 24 * pow(1.25, -7) - at_cutoff;
    ck_assert_double_eq_tol((double)((float *)atoms.column[4].data)[0], -force, 1e-5);
    ck_assert_double_eq_tol((double)((float *)atoms.column[4].data)[1], force, 1e-5);
    ck_assert_uint_eq(result.pairs, 1);
    ck_assert_uint_eq(result.neighbours, 2);
    gws_points_clear(&atoms);
    atoms = run(runtime, &world, 2000, &result);
    ck_assert_double_lt(result.drift, 1e-3);
    ck_assert_double_gt(fabs((double)((float *)atoms.x)[1] - 1.25), 1e-3);
    check(runtime, &world, &atoms, &result);
    gws_points_clear(&atoms);
    gws_runtime_close(runtime);
}
END_TEST

/* Every policy gives the same atoms as one thread, in one of the orders and shapes. */
START_TEST(every_policy)
{
    enum { count = 300 };
    struct gws_runtime *runtime = policies_open(_i), *serial = runtime_of(1);
    struct world world = world_of(runtime, (struct gws_md_start){.atoms = count, .charge = 0.1, .gauss = _i % 2 == 1});
    world.options.order = (enum gws_md_order)(_i % 3);
    struct gws_md_result result, expected;
    struct gws_points atoms = run(runtime, &world, 12, &result), same = run(serial, &world, 12, &expected);
    if (_i < 2) check(runtime, &world, &atoms, &result);
    ck_assert_uint_eq(result.pairs, expected.pairs);
    ck_assert_uint_eq(result.rebuilds, expected.rebuilds);
    ck_assert_mem_eq(&result.potential, &expected.potential, sizeof result.potential);
    ck_assert_mem_eq(atoms.x, same.x, count * sizeof(float));
    ck_assert_mem_eq(atoms.column[6].data, same.column[6].data, count * sizeof(float));
    gws_points_clear(&atoms);
    gws_points_clear(&same);
    gws_points_clear(&world.atoms);
    gws_runtime_close(runtime);
    gws_runtime_close(serial);
}
END_TEST

static double farthest(const struct gws_points *a, const struct gws_points *b, const struct gws_md_options *box)
{
    const float *mine[] = {a->x, a->y, a->z}, *other[] = {b->x, b->y, b->z};
    double max = 0;
    for (int axis = 0; axis < 3; axis++)
        for (uint64_t i = 0; i < a->count; i++) {
            double d = fabs((double)mine[axis][i] - (double)other[axis][i]), edge = box->high[axis] - box->low[axis];
            max = fmax(max, edge > 0 ? fmin(d, edge - d) : d);
        }
    return max;
}

/* With all velocities turned round, the atoms go back to where they began, through several lists. */
START_TEST(motion_is_reversible)
{
    struct gws_runtime *runtime = runtime_of(2);
    struct world world = world_of(runtime, (struct gws_md_start){.atoms = 300, .charge = 0.2, .gauss = _i});
    struct world back = {.options = world.options};
    struct gws_md_result result;
    back.atoms = run(runtime, &world, 60, &result);
    ck_assert_uint_ge(result.rebuilds, 2);
    ck_assert_double_gt(farthest(&world.atoms, &back.atoms, &world.options), 0.2);
    for (int axis = 0; axis < 3; axis++)
        for (uint64_t i = 0; i < 300; i++) ((float *)back.atoms.column[axis].data)[i] *= -1;
    struct gws_points end = run(runtime, &back, 60, &result);
    ck_assert_double_lt(farthest(&world.atoms, &end, &world.options), 0.01);
    gws_points_clear(&end);
    gws_points_clear(&back.atoms);
    gws_points_clear(&world.atoms);
    gws_runtime_close(runtime);
}
END_TEST

/* A small box has two cells along an edge, or fewer than three. */
START_TEST(small_boxes)
{
    struct gws_runtime *runtime = runtime_of(2);
    struct world world = world_of(runtime, (struct gws_md_start){.atoms = 256, .charge = 0.1});
    world.options.cutoff = 2 + 0.4 * _i;
    struct gws_md_result result;
    struct gws_points atoms = run(runtime, &world, 30, &result);
    check(runtime, &world, &atoms, &result);
    for (uint64_t i = 0; i < 256; i++) ck_assert_float_lt(((float *)atoms.x)[i], (float)world.options.high[0]);
    gws_points_clear(&atoms);
    gws_points_clear(&world.atoms);
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(patterns)
{
    static const uint64_t busy[] = {8, 6, 4, 4, 2};
    struct gws_runtime *runtime = runtime_of(2);
    for (uint32_t pattern = 0; gws_md_pattern_at(pattern); pattern++) {
        struct world world = world_of(runtime, (struct gws_md_start){.atoms = 1000});
        world.options.pattern = (enum gws_md_pattern)pattern;
        struct gws_md_result result;
        struct gws_points atoms = run(runtime, &world, 3, &result);
        ck_assert_uint_eq(result.tasks, 3 * busy[pattern]);
        gws_status status = gws_md_check(runtime, &atoms, &world.options, &result, world.momentum, NULL);
        ck_assert_int_eq(status, pattern == GWS_MD_P0 ? GWS_OK : GWS_INVALID);
        gws_points_clear(&atoms);
        gws_points_clear(&world.atoms);
    }
    gws_runtime_close(runtime);
}
END_TEST

/* ---- faults that the check finds ---- */

enum fault { POSITION, VELOCITY, FORCE, POTENTIAL, KINETIC, PAIRS, MOMENTUM, DRIFT, ATOMS, FAULTS };

static void break_it(enum fault fault, struct gws_points *atoms, struct gws_md_result *result, double momentum[3])
{
    static const double one = 1;
    switch (fault) {
    case POSITION:
        ((float *)atoms->y)[77] += 0.05F;
        break;
    case VELOCITY:
        ((float *)atoms->column[2].data)[12] += 0.5F;
        break;
    case FORCE:
        ((float *)atoms->column[5].data)[300] += 1;
        break;
    case POTENTIAL:
        result->potential += one;
        break;
    case KINETIC:
        result->kinetic += one;
        break;
    case PAIRS:
        result->pairs += 100;
        break;
    case MOMENTUM:
        momentum[2] += one;
        break;
    case DRIFT:
        result->drift = NAN;
        break;
    default:
        result->atoms++;
    }
}

START_TEST(check_finds)
{
    struct gws_runtime *runtime = runtime_of(2);
    struct world world = world_of(runtime, (struct gws_md_start){.atoms = 500, .charge = 0.1});
    struct gws_md_result result;
    struct gws_diagnostic where = {0};
    struct gws_points atoms = run(runtime, &world, 5, &result);
    check(runtime, &world, &atoms, &result);
    break_it((enum fault)_i, &atoms, &result, world.momentum);
    ck_assert_int_eq(gws_md_check(runtime, &atoms, &world.options, &result, world.momentum, &where), GWS_WRONG_RESULT);
    ck_assert_str_ne(where.message, "");
    gws_points_clear(&atoms);
    gws_points_clear(&world.atoms);
    gws_runtime_close(runtime);
}
END_TEST

/* ---- bad input ---- */

static void refused(struct gws_runtime *runtime, struct world *world, const char *word)
{
    struct gws_md *md = NULL;
    struct gws_diagnostic where = {0};
    ck_assert_int_eq(gws_md_open(runtime, &world->atoms, &world->options, &md, &where), GWS_INVALID);
    if (!strstr(where.message, word)) ck_abort_msg("'%s' does not mention '%s'", where.message, word);
    ck_assert_ptr_null(md);
}

START_TEST(bad_input)
{
    struct gws_runtime *runtime = runtime_of(2);
    struct world good = world_of(runtime, (struct gws_md_start){.atoms = 300}), bad = good;
    bad.options.high[1] = 5;
    refused(runtime, &bad, "edge of the box is 5");
    bad.options = (struct gws_md_options){.cutoff = -1};
    refused(runtime, &bad, "cut-off");
    bad.options = (struct gws_md_options){.skin = NAN};
    refused(runtime, &bad, "skin");
    bad.options = (struct gws_md_options){.step = INFINITY};
    refused(runtime, &bad, "time step");
    bad.options = (struct gws_md_options){.order = (enum gws_md_order)7};
    refused(runtime, &bad, "order");
    bad.options = (struct gws_md_options){.pattern = (enum gws_md_pattern)7};
    refused(runtime, &bad, "pattern");
    bad.options = good.options;
    float *x = good.atoms.x, *y = good.atoms.y, *z = good.atoms.z;
    x[4] = x[3], y[4] = y[3], z[4] = z[3];
    refused(runtime, &bad, "same place");
    x[200] = NAN;
    refused(runtime, &bad, "atom 200");
    struct gws_md_start start = {.atoms = 10, .density = -1};
    double box[2][3];
    ck_assert_int_eq(gws_md_begin(runtime, &start, &bad.atoms, box[0], box[1]), GWS_INVALID);
    start = (struct gws_md_start){.atoms = UINT64_C(1) << 40};
    ck_assert_int_eq(gws_md_begin(runtime, &start, &bad.atoms, box[0], box[1]), GWS_TOO_LARGE);
    gws_points_clear(&good.atoms);
    gws_runtime_close(runtime);
}
END_TEST

/* Steps that are far too long put atoms onto each other. */
START_TEST(too_long_a_step)
{
    struct gws_runtime *runtime = runtime_of(2);
    struct world world = world_of(runtime, (struct gws_md_start){.atoms = 300});
    struct gws_md *md = NULL;
    struct gws_md_result result = {.atoms = 5};
    struct gws_diagnostic where = {0};
    world.options.step = 0.5;
    ck_assert_int_eq(gws_md_open(runtime, &world.atoms, &world.options, &md, &where), GWS_OK);
    gws_status status = GWS_OK;
    for (int i = 0; i < 200 && status == GWS_OK; i++) {
        result.atoms = 5;
        status = gws_md_run(md, 1, &result, &where);
    }
    ck_assert_int_eq(status, GWS_INVALID);
    ck_assert_ptr_nonnull(strstr(where.message, "time step"));
    ck_assert_uint_eq(result.atoms, 5);
    gws_md_close(md);
    gws_points_clear(&world.atoms);
    gws_runtime_close(runtime);
}
END_TEST

static gws_status begin_and_run(struct gws_runtime *runtime, void *context)
{
    struct world world = {.options = {.order = GWS_MD_POPULATION}};
    struct gws_md_start start = {.atoms = 150, .gauss = true};
    struct gws_md *md = NULL;
    struct gws_md_result result;
    struct gws_points atoms = {0};
    (void)context;
    gws_status status = gws_md_begin(runtime, &start, &world.atoms, world.options.low, world.options.high);
    if (status == GWS_OK) status = gws_md_open(runtime, &world.atoms, &world.options, &md, NULL);
    if (status == GWS_OK) status = gws_md_run(md, 3, &result, NULL);
    if (status == GWS_OK) status = gws_md_fetch(md, &atoms);
    if (status != GWS_OK) ck_assert_ptr_null(atoms.x);
    gws_md_close(md);
    gws_points_clear(&atoms);
    gws_points_clear(&world.atoms);
    return status;
}

START_TEST(failing_memory)
{
    policies_fail(gws_test_quick() ? 8 : 40, begin_and_run, NULL);
}
END_TEST

static bool ask(void *context)
{
    return atomic_load((atomic_bool *)context);
}

START_TEST(cancelled)
{
    atomic_bool cancels = false;
    struct gws_options options = {.threads = 2, .cancel = ask, .context = &cancels};
    struct gws_runtime *runtime = NULL;
    struct gws_md *md = NULL;
    struct gws_md_result result = {.atoms = 5};
    ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
    struct world world = world_of(runtime, (struct gws_md_start){.atoms = 300});
    ck_assert_int_eq(gws_md_open(runtime, &world.atoms, &world.options, &md, NULL), GWS_OK);
    atomic_store(&cancels, true);
    ck_assert_int_eq(gws_md_run(md, 1000000000, &result, NULL), GWS_CANCELLED);
    ck_assert_uint_eq(result.atoms, 5);
    gws_md_close(md);
    gws_points_clear(&world.atoms);
    gws_runtime_close(runtime);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{few_atoms, 5},
                                    {two_atoms, 1},
                                    {every_policy, policies_count()},
                                    {motion_is_reversible, 2},
                                    {small_boxes, 3},
                                    {patterns, 1},
                                    {check_finds, FAULTS},
                                    {bad_input, 1},
                                    {too_long_a_step, 1},
                                    {failing_memory, 1},
                                    {cancelled, 1},
                                    {0}};
    return gws_test_run("md", test);
}
