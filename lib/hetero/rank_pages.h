/* SPDX-License-Identifier: MIT */
/* Memory of each rank that rank 0 of the same host reads and writes, too. An array moves into a file without a name
 * (memfd_create(2)), page by page and in place: it keeps its address, and takes no more memory than before. Rank 0 maps
 * the files (proc(5): /proc/PID/fd). Unlike windows (lib/transport/link.h), the memory need not be shared from the
 * start, and each rank frees it when it likes. */
#ifndef GWS_HETERO_RANK_PAGES_H
#define GWS_HETERO_RANK_PAGES_H

#include "../runtime.h"
#include "../transport.h"

/* An array that lies in a file; {0}: none. */
struct gws__pages {
    void *memory;
    uint64_t bytes;
    int file;
    bool opened;   /* at least in part: `file` is open */
    bool complete; /* all of it */
};

/* An array of another rank in rank 0's address space. */
struct gws__mapped_pages {
    void *memory; /* NULL: the array has no bytes */
    void *mapping;
    uint64_t bytes; /* of the mapping; 0: the ranks are threads of one process, and memory is the other rank's */
};

/* Whether all ranks run on one host, and may share memory. The same on all ranks. */
bool gws__pages_are_useful(const struct gws_transport *transport);

/* Moves an array while no other thread writes it. The array's first and last page remain private if they have other
 * data, too: rank 0 sees them as they were. Returns false if the system or the allocator does not allow it, with the
 * array as usable as before. The caller restores the pages in any case. */
bool gws__pages_move(struct gws__pages *pages, const struct gws_allocator *allocator, void *memory, uint64_t bytes);

/* Whether an array has whole pages. */
bool gws__pages_are_whole(const void *memory, uint64_t bytes);

/* Makes the array's memory private again, whose contents are lost. The caller frees it then. */
void gws__pages_restore(struct gws__pages *pages);

/* Maps `count` arrays of each rank on rank 0: entry rank * count + i of `all` is the array pages[i] of that rank.
 * Others pass NULL. Collective. Returns whether all could be mapped. The mappings remain valid when a rank frees its
 * memory. */
bool gws__pages_map(struct gws_transport *transport, const struct gws__pages *pages, uint32_t count,
                    struct gws__mapped_pages *all);
void gws__pages_unmap(struct gws__mapped_pages *all, uint64_t count);

#endif
