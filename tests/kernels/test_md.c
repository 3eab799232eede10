/* SPDX-License-Identifier: MIT */
/* The emulated kernel of molecular dynamics: forces against sums over all pairs, the same atoms for every number of
 * groups, order and schedule, lists that are too short, and open space. */
#include "../harness.h"

#include <tgmath.h>

#define GWS_GROUP_SIZE 1

/* clang-format off */
#include "../../kernels/portability/host.h"
#include "../../kernels/engine/engine_words.h"
#include "../../kernels/engine/grid.cl"
#include "../../kernels/hetero/host_queue_words.h"
#include "../../kernels/hetero/host_queue.cl"
#include "../../kernels/md/md_words.h"
#include "../../kernels/md/md.cl"
#include "../../kernels/md/md_lists.cl"
#include "../../kernels/md/md_run.cl"
/* clang-format on */
#include "emulate.h"

enum { side = 6, atoms = side * side * side, max_capacity = 128, max_groups = 5, steps = 12 };

static struct {
    float position[MD_WORDS * atoms], velocity[MD_WORDS * atoms], force[MD_WORDS * atoms], built_at[MD_WORDS * atoms];
    float sorted[MD_WORDS * atoms];
    u32 id[atoms], next_id[atoms], cell[atoms], begin[2 * atoms + 65], member[atoms], length[atoms];
    u32 list[atoms * max_capacity], control[MD_CONTROL], cursors[2 * max_groups];
    u64 part[max_groups], sums[MD_SUMS * steps], stats[MD_STATS], arrived;
    struct gws__md_field field;
    float kick;
    u32 capacity, steps, begins, reorders, schedule, from, end;
} run;

static void all_groups(void)
{
    md_run(run.position, run.velocity, run.force, run.built_at, run.sorted, run.id, run.next_id, run.cell, run.begin,
           run.member, run.length, run.list, run.part, run.control, run.sums, run.stats, run.cursors, &run.arrived,
           NULL, NULL, 0, run.field, 0.01F, run.kick, atoms, run.capacity, run.steps, run.begins, run.reorders,
           run.schedule, 0, run.from, run.end);
}

/* Launches for n steps. The caller has set everything else. */
static void launch(u32 groups, u32 n, u32 begins, float kick)
{
    memset(run.control, 0, sizeof run.control);
    memset(run.control + MD_BOUNDS, 0xff, 3 * sizeof(u32));
    memset(run.cursors, 0, sizeof run.cursors);
    memset(run.sums, 0, sizeof run.sums);
    run.steps = n, run.begins = begins, run.kick = kick, run.arrived = 0;
    emulate_groups(all_groups, groups);
}

/* A lattice, slightly irregular, in a periodic box or in open space. */
static void make_atoms(bool periodic)
{
    static const float cutoff = 2, skin = 0.4F, spacing = 1.2F;
    float sixth = 1 / (cutoff * cutoff * cutoff * cutoff * cutoff * cutoff);
    memset(&run, 0, sizeof run);
    run.capacity = max_capacity;
    run.reorders = 1;
    run.end = atoms;
    run.field = (struct gws__md_field){.cutoff_square = cutoff * cutoff,
                                       .cutoff = cutoff,
                                       .reach = cutoff + skin,
                                       .force = (48 * sixth * sixth - 24 * sixth) / cutoff,
                                       .energy = 4 * (sixth * sixth - sixth),
                                       .charge_force = 1 / (cutoff * cutoff),
                                       .charge_energy = 1 / cutoff};
    for (int axis = 0; axis < 3; axis++) {
        run.field.edge[axis] = periodic ? side * spacing : 0;
        run.field.half_edge[axis] = periodic ? side * spacing / 2 : 1e30F;
    }
    for (u32 i = 0; i < atoms; i++) {
        u32 place[3] = {i % side, i / side % side, i / side / side};
        run.id[i] = i;
        run.position[MD_WORDS * i + 3] = i % 2 ? 0.1F : -0.1F;
        for (u32 axis = 0; axis < 3; axis++) {
            run.position[MD_WORDS * i + axis] = spacing * ((float)place[axis] + 0.05F * (float)((i * 7 + axis) % 5));
            run.velocity[MD_WORDS * i + axis] = 0.5F * (float)((i * 13 + axis * 5) % 9) - 2;
        }
    }
}

