/* SPDX-License-Identifier: MIT */
/* Snapshots in HDF5, written by HDF5 itself and read through the build's libgraphws-hdf5. */
#define _GNU_SOURCE
#include "../../harness.h"

#include <dlfcn.h>
#include <hdf5.h>

#include "cloud.h"

static struct gws_runtime *runtime;

/* Loads the build's library. A later request for its soname finds it. */
static void setup(void)
{
    char path[4096];
    const char *build = getenv("GRAPHWS_BUILD");
    struct gws_options options = {.threads = 2};
    snprintf(path, sizeof path, "%s/lib/libgraphws-hdf5.so", build ? build : "build");
    ck_assert_msg(dlopen(path, RTLD_NOW) != NULL, "%s", dlerror());
    ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
}

static void teardown(void)
{
    gws_runtime_close(runtime);
}

/* ---- files ---- */

/* Makes a group. Returns its number, which the caller closes. */
static hid_t group(hid_t file, const char *name)
{
    hid_t made = H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    ck_assert_int_ge(made, 0);
    return made;
}

/* Writes rows * columns numbers (columns 0: of one dimension) with a type in the file and a type in memory. */
static void put(hid_t in, const char *name, hid_t stored, hid_t type, uint64_t rows, uint64_t columns, const void *data)
{
    const hsize_t size[2] = {rows, columns};
    hid_t space = H5Screate_simple(columns > 0 ? 2 : 1, size, NULL);
    hid_t set = H5Dcreate2(in, name, stored, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    ck_assert_int_ge(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), 0);
    H5Dclose(set);
    H5Sclose(space);
}

static void put_floats(hid_t in, const char *name, uint64_t rows, uint64_t columns, const float *data)
{
    put(in, name, H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, rows, columns, data);
}

static void put_attribute(hid_t in, const char *name, hsize_t count, const double *numbers)
{
    hid_t space = H5Screate_simple(1, &count, NULL);
    hid_t attribute = H5Acreate2(in, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT);
    ck_assert_int_ge(H5Awrite(attribute, H5T_NATIVE_DOUBLE, numbers), 0);
    H5Aclose(attribute);
    H5Sclose(space);
}

