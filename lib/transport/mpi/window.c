/* SPDX-License-Identifier: MIT */
/* Windows: memory that the ranks of a host share (MPI_Win_allocate_shared), and remote memory access (RMA).
 *
 * All accesses of RMA lie in one epoch of MPI_Win_lock_all(), from opening to closing, and a flush completes each. A
 * swap is MPI_Fetch_and_op() with MPI_REPLACE: MPI_Get_accumulate() with it never returns between hosts in Open MPI 4,
 * and MPI_Compare_and_swap() ends the process there. MPI_Win_allocate() rather than MPI_Win_create(), with which MPI
 * libraries serve accesses only while their target calls MPI. */
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

#include "../link.h"
#include "state.h"

/* A window of either kind. Its communicator returns errors, so that a lack of memory does not end the job. */
struct window {
    MPI_Comm comm;
    MPI_Win win;
    uint64_t *own;
};

/* Returns whether all ranks of the collectives' communicator agree. */
static int all_agree(struct mpi *mpi, int yes)
{
    int all = 0;
    MPI_Allreduce(&yes, &all, 1, MPI_INT, MPI_MIN, mpi->collectives);
    return all;
}

static void close_window(struct window *window)
{
    if (window && window->win != MPI_WIN_NULL) {
        MPI_Win_unlock_all(window->win);
        MPI_Win_free(&window->win);
    }
    if (window && window->comm != MPI_COMM_NULL) MPI_Comm_free(&window->comm);
    free(window);
}

/* Zeroes the window and begins its epoch. Returns the window, or NULL on all ranks if a rank has none. */
static struct window *begin(struct mpi *mpi, struct window *window, uint64_t words, int failed)
{
    if (window && failed) window->win = MPI_WIN_NULL;
    if (window && !failed) {
        memset(window->own, 0, words * sizeof *window->own);
        MPI_Win_lock_all(MPI_MODE_NOCHECK, window->win);
        MPI_Win_sync(window->win);
    }
    if (all_agree(mpi, window && !failed)) return window;
    close_window(window);
    return NULL;
}

static struct window *new_window(struct mpi *mpi)
{
    struct window *window = calloc(1, sizeof *window);
    int made = all_agree(mpi, window != NULL);
    if (!made) free(window);
    if (!made || !window) return NULL;
    window->comm = MPI_COMM_NULL;
    window->win = MPI_WIN_NULL;
    return window;
}

/* ---- shared memory ---- */

/* Makes the communicator of this host's ranks. per_host: the maximum number of ranks, if not 0. */
static void split_by_host(struct mpi *mpi, uint32_t per_host, MPI_Comm *host)
{
    MPI_Comm whole;
    int rank;
    MPI_Comm_split_type(mpi->collectives, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &whole);
    MPI_Comm_rank(whole, &rank);
    MPI_Comm_split(whole, per_host ? rank / (int)per_host : 0, rank, host);
    MPI_Comm_free(&whole);
    MPI_Comm_set_errhandler(*host, MPI_ERRORS_RETURN);
}

/* Returns whether the ranks of the host find space for their words where MPI libraries hold shared memory. These do not
 * ask: the first access beyond the space would end the process. */
static int has_space(MPI_Comm host, uint64_t words)
{
    uint64_t bytes = words * sizeof words;
    struct statvfs space;
    MPI_Allreduce(MPI_IN_PLACE, &bytes, 1, MPI_UINT64_T, MPI_SUM, host);
    return statvfs("/dev/shm", &space) != 0 || bytes <= (uint64_t)space.f_bavail * space.f_frsize;
}

/* Sets base[] for the ranks of the host, by their numbers among all ranks. */
static void find_bases(struct mpi *mpi, struct window *window, uint64_t **base)
{
    MPI_Group all, host;
    int ranks;
    MPI_Comm_group(mpi->collectives, &all);
    MPI_Comm_group(window->comm, &host);
    MPI_Group_size(host, &ranks);
    for (int i = 0; i < ranks; i++) {
        MPI_Aint bytes;
        int unit, rank;
        uint64_t *address;
        MPI_Group_translate_ranks(host, 1, &i, all, &rank);
        MPI_Win_shared_query(window->win, i, &bytes, &unit, (void *)&address);
        base[rank] = address;
    }
    MPI_Group_free(&all);
    MPI_Group_free(&host);
}

