/* SPDX-License-Identifier: MIT */
#include "hdf5.h"

#include <dlfcn.h>
#include <string.h>

#include "../../lib/base/module.h"

gws_status gws__hdf5_load(const struct gws__input *input, const struct gws__hdf5 **hdf5)
{
    void *library = gws__module_open("libgraphws-hdf5.so.1", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    const char *why = library ? NULL : dlerror();
    *hdf5 = library ? dlsym(library, "gws__hdf5_table") : NULL;
    if (library && !*hdf5) why = dlerror();
    if (*hdf5 && strcmp((*hdf5)->version, GWS_VERSION) != 0) why = "it is of another version of graphws";
    if (library) dlclose(library);
    if (!why) return GWS_OK;
    return gws__input_fail(input, GWS_UNSUPPORTED, 0, 0, "HDF5 files need libgraphws-hdf5: %s", why);
}