/* An empty file. *path stays valid until the next call. */
static hid_t create(const char **path)
{
    *path = gws_test_temp("snapshot.hdf5");
    hid_t file = H5Fcreate(*path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    ck_assert_int_ge(file, 0);
    return file;
}

static const float positions[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};

/* Two types of particles: gas with masses of its own, and stars with the mass of the table. */
static const char *two_types(hid_t coordinates, double star_mass)
{
    const char *path;
    hid_t file = create(&path), head = group(file, "Header"), gas = group(file, "PartType0"),
          stars = group(file, "PartType4"), none = group(file, "PartType5");
    const double table[6] = {0, 0, 0, 0, star_mass, 0};
    const int64_t ids[] = {7, -8, 9};
    put_attribute(head, "MassTable", 6, table);
    put(gas, "Coordinates", coordinates, H5T_NATIVE_FLOAT, 2, 3, positions);
    put_floats(stars, "Coordinates", 1, 3, positions + 6);
    put_floats(gas, "Masses", 2, 0, (const float[]){0.5F, 0.25F});
    put_floats(gas, "Density", 2, 0, (const float[]){50, 60}); /* stars have none */
    put(gas, "ParticleIDs", H5T_STD_I64BE, H5T_NATIVE_INT64, 2, 0, ids);
    put(stars, "ParticleIDs", H5T_STD_I64LE, H5T_NATIVE_INT64, 1, 0, ids + 2);
    put(gas, "Other", H5T_STD_I32LE, H5T_NATIVE_INT64, 2, 0, ids);
    put(stars, "Other", H5T_STD_I64LE, H5T_NATIVE_INT64, 1, 0, ids); /* of another kind than the gas */
    put_floats(gas, "Velocities", 2, 3, positions + 3);
    put_floats(stars, "Velocities", 1, 3, positions);
    put_floats(none, "Coordinates", 0, 3, positions);
    H5Gclose(head), H5Gclose(gas), H5Gclose(stars), H5Gclose(none), H5Fclose(file);
    return path;
}

static void check(const char *path, const char *said)
{
    struct gws_points points = {0};
    struct gws_diagnostic where = {0};
    char found[CLOUD_TEXT];
    gws_status status = gws_points_read(runtime, path, NULL, &points, &where);
    ck_assert_msg(status == GWS_OK, "%s", where.message);
    cloud_describe(&points, found);
    ck_assert_str_eq(found, said);
    gws_points_clear(&points);
}

static void check_failure(const char *path, gws_status status, const char *message)
{
    struct gws_points points = {0};
    struct gws_diagnostic where = {0};
    gws_status found = gws_points_read(runtime, path, NULL, &points, &where);
    ck_assert_msg(found == status && strstr(where.message, message), "%s", where.message);
    ck_assert_ptr_null(points.owner);
}

/* ---- tests ---- */

START_TEST(types_become_one_set)
{
    check(two_types(H5T_IEEE_F32LE, 4),
          "f PartType:u8 Masses:f64 ParticleIDs:i64 Velocities_0:f32 Velocities_1:f32 Velocities_2:f32"
          "; 0 1 2 0 0.5 7 3 4 5; 3 4 5 0 0.25 -8 6 7 8; 6 7 8 4 4 9 0 1 2");
    /* Doubles of any type make all coordinates doubles. Without a mass for the stars there is no column of masses. */
    check(two_types(H5T_IEEE_F64LE, 0),
          "d PartType:u8 ParticleIDs:i64 Velocities_0:f32 Velocities_1:f32 Velocities_2:f32"
          "; 0 1 2 0 7 3 4 5; 3 4 5 0 -8 6 7 8; 6 7 8 4 9 0 1 2");
}
END_TEST

START_TEST(no_particles)
{
    const char *path;
    hid_t file = create(&path), gas = group(file, "PartType1");
    put_floats(gas, "Coordinates", 0, 3, positions);
    H5Gclose(gas), H5Fclose(file);
    check(path, "f PartType:u8");
}
END_TEST

/* More rows than one block of the reader. */
START_TEST(many_particles)
{
    enum { rows = 70000 };
    static float position[3 * rows];
    const char *path;
    struct gws_points points = {0};
    for (int i = 0; i < 3 * rows; i++) position[i] = (float)i;
    hid_t file = create(&path), gas = group(file, "PartType1");
    put_floats(gas, "Coordinates", rows, 3, position);
    H5Gclose(gas), H5Fclose(file);
    ck_assert_int_eq(gws_points_read(runtime, path, NULL, &points, NULL), GWS_OK);
    ck_assert_uint_eq(points.count, rows);
    for (int i = 0; i < rows; i++) {
        ck_assert(((const float *)points.x)[i] == (float)(3 * i));
        ck_assert(((const float *)points.z)[i] == (float)(3 * i + 2));
    }
    gws_points_clear(&points);
}
END_TEST

static char said[256];

static void keep_log(void *context, const char *line)
{
    (void)context;
    snprintf(said, sizeof said, "%s", line);
}

START_TEST(one_of_several_files)
{
    const char *path;
    const double files = 4;
    struct gws_options options = {.threads = 1, .log = keep_log};
    struct gws_runtime *own = NULL;
    struct gws_points points = {0};
    hid_t file = create(&path), head = group(file, "Header"), gas = group(file, "PartType0");
    put_attribute(head, "NumFilesPerSnapshot", 1, &files);
    put_floats(gas, "Coordinates", 1, 3, positions);
    H5Gclose(head), H5Gclose(gas), H5Fclose(file);
    ck_assert_int_eq(gws_runtime_open(&options, &own), GWS_OK);
    ck_assert_int_eq(gws_points_read(own, path, NULL, &points, NULL), GWS_OK);
    ck_assert_ptr_nonnull(strstr(said, "the snapshot has 4 files; "));
    gws_points_clear(&points);
    gws_runtime_close(own);
}
END_TEST

START_TEST(wrong_files)
{
    const char *path;
    hid_t file = create(&path), gas = group(file, "PartType0");
    put_floats(gas, "Coordinates", 3, 4, positions);
    H5Gclose(gas), H5Fclose(file);
    check_failure(path, GWS_CORRUPT, "PartType0/Coordinates has not three columns");
    file = create(&path), gas = group(file, "PartType2");
    put_floats(gas, "Coordinates", 4, 3, positions);
    put_floats(gas, "Velocities", 3, 3, positions);
    H5Gclose(gas), H5Fclose(file);
    check_failure(path, GWS_CORRUPT, "PartType2/Velocities has 3 rows, but Coordinates has 4");
    file = create(&path), gas = group(file, "Group");
    H5Gclose(gas), H5Fclose(file);
    check_failure(path, GWS_UNSUPPORTED, "only snapshots of Gadget and AREPO can be read");
    path = gws_test_file("a.hdf5", "\x89HDF\r\n\x1a\n0123", 12);
    check_failure(path, GWS_CORRUPT, "HDF5 cannot open the file: ");
}
END_TEST

/* A file whose last bytes, numbers, are missing. */
START_TEST(truncated)
{
    struct stat status;
    const char *path = two_types(H5T_IEEE_F32LE, 4);
    ck_assert_int_eq(stat(path, &status), 0);
    ck_assert_int_eq(truncate(path, status.st_size - 8), 0);
    check_failure(path, GWS_CORRUPT, "HDF5 cannot open the file: truncated file");
}
END_TEST

/* Bytes that should be deflated, but are not. */
START_TEST(wrong_bytes)
{
    const char *path;
    const hsize_t size[2] = {2, 3};
    hid_t file = create(&path), gas = group(file, "PartType0"), space = H5Screate_simple(2, size, NULL);
    hid_t how = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(how, 2, size);
    H5Pset_deflate(how, 1);
    hid_t set = H5Dcreate2(gas, "Coordinates", H5T_IEEE_F32LE, space, H5P_DEFAULT, how, H5P_DEFAULT);
    const uint32_t mask = 0;
    ck_assert_int_ge(H5Dwrite_chunk(set, H5P_DEFAULT, mask, (const hsize_t[]){0, 0}, 12, positions),
                     0); /* not deflated */
    H5Dclose(set), H5Pclose(how), H5Sclose(space), H5Gclose(gas), H5Fclose(file);
    check_failure(path, GWS_CORRUPT, "PartType0/Coordinates cannot be read by HDF5: ");
}
END_TEST

START_TEST(streams)
{
    struct gws_points_read_options options = {0};
    struct cloud_result result = cloud_read_input(runtime, "a.hdf5", "\x89HDF\r\n\x1a\n", 8, &options, true, 0);
    ck_assert_int_eq(result.status, GWS_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(result.where.message, "HDF5 files can only be read from a plain file"));
}
END_TEST

static bool stop(void *context)
{
    (void)context;
    return true;
}

START_TEST(cancelled)
{
    struct gws_options options = {.threads = 2, .cancel = stop};
    struct gws_runtime *own = NULL;
    struct gws_points points = {0};
    const char *path = two_types(H5T_IEEE_F32LE, 4);
    ck_assert_int_eq(gws_runtime_open(&options, &own), GWS_OK);
    ck_assert_int_eq(gws_points_read(own, path, NULL, &points, NULL), GWS_CANCELLED);
    gws_runtime_close(own);
}
END_TEST

static gws_status read_points(struct gws_runtime *own, const void *path)
{
    struct gws_points points = {0};
    gws_status status = gws_points_read(own, path, NULL, &points, NULL);
    gws_points_clear(&points);
    return status;
}

START_TEST(no_memory)
{
    const char *path = two_types(H5T_IEEE_F32LE, 4);
    gws_test_each_allocation(2, read_points, path);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{types_become_one_set, 1},
                                    {no_particles, 1},
                                    {many_particles, 1},
                                    {one_of_several_files, 1},
                                    {wrong_files, 1},
                                    {truncated, 1},
                                    {wrong_bytes, 1},
                                    {streams, 1},
                                    {cancelled, 1},
                                    {no_memory, 1},
                                    {0}};
    return gws_test_run_between("snapshots", test, setup, teardown);
}
