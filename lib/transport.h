/* SPDX-License-Identifier: MIT */
/* Ranks: the processes of one job, which `mpirun` or another launcher of MPI started together. Rank 0 is the one that
 * talks to the user. A transport connects a process with the other ranks.
 *
 * MPI (MPI-3; Open MPI and MPICH were tried) moves the data. It lies behind a library of its own, libgraphws-mpi, which
 * gws_transport_open() loads: no other library or tool depends on MPI. MPI's own errors, such as the loss of a rank,
 * end the job with MPI's message.
 *
 * One thread of a process, the one that opened the transport, calls all of its functions (MPI_THREAD_FUNNELED). A
 * process opens a transport at most once, as MPI demands. A function is collective if every rank must call it, in the
 * same order: the call waits for the others. */
#ifndef GWS_TRANSPORT_H
#define GWS_TRANSPORT_H

#include <stdbool.h>

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gws_transport;

/* Returns whether a launcher started this process as one of several ranks. Sets *rank and *ranks, as the launcher's
 * environment has them: OMPI_COMM_WORLD_RANK and _SIZE; PMI_RANK and PMI_SIZE; or PMIX_RANK and SLURM_STEP_NUM_TASKS,
 * without which *ranks is 0, unknown. A job of one rank does not count. Loads nothing. */
GWS_API bool gws_transport_launched(uint32_t *rank, uint32_t *ranks);

/* Connects this rank to the others. Collective. The library is looked for in the folder lib beside the program's own
 * folder, in the libraries' folder of the installation, and where the system looks for libraries. Errors:
 * GWS_UNSUPPORTED (no libgraphws-mpi, or one of another version or for another MPI than the launcher's: where->message
 * says which), GWS_NO_MEMORY. Cost: MPI's start, tenths of a second. */
GWS_API gws_status gws_transport_open(struct gws_transport **transport, struct gws_diagnostic *where);

/* Disconnects. Collective. NULL is allowed. The process may exit then. */
GWS_API void gws_transport_close(struct gws_transport *transport);

/* The functions from here on take NULL as the transport of a job of one rank, but for gws_transport_name(). */

/* Return this process's rank, the number of ranks, the number of ranks on this host, this rank's number among these
 * (from 0), and the name and version of the MPI library, such as "Open MPI v4.1.4". */
GWS_API uint32_t gws_transport_rank(const struct gws_transport *transport);
GWS_API uint32_t gws_transport_ranks(const struct gws_transport *transport);
GWS_API uint32_t gws_transport_ranks_here(const struct gws_transport *transport);
GWS_API uint32_t gws_transport_rank_here(const struct gws_transport *transport);
GWS_API const char *gws_transport_name(const struct gws_transport *transport);

/* Watches this rank's waits: if one collective call takes `ms` milliseconds, a line says which ranks of this host wait
 * in which call, which are elsewhere, and which do not run at all, and again after as long. Of the ranks of a host that
 * wait, one reports. log() is called by a thread of the transport, which lives until gws_transport_close(), and looks
 * eight times in that time; a collective call costs two stores more. ms: at least 8. Call it once, on every rank (it is
 * not collective). Runs of tasks log their waits themselves (lib/rank_tasks.h). Errors: GWS_NO_MEMORY. */
GWS_API gws_status gws_transport_watch(struct gws_transport *transport, uint32_t ms,
                                       void (*log)(void *context, const char *line), void *context);

/* Chooses how ranks read and write each other's memory: "shared" (memory that the ranks of a host share), "rma" (MPI's
 * remote memory access), "messages" (the owner looks for messages between tasks and answers), or NULL or "auto", the
 * default: "shared" for ranks of one host, and between hosts "rma" if the network serves a rank that computes,
 * otherwise "messages". Collective. A later call of a function that needs links chooses "auto" itself. Errors:
 * GWS_INVALID (no such name), GWS_NO_MEMORY, GWS_UNSUPPORTED (not between all of these ranks); no links are then
 * chosen. Cost: some milliseconds; "auto" takes 20 ms more between hosts. Memory: 1 MiB a rank for each of "shared"
 * and "rma". With "shared" and "auto", collective functions of ranks that all run on one host use memory that the ranks
 * share: 1 MiB a rank, which gws_transport_open() makes. */
GWS_API gws_status gws_transport_choose_links(struct gws_transport *transport, const char *name);

/* How collective functions, and algorithms on the graphs of ranks, reach other ranks. */
struct gws_transport_links {
    uint32_t by_shared, by_messages; /* other ranks that this rank reaches in memory of the host, and by calls of MPI */
    uint64_t shared_bytes;           /* of arrays that all ranks use together, now */
};

/* Describes them, the same on all ranks; zeros for one rank. Not collective. */
GWS_API void gws_transport_describe_links(const struct gws_transport *transport, struct gws_transport_links *links);

/* Replace value[0 .. count - 1] on every rank by the sums, or by the maxima, over all ranks. Collective. */
GWS_API void gws_transport_sum(struct gws_transport *transport, uint64_t *value, uint32_t count);
GWS_API void gws_transport_max(struct gws_transport *transport, uint64_t *value, uint32_t count);

