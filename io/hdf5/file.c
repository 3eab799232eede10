/* SPDX-License-Identifier: MIT */
/* libgraphws-hdf5: data sets of HDF5 files, by the C library of the HDF Group. HDF5 prints its errors unless it is told
 * not to. The setting belongs to the process, so every function restores it. */
#include "file.h"

#include <hdf5.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The setting of error messages before the call. */
struct quiet {
    H5E_auto2_t print;
    void *data;
};

static void begin(struct quiet *quiet)
{
    pthread_mutex_lock(&lock);
    H5Eget_auto2(H5E_DEFAULT, &quiet->print, &quiet->data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

static void end(const struct quiet *quiet)
{
    H5Eclear2(H5E_DEFAULT);
    H5Eset_auto2(H5E_DEFAULT, quiet->print, quiet->data);
    pthread_mutex_unlock(&lock);
}

/* Keeps the first, innermost description. */
static herr_t describe(unsigned number, const H5E_error2_t *error, void *message)
{
    if (number == 0) snprintf(message, GWS__HDF5_MESSAGE, "%s", error->desc ? error->desc : "");
    return 0;
}

static bool fail(char message[GWS__HDF5_MESSAGE])
{
    message[0] = '\0';
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, describe, message);
    return false;
}

static void *open_file(const char *path, char message[GWS__HDF5_MESSAGE])
{
    struct quiet quiet;
    hid_t *file = malloc(sizeof *file);
    snprintf(message, GWS__HDF5_MESSAGE, "out of memory");
    if (!file) return NULL;
    begin(&quiet);
    *file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    bool opened = *file >= 0 || fail(message);
    end(&quiet);
    if (opened) return file;
    free(file);
    return NULL;
}

static void close_file(void *file)
{
    struct quiet quiet;
    begin(&quiet);
    H5Fclose(*(hid_t *)file);
    end(&quiet);
    free(file);
}

/* ---- types ---- */

/* Finds the kind of numbers of a type. */
static bool find_kind(hid_t type, enum gws_number_kind *kind)
{
    size_t bytes = H5Tget_size(type);
    H5T_class_t class = H5Tget_class(type);
    if (class == H5T_FLOAT && (bytes == 4 || bytes == 8)) {
        *kind = bytes == 4 ? GWS_NUMBER_F32 : GWS_NUMBER_F64;
        return true;
    }
    bool is_signed = class == H5T_INTEGER && H5Tget_sign(type) == H5T_SGN_2;
    if (class != H5T_INTEGER || bytes > 8 || (bytes & (bytes - 1)) != 0) return false;
    static const enum gws_number_kind kinds[][2] = {{GWS_NUMBER_U8, GWS_NUMBER_I8},
                                                    {GWS_NUMBER_U16, GWS_NUMBER_I16},
                                                    {GWS_NUMBER_U32, GWS_NUMBER_I32},
                                                    {GWS_NUMBER_U64, GWS_NUMBER_I64}};
    unsigned power = 0;
    while (1U << power < bytes) power++;
    *kind = kinds[power][is_signed];
    return true;
}

static hid_t type_of(enum gws_number_kind kind)
{
    switch (kind) {
    case GWS_NUMBER_I8:
        return H5T_NATIVE_INT8;
    case GWS_NUMBER_U8:
        return H5T_NATIVE_UINT8;
    case GWS_NUMBER_I16:
        return H5T_NATIVE_INT16;
    case GWS_NUMBER_U16:
        return H5T_NATIVE_UINT16;
    case GWS_NUMBER_I32:
        return H5T_NATIVE_INT32;
    case GWS_NUMBER_U32:
        return H5T_NATIVE_UINT32;
    case GWS_NUMBER_I64:
        return H5T_NATIVE_INT64;
    case GWS_NUMBER_U64:
        return H5T_NATIVE_UINT64;
    case GWS_NUMBER_F32:
        return H5T_NATIVE_FLOAT;
    case GWS_NUMBER_F64:
        return H5T_NATIVE_DOUBLE;
    }
    return -1;
}

/* ---- data sets ---- */

/* Describes the data set with this name. Returns false if it is no array of numbers with one or two dimensions. */
static bool describe_set(hid_t group, struct gws__hdf5_set *set)
{
    hid_t data = H5Dopen2(group, set->name, H5P_DEFAULT);
    if (data < 0) return false;
    hid_t type = H5Dget_type(data), space = H5Dget_space(data);
    int dimensions = H5Sget_simple_extent_ndims(space);
    hsize_t size[2] = {0, 1};
    bool good = (dimensions == 1 || dimensions == 2) && find_kind(type, &set->kind);
    if (good) H5Sget_simple_extent_dims(space, size, NULL);
    set->rows = size[0];
    set->columns = size[1];
    H5Sclose(space);
    H5Tclose(type);
    H5Dclose(data);
    return good;
}

static uint32_t list_sets(void *file, const char *name, struct gws__hdf5_set *set, uint32_t capacity)
{
    struct quiet quiet;
    uint32_t count = 0;
    H5G_info_t info = {.nlinks = 0};
    begin(&quiet);
    hid_t group = H5Gopen2(*(hid_t *)file, name, H5P_DEFAULT);
    if (group >= 0) H5Gget_info(group, &info);
    for (hsize_t i = 0; i < info.nlinks && count < capacity; i++) {
        ssize_t length =
            H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i, set[count].name, GWS__HDF5_NAME, H5P_DEFAULT);
        if (length > 0 && length < GWS__HDF5_NAME && describe_set(group, &set[count])) count++;
    }
    if (group >= 0) H5Gclose(group);
    end(&quiet);
    return count;
}

