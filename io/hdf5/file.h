/* SPDX-License-Identifier: MIT */
/* The interface of libgraphws-hdf5, which exports this table of functions. io/points/snapshot.c loads it. */
#ifndef GWS_IO_HDF5_FILE_H
#define GWS_IO_HDF5_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "../../lib/points.h"

enum { GWS__HDF5_NAME = 64, GWS__HDF5_MESSAGE = 128 };

/* A data set of numbers: rows * columns of one kind. */
struct gws__hdf5_set {
    char name[GWS__HDF5_NAME];
    enum gws_number_kind kind;
    uint64_t rows, columns;
};

/* Rows of a data set, to be read as numbers of a kind, which HDF5 converts to. */
struct gws__hdf5_rows {
    const char *group, *name;
    enum gws_number_kind kind;
    uint64_t first, count, columns;
    void *numbers; /* out: count * columns */
};

/* The functions lock HDF5 against each other, but not against other users of HDF5 in the process. */
struct gws__hdf5 {
    const char *version; /* GWS_VERSION of the release */
    /* Opens a file for reading. Returns NULL after a failure, and then message says why. */
    void *(*open)(const char *path, char message[GWS__HDF5_MESSAGE]);
    void (*close)(void *file);
    /* Lists at most `capacity` sets with one or two dimensions in the group, by name, and returns their number. Sets of
     * other types, and with names of GWS__HDF5_NAME bytes or more, are not listed. Returns 0 if there is no group. */
    uint32_t (*sets)(void *file, const char *group, struct gws__hdf5_set *set, uint32_t capacity);
    bool (*read)(void *file, const struct gws__hdf5_rows *rows, char message[GWS__HDF5_MESSAGE]);
    /* Reads the first `count` numbers of a group's attribute. Returns false if it is missing or shorter. */
    bool (*attribute)(void *file, const char *group, const char *name, uint32_t count, double *numbers);
};

#endif