/* The potential of the pairs of one atom, and its force side x, in doubles. */
static double serial_force(u32 atom, double *potential)
{
    double force = 0, c = (double)run.field.cutoff;
    for (u32 other = 0; other < atoms; other++) {
        double d[3], r = 0, edge = (double)run.field.edge[0];
        for (u32 axis = 0; axis < 3; axis++) {
            d[axis] = (double)run.position[MD_WORDS * atom + axis] - (double)run.position[MD_WORDS * other + axis];
            if (edge > 0) d[axis] -= edge * round(d[axis] / edge);
            r += d[axis] * d[axis];
        }
        r = sqrt(r);
        if (other == atom || r >= c) continue;
        double charges = (double)run.position[MD_WORDS * atom + 3] * (double)run.position[MD_WORDS * other + 3];
        double end = 24 * (2 * pow(c, -13) - pow(c, -7)) + charges / (c * c);
        force += (24 * (2 * pow(r, -13) - pow(r, -7)) + charges / (r * r) - end) * d[0] / r;
        *potential += 0.5 * (4 * (pow(r, -12) - pow(r, -6) - pow(c, -12) + pow(c, -6)) + charges * (1 / r - 1 / c) +
                             end * (r - c));
    }
    return force;
}

static void check_forces(u32 step)
{
    double potential = 0;
    for (u32 i = 0; i < atoms; i++) {
        double expected = serial_force(i, &potential);
        ck_assert_double_eq_tol((double)run.force[MD_WORDS * i], expected, 1e-3 * (1 + fabs(expected)));
    }
    ck_assert_double_eq_tol((double)(int64_t)run.sums[MD_SUMS * step] / MD_ENERGY_SCALE, potential, 1e-3 * atoms);
}

START_TEST(forces_equal_the_oracles)
{
    make_atoms(_i == 0);
    launch(3, 1, 1, 0);
    ck_assert_uint_eq(run.control[MD_STEPS], 1);
    ck_assert_uint_eq(run.control[MD_BROKEN], 0);
    check_forces(0);
    launch(3, steps, 0, 0);
    ck_assert_uint_eq(run.control[MD_STEPS], steps);
    ck_assert_uint_ge(run.control[MD_REBUILDS], 1);
    check_forces(steps - 1);
}
END_TEST

/* Positions by the atoms' first numbers. */
static void positions_of(float *out)
{
    for (u32 i = 0; i < atoms; i++)
        for (u32 axis = 0; axis < 3; axis++) out[3 * run.id[i] + axis] = run.position[MD_WORDS * i + axis];
}

static void simulate(u32 groups, u32 schedule, u32 reorders, float *out)
{
    make_atoms(true);
    run.schedule = schedule, run.reorders = reorders;
    launch(groups, 1, 1, 0);
    launch(groups, steps, 0, 0);
    positions_of(out);
}

START_TEST(any_groups_and_schedule)
{
    static float expected[3 * atoms], found[3 * atoms];
    for (u32 reorders = 0; reorders < 2; reorders++) {
        simulate(1, SCHEDULE_STEAL, reorders, expected);
        for (u32 groups = 2; groups <= max_groups; groups += 3)
            for (u32 schedule = SCHEDULE_STATIC; schedule <= SCHEDULE_STEAL; schedule++) {
                simulate(groups, schedule, reorders, found);
                ck_assert_mem_eq(found, expected, sizeof found);
            }
    }
}
END_TEST

/* A launch that lacks capacity ends before the forces of that step. The next one goes on as if nothing had happened. */
START_TEST(short_lists)
{
    static float expected[3 * atoms], found[3 * atoms];
    simulate(1, SCHEDULE_STEAL, 1, expected);
    make_atoms(true);
    run.capacity = 3;
    launch(2, 1, 1, 0);
    ck_assert_uint_eq(run.control[MD_STEPS], 0);
    ck_assert_uint_gt(run.control[MD_LONGEST], 3);
    run.capacity = max_capacity;
    launch(2, 1, 1, 0);
    launch(2, steps, 0, 0);
    positions_of(found);
    ck_assert_mem_eq(found, expected, sizeof found);
}
END_TEST

static Suite *md_suite(void)
{
    Suite *suite = suite_create("emulated molecular dynamics");
    TCase *tests = tcase_create("md");
    tcase_add_loop_test(tests, forces_equal_the_oracles, 0, 2);
    tcase_add_test(tests, any_groups_and_schedule);
    tcase_add_test(tests, short_lists);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return gws_test_main(md_suite);
}
