/* SPDX-License-Identifier: MIT */
/* Loading libgraphws-hdf5. */
#ifndef GWS_IO_POINTS_HDF5_H
#define GWS_IO_POINTS_HDF5_H

#include "../hdf5/file.h"
#include "../input/input.h"

/* Loads libgraphws-hdf5, which stays loaded, and finds its functions. Errors: GWS_UNSUPPORTED (it is missing, or of
 * another version; the message says why). */
gws_status gws__hdf5_load(const struct gws__input *input, const struct gws__hdf5 **hdf5);

#endif
