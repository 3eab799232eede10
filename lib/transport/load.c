/* SPDX-License-Identifier: MIT */
/* Finds the ranks in the launcher's environment, and loads libgraphws-mpi.
 *
 * The symbols of the library stay local, but MPI libraries load modules of their own that need MPI's symbols. So the
 * library is opened with RTLD_GLOBAL. It stays loaded: MPI may have handlers that run at the exit of the process. */
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/module.h"
#include "transport.h"

/* ---- the launcher ---- */

/* Reads a number of a launcher's variable. Returns false if there is none. */
static bool read_number(const char *name, uint32_t *number)
{
    const char *text = getenv(name);
    char *end = NULL;
    if (!text || *text < '0' || *text > '9') return false;
    errno = 0;
    unsigned long value = strtoul(text, &end, 10);
    if (errno != 0 || *end != '\0' || value > UINT32_MAX) return false;
    *number = (uint32_t)value;
    return true;
}

bool gws_transport_launched(uint32_t *rank, uint32_t *ranks)
{
    uint32_t found = 0, size = 0;
    bool launched = (read_number("OMPI_COMM_WORLD_RANK", &found) && read_number("OMPI_COMM_WORLD_SIZE", &size)) ||
                    (read_number("PMI_RANK", &found) && read_number("PMI_SIZE", &size));
    if (!launched) {
        launched = read_number("PMIX_RANK", &found);
        if (!read_number("SLURM_STEP_NUM_TASKS", &size)) size = 0;
    }
    if (!launched || size == 1) return false;
    *rank = found;
    *ranks = size;
    return true;
}

/* ---- the library ---- */

static gws_status refuse(struct gws_diagnostic *where, const char *why)
{
    return gws_diagnostic_set(where, GWS_UNSUPPORTED, NULL, 0, 0, "several ranks need libgraphws-mpi: %s", why);
}

/* The launcher of one MPI starts programs of another MPI as so many jobs of one rank. */
static gws_status check_ranks(const struct gws_transport *transport, struct gws_diagnostic *where)
{
    uint32_t rank, ranks;
    bool is_launched = gws_transport_launched(&rank, &ranks);
    if (!is_launched || ranks == 0 || ranks == transport->info.ranks) return GWS_OK;
    return gws_diagnostic_set(
        where, GWS_UNSUPPORTED, NULL, 0, 0,
        "the launcher started %u ranks, but %s finds %u: libgraphws-mpi was built for another MPI", ranks,
        transport->info.name, transport->info.ranks);
}

gws_status gws_transport_open(struct gws_transport **transport, struct gws_diagnostic *where)
{
    struct gws_transport *made = NULL;
    void *library = gws__module_open("libgraphws-mpi.so.1", RTLD_NOW | RTLD_GLOBAL);
    if (!library) return refuse(where, dlerror());
    const struct gws__transport_kind *kind = dlsym(library, "gws__transport_mpi");
    if (!kind) return refuse(where, dlerror());
    if (strcmp(kind->version, GWS_VERSION) != 0) return refuse(where, "it is of another version of graphws");
    gws_status status = gws__transport_open(kind, &made);
    if (status != GWS_OK) return gws_diagnostic_status(where, status);
    status = check_ranks(made, where);
    if (status == GWS_OK)
        *transport = made;
    else
        gws_transport_close(made);
    return status;
}
