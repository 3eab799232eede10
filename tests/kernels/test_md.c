/* SPDX-License-Identifier: MIT */
/* The emulated kernel of molecular dynamics: forces against sums over all pairs, the same atoms for every number of
 * groups, order and schedule, lists that are too short, open space, chunks, and several linked devices. */
#include "../harness.h"

#include <tgmath.h>

#define GWS_GROUP_SIZE 1

/* clang-format off */
#include "../../kernels/portability/host.h"
#include "../../kernels/engine/engine_words.h"
#include "../../kernels/engine/grid.cl"
#include "../../kernels/engine/sums.cl"
#include "../../kernels/hetero/host_queue_words.h"
#include "../../kernels/hetero/host_queue.cl"
#include "../../kernels/md/md_words.h"
#include "../../kernels/md/md.cl"
#include "../../kernels/md/md_state.cl"
#include "../../kernels/md/md_cells.cl"
#include "../../kernels/md/md_lists.cl"
#include "../../kernels/md/md_run.cl"
/* clang-format on */
#include "emulate.h"

enum { side = 6, atoms = side * side * side, max_capacity = 128, max_groups = 5, steps = 12, max_devices = 8 };

/* A device. Most tests have one. */
static struct simulation {
    _Alignas(16) float position[MD_WORDS * atoms];
    float velocity[MD_WORDS * atoms], force[MD_WORDS * atoms], built_at[MD_WORDS * atoms];
    float sorted[MD_WORDS * atoms];
    u32 id[atoms], next_id[atoms], cell[atoms], begin[2 * atoms + 65], member[atoms], length[atoms];
    u32 list[atoms * max_capacity], wanted[atoms], control[MD_CONTROL], cursors[2 * max_groups], stop;
    u64 part[max_groups], sums[MD_SUMS * steps], stats[MD_STATS], arrived;
    u64 links[MD_LINK_ARRAYS + MD_LINK_WORDS * max_devices], meetings[MD_MEET];
    struct gws__md_field field;
    float kick;
    u32 capacity, steps, begins, reorders, schedule, from, end;
} run, other[max_devices - 1];

static struct simulation *device_at(u32 d)
{
    return d == 0 ? &run : &other[d - 1];
}

static void run_group(void)
{
    struct simulation *on = device_at(emulated_device);
    md_run(on->position, on->velocity, on->force, on->built_at, on->sorted, on->id, on->next_id, on->cell, on->begin,
           on->member, on->length, on->list, on->wanted, on->part, on->control, on->sums, on->stats, on->cursors,
           &on->arrived, on->links[MD_LINK_DEVICES] ? on->links : NULL, &on->stop, NULL, NULL, 0, on->field, 0.01F,
           on->kick, atoms, on->capacity, on->steps, on->begins, on->reorders, on->schedule, 0, on->from, on->end);
}

static void prepare(struct simulation *on, u32 n, u32 begins, float kick)
{
    memset(on->control, 0, sizeof on->control);
    memset(on->control + MD_BOUNDS, 0xff, 3 * sizeof(u32));
    memset(on->cursors, 0, sizeof on->cursors);
    memset(on->sums, 0, sizeof on->sums);
    on->steps = n, on->begins = begins, on->kick = kick, on->arrived = 0;
}

/* Launches for n steps. The caller has set everything else. */
static void launch(u32 groups, u32 n, u32 begins, float kick)
{
    prepare(&run, n, begins, kick);
    emulate_groups(run_group, groups);
}

/* Launches on several linked devices at once. */
static void launch_linked(u32 devices, u32 groups, u32 n, u32 begins)
{
    struct emulated_group group[max_devices][max_emulated_groups];
    for (u32 d = 0; d < devices; d++) prepare(device_at(d), n, begins, 0);
    for (u32 d = 0; d < devices; d++) start_device(d, group[d], run_group, groups);
    for (u32 d = 0; d < devices; d++) join_groups(group[d], groups);
}

/* The width of the lattice: a cube, or a long rod, of which a device does not sort all cells. */
enum { rod = 3 };
static u32 width = side;

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
        u32 place[3] = {i % width, i / width % width, i / width / width};
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

/* The chunks of a launch without forces compute what a launch with them does. */
static u32 chunk_from, chunk_end;

static void one_chunk(void)
{
    md_chunk(run.position, run.velocity, run.force, run.length, run.list, run.control, run.sums, run.stats, run.field,
             run.kick, atoms, run.capacity, 0, chunk_from, chunk_end);
}

/* Computes the forces of a step by chunks. The last one has more items than atoms. */
static void launch_chunks(u32 begins, float kick)
{
    run.schedule = MD_NO_FORCES;
    launch(2, 1, begins, kick);
    run.kick = begins ? kick : 0.005F;
    for (chunk_from = 0; chunk_from < atoms; chunk_from = chunk_end) {
        chunk_end = chunk_from + max_emulated_groups < atoms ? chunk_from + max_emulated_groups : atoms;
        emulate_groups(one_chunk, max_emulated_groups);
    }
}