/* Copies `bytes` bytes (at most 1 GiB) of every rank to rank 0's `to`, in the order of ranks. Other ranks may pass NULL
 * as `to`. Collective. */
GWS_API void gws_transport_gather(struct gws_transport *transport, const void *from, uint64_t bytes, void *to);

enum { GWS_EXCHANGE_SUMS = 12 };

/* Items for every rank, and sums on the way. The items are bytes without pointers. */
struct gws_exchange {
    const void *from;      /* the items for rank 0, then those for rank 1, ...; may be NULL if there are none */
    const uint64_t *items; /* number of items for each rank, this rank too */
    uint64_t item_bytes;   /* size of an item, the same on all ranks, 1 .. 4096 */
    bool to_all;           /* every other rank gets the same items, which lie in `from` once; none are for this rank */
    /* Takes `items` items from a rank. A call has at most 256 KiB, and the calls of one rank are in its order. The data
     * are valid during the call. */
    void (*receive)(void *context, uint32_t rank, const void *data, uint64_t items);
    void *context;
    uint64_t *sum; /* `sums` numbers, which become their sums over all ranks before the call returns */
    uint32_t sums; /* 0 .. GWS_EXCHANGE_SUMS, the same on all ranks */
};

/* Sends items to their ranks in blocks, while receive() takes those that arrive. Collective. Ranks without items for
 * each other exchange only their sums. Memory: between several hosts 68 KiB for each other rank, and up to 480 KiB in
 * MPI for blocks from it. Time: between ranks of one host that each have a CPU, a microsecond or two if a rank has few
 * items; between hosts one message each way. */
GWS_API void gws_transport_exchange(struct gws_transport *transport, const struct gws_exchange *exchange);

/* Parts of an exchange travel while their rank computes the next one. A rank sends as many as it likes, then its last
 * items with gws_transport_exchange(), which ends the exchange on all ranks. In between it calls no other collective
 * function. */

/* Returns whether parts may be sent, the same on all ranks: so it is between several hosts. Ranks of one host would
 * gain nothing: they copy items in shared memory. */
GWS_API bool gws_transport_overlaps(const struct gws_transport *transport);

/* Begins to send a part, and gives to receive() what has arrived. The items stay unchanged until
 * gws_transport_exchange_drain() or gws_transport_exchange() returns. The sums are not used. Not collective. Call it
 * only when the part before has been drained. */
GWS_API void gws_transport_exchange_part(struct gws_transport *transport, const struct gws_exchange *exchange);

/* Returns when all items of the part have left; meanwhile receive() takes what arrives. Not collective. */
GWS_API void gws_transport_exchange_drain(struct gws_transport *transport, const struct gws_exchange *exchange);

/* Fills `all` on every rank with the parts of all ranks in order. words[r] is the number of 64-bit words of rank r, at
 * most 2^31 - 1 in all. Rank r calls with its own part in place. Collective. */
GWS_API void gws_transport_allgather(struct gws_transport *transport, uint64_t *all, const uint64_t *words);

/* Returns the highest status of all ranks. So if a step failed on one rank, all ranks know and none waits for it.
 * Collective. */
GWS_API gws_status gws_transport_agree(struct gws_transport *transport, gws_status status);

/* After gws_transport_agree() found a failure: returns the first rank that had it. A failure that the ranks pass on,
 * which all then have, does not change the answer. Not collective. */
GWS_API uint32_t gws_transport_failed_rank(const struct gws_transport *transport);

/* Does what gws_transport_agree() does, and on a failure copies the message of the first rank that has the highest
 * status to all ranks. The message names that rank, unless it names a line of a file, or a file and rank 0. *where has
 * this rank's message; without a message, or if where is NULL, the status's text is sent. Collective. */
GWS_API gws_status gws_transport_agree_on(struct gws_transport *transport, gws_status status,
                                          struct gws_diagnostic *where);

/* Memory that the ranks of a host share. */
struct gws_transport_memory;

/* Allocates `words` zeros of 64 bits, of which each rank has its own number. Collective. Sets base[r] to the words of
 * rank r if it is a rank of this host, else to NULL. Atomics of C11 order the accesses of several ranks. Without a
 * transport, base has one entry. Errors: GWS_NO_MEMORY. MPI holds the memory, often in /dev/shm. */
GWS_API gws_status gws_transport_memory_open(struct gws_transport *transport, uint64_t words, uint64_t **base,
                                             struct gws_transport_memory **memory);

/* Frees the memory. Collective. NULL is allowed on all ranks together. */
GWS_API void gws_transport_memory_close(struct gws_transport *transport, struct gws_transport_memory *memory);

/* Returns memory that all ranks share, `words` words with any contents, or NULL on all ranks if they do not share
 * memory or have none. Collective. It is for the use within one call: the next collective call of any function with a
 * runtime may use or free it. It stays allocated until the transport or its links are closed, because MPI takes long to
 * make it. */
GWS_API uint64_t *gws_transport_scratch(struct gws_transport *transport, uint64_t words);

#ifdef __cplusplus
}
#endif
#endif