void *gws__mpi_share(void *state, uint64_t words, uint32_t per_host, uint64_t **base)
{
    struct mpi *mpi = state;
    struct window *window = new_window(mpi);
    MPI_Info info;
    if (!window) return NULL;
    split_by_host(mpi, per_host, &window->comm);
    if (!all_agree(mpi, has_space(window->comm, words))) {
        close_window(window);
        return NULL;
    }
    MPI_Info_create(&info);
    MPI_Info_set(info, "alloc_shared_noncontig", "true"); /* each rank's words lie in memory near it */
    int failed = MPI_Win_allocate_shared((MPI_Aint)(words * sizeof(uint64_t)), sizeof(uint64_t), info, window->comm,
                                         (void *)&window->own, &window->win) != MPI_SUCCESS;
    MPI_Info_free(&info);
    window = begin(mpi, window, words, failed);
    if (window) find_bases(mpi, window, base);
    return window;
}

void gws__mpi_unshare(void *state, void *shared)
{
    (void)state;
    close_window(shared);
}

/* ---- remote memory access ---- */

void *gws__mpi_expose(void *state, uint64_t words)
{
    struct mpi *mpi = state;
    struct window *window = new_window(mpi);
    if (!window) return NULL;
    MPI_Comm_dup(mpi->collectives, &window->comm);
    MPI_Comm_set_errhandler(window->comm, MPI_ERRORS_RETURN);
    int failed = MPI_Win_allocate((MPI_Aint)(words * sizeof(uint64_t)), sizeof(uint64_t), MPI_INFO_NULL, window->comm,
                                  (void *)&window->own, &window->win) != MPI_SUCCESS;
    return begin(mpi, window, words, failed);
}

void gws__mpi_conceal(void *state, void *exposed)
{
    (void)state;
    close_window(exposed);
}

static void flush(void *data, uint32_t rank)
{
    MPI_Win_flush((int)rank, ((struct window *)data)->win);
}

static void load(void *data, uint32_t rank, uint64_t word, uint32_t count, uint64_t *to)
{
    const struct window *window = data;
    static const uint64_t unused;
    for (uint32_t i = 0; i < count; i++)
        MPI_Fetch_and_op(&unused, &to[i], MPI_UINT64_T, (int)rank, (MPI_Aint)(word + i), MPI_NO_OP, window->win);
    flush(data, rank);
}

static void get(void *data, uint32_t rank, uint64_t word, uint64_t count, uint64_t *to)
{
    MPI_Get(to, (int)count, MPI_UINT64_T, (int)rank, (MPI_Aint)word, (int)count, MPI_UINT64_T,
            ((struct window *)data)->win);
}

static void put(void *data, uint32_t rank, uint64_t word, uint64_t count, const uint64_t *from)
{
    MPI_Put(from, (int)count, MPI_UINT64_T, (int)rank, (MPI_Aint)word, (int)count, MPI_UINT64_T,
            ((struct window *)data)->win);
}

static uint64_t fetch_and(MPI_Op operation, void *data, uint32_t rank, uint64_t word, uint64_t value)
{
    uint64_t old = 0;
    MPI_Fetch_and_op(&value, &old, MPI_UINT64_T, (int)rank, (MPI_Aint)word, operation, ((struct window *)data)->win);
    flush(data, rank);
    return old;
}

static uint64_t swap(void *data, uint32_t rank, uint64_t word, uint64_t value)
{
    return fetch_and(MPI_REPLACE, data, rank, word, value);
}

static uint64_t add(void *data, uint32_t rank, uint64_t word, uint64_t value)
{
    return fetch_and(MPI_SUM, data, rank, word, value);
}

const struct gws__link gws__mpi_rma = {"rma", load, get, put, flush, swap, add};
