/* SPDX-License-Identifier: MIT */
/* Atoms written to XYZ files and read back: the text, simulations that continue from a file, cut files, failing memory,
 * a full disk. */
#include "molecule.h"

#include "../../../traversal/md.h"

/* Every cut of a compressed file is an error, even within a later frame. */
START_TEST(cut_gzip)
{
    char bytes[4096];
    const char *path = gws_test_temp("whole.xyz.gz");
    read_text("2\n\nO 1 2 3\nH 4 5 6\n");
    write_file(path, &atoms, 2);
    read_file(path);
    ck_assert(atoms.count == 2 && ((float *)atoms.z)[1] == 6);
    FILE *file = fopen(path, "rb");
    size_t size = fread(bytes, 1, sizeof bytes, file);
    ck_assert(size > 50 && size < sizeof bytes);
    fclose(file);
    gws_points_clear(&atoms);
    for (size_t cut = 2; cut < size; cut++) {
        path = gws_test_file("cut.xyz.gz", bytes, cut);
        ck_assert_int_eq(gws_atoms_read(runtime, path, &atoms, low, high, &where), GWS_TRUNCATED);
    }
}
END_TEST

START_TEST(text_of_a_frame)
{
    char text[256] = "";
    const char *path = gws_test_temp("text.xyz");
    float x[2] = {0.1F, 1e20F}, zero[2] = {0};
    struct gws_points bare = {.count = 2, .x = x, .y = zero, .z = zero};
    low[0] = -1, high[0] = 9, high[1] = 8, high[2] = 7.5;
    write_file(path, &bare, 1);
    FILE *file = fopen(path, "r");
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    ck_assert_str_eq(text, "2\nLattice=\"10 0 0 0 8 0 0 0 7.5\" Origin=\"-1 0 0\" Properties=species:S:1:pos:R:3 "
                           "pbc=\"T T T\"\nX 0.1 0 0\nX 1e+20 0 0\n");
}
END_TEST

START_TEST(refuses_species_that_are_no_names)
{
    static const char bad[][GWS_SPECIES_BYTES] = {"", "a b", "?", "1e5", "x\n", "-1"};
    read_text("2\n\nO 1 2 3\nH 4 5 6\n");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct gws_output *output = NULL;
        memcpy((uint64_t *)atoms.column[4].data + 1, bad[i], GWS_SPECIES_BYTES);
        ck_assert_int_eq(gws_output_open(runtime, gws_test_temp("no.xyz"), &where, &output), GWS_OK);
        gws_status status = gws_output_close(output, gws_atoms_write(output, &atoms, low, high));
        ck_assert_int_eq(status, GWS_INVALID);
        ck_assert_str_eq(where.message, "the species of atom 1 is no name");
        ck_assert_int_ne(access(gws_test_temp("no.xyz"), F_OK), 0);
    }
}
END_TEST

/* Returns the total energies of a simulation of the set, at its begin and after some steps, and fetches the end. */
static struct gws_md_result simulate(struct gws_points *set, uint64_t steps)
{
    struct gws_md_options options = {.cutoff = 2};
    struct gws_md_result result;
    struct gws_md *md = NULL;
    memcpy(options.low, low, sizeof low);
    memcpy(options.high, high, sizeof high);
    ck_assert_msg(gws_md_open(runtime, set, &options, &md, &where) == GWS_OK, "%s", where.message);
    ck_assert_int_eq(gws_md_run(md, steps, &result, &where), GWS_OK);
    gws_points_clear(set);
    ck_assert_int_eq(gws_md_fetch(md, set), GWS_OK);
    gws_md_close(md);
    return result;
}