/* Reads from the open data set. */
static bool read_from(hid_t data, const struct gws__hdf5_rows *rows)
{
    hid_t space = H5Dget_space(data);
    int dimensions = H5Sget_simple_extent_ndims(space);
    const hsize_t first[2] = {rows->first, 0}, count[2] = {rows->count, rows->columns};
    hid_t memory = H5Screate_simple(dimensions, count, NULL);
    bool done = H5Sselect_hyperslab(space, H5S_SELECT_SET, first, NULL, count, NULL) >= 0 &&
                H5Dread(data, type_of(rows->kind), memory, space, H5P_DEFAULT, rows->numbers) >= 0;
    H5Sclose(memory);
    H5Sclose(space);
    return done;
}

static bool read_rows(void *file, const struct gws__hdf5_rows *rows, char message[GWS__HDF5_MESSAGE])
{
    struct quiet quiet;
    bool done = false;
    begin(&quiet);
    hid_t group = H5Gopen2(*(hid_t *)file, rows->group, H5P_DEFAULT);
    hid_t data = group >= 0 ? H5Dopen2(group, rows->name, H5P_DEFAULT) : -1;
    if (data >= 0) done = read_from(data, rows);
    if (!done) fail(message);
    if (data >= 0) H5Dclose(data);
    if (group >= 0) H5Gclose(group);
    end(&quiet);
    return done;
}

static bool read_attribute(void *file, const char *group, const char *name, uint32_t count, double *numbers)
{
    enum { capacity = 64 };
    double found[capacity];
    struct quiet quiet;
    bool done = false;
    begin(&quiet);
    hid_t attribute = H5Aopen_by_name(*(hid_t *)file, group, name, H5P_DEFAULT, H5P_DEFAULT);
    if (attribute >= 0) {
        hid_t space = H5Aget_space(attribute);
        hssize_t have = H5Sget_simple_extent_npoints(space);
        done = have >= count && have <= capacity && H5Aread(attribute, H5T_NATIVE_DOUBLE, found) >= 0;
        H5Sclose(space);
        H5Aclose(attribute);
    }
    end(&quiet);
    if (done) memcpy(numbers, found, count * sizeof *numbers);
    return done;
}

extern const struct gws__hdf5 gws__hdf5_table;

__attribute__((visibility("default")))
const struct gws__hdf5 gws__hdf5_table = {GWS_VERSION, open_file, close_file, list_sets, read_rows, read_attribute};