START_TEST(chunks)
{
    static float expected[3 * atoms], found[3 * atoms];
    simulate(1, SCHEDULE_STEAL, 1, expected);
    u64 sums[MD_SUMS];
    memcpy(sums, &run.sums[MD_SUMS * (steps - 1)], sizeof sums);
    make_atoms(true);
    run.capacity = 3;
    launch_chunks(1, 0);
    ck_assert_uint_eq(run.sums[MD_PAIRS], 0);
    run.capacity = max_capacity;
    launch_chunks(1, 0);
    for (u32 i = 0; i < steps; i++) launch_chunks(0, 0);
    positions_of(found);
    ck_assert_mem_eq(found, expected, sizeof found);
    ck_assert_mem_eq(run.sums, sums, sizeof sums);
}
END_TEST

/* ---- several devices ---- */

static void link_devices(u32 devices)
{
    const u32 tasks = (atoms + MD_TASK - 1) / MD_TASK;
    for (u32 d = 0; d < devices; d++) {
        struct simulation *on = device_at(d);
        if (d > 0) *on = run;
        on->links[MD_LINK_DEVICES] = devices, on->links[MD_LINK_OWN] = d;
        on->from = tasks * d / devices * MD_TASK, on->end = min_u32(tasks * (d + 1) / devices * MD_TASK, atoms);
        for (u32 i = 0; i < devices; i++) {
            u64 *link = &on->links[MD_LINK_ARRAYS + MD_LINK_WORDS * i];
            link[MD_LINK_POSITION] = (uintptr_t)device_at(i)->position;
            link[MD_LINK_VELOCITY] = (uintptr_t)device_at(i)->velocity;
            link[MD_LINK_ID] = (uintptr_t)device_at(i)->id;
            link[MD_LINK_MEET] = (uintptr_t)device_at(i)->meetings;
        }
    }
}

static void same_part(const struct simulation *on, const float *found, const float *expected)
{
    const size_t first = (size_t)MD_WORDS * on->from, bytes = MD_WORDS * sizeof(float) * (on->end - on->from);
    if (bytes > 0) ck_assert_mem_eq(found + first, expected + first, bytes);
}

/* The atoms are those of one device, bit by bit, and so are the sums of all energies. */
static void compare_linked(const struct simulation *expected, u32 devices, u32 n)
{
    for (u32 d = 0; d < devices; d++) {
        ck_assert_uint_eq(device_at(d)->control[MD_STEPS], n);
        for (u32 i = device_at(d)->from; i < device_at(d)->end; i++)
            ck_assert_uint_eq(device_at(d)->id[i], expected->id[i]);
        same_part(device_at(d), device_at(d)->position, expected->position);
        same_part(device_at(d), device_at(d)->velocity, expected->velocity);
        same_part(device_at(d), device_at(d)->force, expected->force);
    }
    for (u32 i = 0; i < MD_SUMS * n; i++) {
        u64 sum = 0;
        for (u32 d = 0; d < devices; d++) sum += device_at(d)->sums[i];
        ck_assert_uint_eq(sum, expected->sums[i]);
    }
}

START_TEST(linked_devices)
{
    static struct simulation expected;
    static const u32 counts[] = {2, 3, 4, max_devices};
    const u32 devices = counts[_i % 4], reorders = _i >= 4;
    const bool periodic = _i / 4 == 1;
    struct simulation *last = device_at(devices - 1);
    width = _i < 8 ? side : rod;
    make_atoms(periodic);
    run.reorders = reorders;
    launch(1, 1, 1, 0);
    for (u32 i = 0; i < 2; i++) launch(1, steps, 0, 0);
    expected = run;
    make_atoms(periodic);
    run.reorders = reorders;
    link_devices(devices);
    last->capacity = 3;
    launch_linked(devices, 2, 1, 1);
    for (u32 d = 0; d < devices; d++) ck_assert_uint_eq(device_at(d)->control[MD_STEPS], 0);
    last->capacity = max_capacity;
    launch_linked(devices, 2, 1, 1);
    for (u32 i = 0; i < 2; i++) launch_linked(devices, 2, steps, 0);
    ck_assert_uint_ge(run.control[MD_REBUILDS], 1);
    compare_linked(&expected, devices, steps);
    width = side;
}
END_TEST

/* The host ends a kernel that waits for a device that does not run. */
START_TEST(missing_device)
{
    make_atoms(true);
    link_devices(2);
    run.stop = 1;
    launch(2, 1, 1, 0);
    ck_assert_uint_eq(run.control[MD_STEPS], 0);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{forces_equal_the_oracles, 2},
                                    {any_groups_and_schedule, 1},
                                    {short_lists, 1},
                                    {chunks, 1},
                                    {linked_devices, 12},
                                    {missing_device, 1},
                                    {0}};
    return gws_test_run("emulated molecular dynamics", test);
}