/* The atoms of a file are the written ones to the bit, and a simulation continues from them with the same energies. */
START_TEST(simulations_continue)
{
    enum { count = 500 };
    const struct gws_md_start start = {.atoms = count, .charge = 0.3, .gauss = _i, .seed = 7};
    struct gws_points set = {0};
    const char *path = gws_test_temp(_i ? "md.xyz" : "md.xyz.gz");
    ck_assert_int_eq(gws_md_begin(runtime, &start, &set, low, high), GWS_OK);
    (void)simulate(&set, 40);
    write_file(path, &set, 1);
    double edge[3] = {high[0], high[1], high[2]};
    read_file(path);
    check_box(0, 0, 0, edge);
    ck_assert_uint_eq(atoms.count, count);
    ck_assert_mem_eq(atoms.x, set.x, count * sizeof(float));
    ck_assert_mem_eq(atoms.y, set.y, count * sizeof(float));
    ck_assert_mem_eq(atoms.z, set.z, count * sizeof(float));
    for (int c = 0; c < 4; c++) ck_assert_mem_eq(atoms.column[c].data, set.column[c].data, count * sizeof(float));
    struct gws_md_result one = simulate(&set, 20), other = simulate(&atoms, 20);
    ck_assert_double_eq_tol(one.potential, other.potential, 1e-4 * count);
    ck_assert_double_eq_tol(one.kinetic, other.kinetic, 1e-4 * count);
    ck_assert_double_eq_tol(one.energy, other.energy, 1e-6 * count);
    gws_points_clear(&set);
}
END_TEST

START_TEST(a_full_disk_is_an_error)
{
    struct gws_output *output = NULL;
    read_text("1\n\nO 1 2 3\n");
    ck_assert_int_eq(gws_output_open(runtime, "/dev/full", &where, &output), GWS_OK);
    ck_assert_int_eq(gws_output_close(output, gws_atoms_write(output, &atoms, low, high)), GWS_SYSTEM);
    ck_assert_ptr_nonnull(strstr(where.message, "No space left"));
}
END_TEST

/* Reads and writes with a failing allocation. Returns false if no allocation failed. */
static bool copy_with_failure(uint64_t k, const char *from, const char *to)
{
    struct gws_test_memory memory = {0};
    struct gws_options options = {.threads = 2, .allocator = gws_test_allocator(&memory)};
    struct gws_runtime *failing = NULL;
    struct gws_output *output = NULL;
    struct gws_points set = {0};
    ck_assert_int_eq(gws_runtime_open(&options, &failing), GWS_OK);
    memory.fail_at = atomic_load(&memory.calls) + k;
    gws_status status = gws_atoms_read(failing, from, &set, low, high, &where);
    ck_assert_int_eq(status == GWS_OK, set.owner != NULL);
    if (status == GWS_OK) status = gws_output_open(failing, to, &where, &output);
    if (status == GWS_OK) status = gws_output_close(output, gws_atoms_write(output, &set, low, high));
    bool failed = atomic_load(&memory.failed);
    ck_assert_int_eq(status, failed ? GWS_NO_MEMORY : GWS_OK);
    if (failed) ck_assert_ptr_nonnull(strstr(where.message, "out of memory"));
    ck_assert_int_eq(access(to, F_OK) == 0, !failed);
    gws_points_clear(&set);
    gws_runtime_close(failing);
    gws_test_memory_check(&memory);
    return failed;
}

START_TEST(any_allocation_may_fail)
{
    float x[200] = {0};
    struct gws_points set = {.count = 200, .x = x, .y = x, .z = x};
    const char *from = gws_test_temp("many.xyz.gz"), *to = gws_test_temp("copy.xyz.gz");
    write_file(from, &set, 1);
    uint64_t k = 1;
    while (copy_with_failure(k, from, to)) k += gws_test_step();
    ck_assert_uint_gt(k, 8);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{cut_gzip, 1},
                                    {text_of_a_frame, 1},
                                    {refuses_species_that_are_no_names, 1},
                                    {simulations_continue, 2},
                                    {a_full_disk_is_an_error, 1},
                                    {any_allocation_may_fail, 1},
                                    {0}};
    return gws_test_run_between("atoms_write", test, setup, teardown);
}
