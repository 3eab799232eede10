/* SPDX-License-Identifier: MIT */
/* A file that appears whole or not at all. The library writes the bytes to a draft, and a rename then replaces the
 * target. If the system supports O_TMPFILE, the draft has no name until it is complete. Otherwise the draft lies beside
 * the target. The library writes directly to devices, pipes and "-" (standard output).
 *
 * A replaced file keeps its permissions, its access control list, and its group and owner as far as this process may
 * set them. Only users that could read the old file may read the new file, and the owner that wrote it. If the target
 * is a symbolic link, the library replaces the file that the link names. Other hard links keep the old file. The new
 * file does not have the old file's other extended attributes and times. */
#ifndef GWS_BASE_DRAFT_H
#define GWS_BASE_DRAFT_H

#include <stdbool.h>
#include <sys/types.h>

#include "services.h"

enum { GWS__DRAFT_PATH = 4096 };

struct gws__draft {
    const char *path; /* the caller's name, for messages */
    struct gws_runtime *runtime;
    int fd;
    bool drafted;                 /* fd is a draft; otherwise fd is the target itself */
    bool named;                   /* the draft has a name: `draft` */
    char target[GWS__DRAFT_PATH]; /* the target, with links resolved */
    char draft[GWS__DRAFT_PATH];
};

/* On failure each function returns GWS_SYSTEM with the file's name and the system's reason. A new file gets `mode` less
 * the umask. path and runtime must outlive the draft. A failed open needs no cleanup. Commit always closes the draft,
 * and removes it on failure. If only the sync of the folder fails, commit has already replaced the target. */
gws_status gws__draft_open(struct gws__draft *draft, struct gws_runtime *runtime, const char *path, mode_t mode,
                           struct gws_diagnostic *where);
gws_status gws__draft_write(struct gws__draft *draft, const void *bytes, uint64_t size, struct gws_diagnostic *where);
/* Any thread may call it, for bytes that no other call writes. Pipes are errors. */
gws_status gws__draft_write_at(const struct gws__draft *draft, const void *bytes, uint64_t size, uint64_t offset,
                               struct gws_diagnostic *where);
gws_status gws__draft_commit(struct gws__draft *draft, struct gws_diagnostic *where);
void gws__draft_discard(struct gws__draft *draft);

/* An open file as another process of this host finds it. All are numbers, so that processes can exchange them. */
struct gws__draft_place {
    uint64_t process, descriptor, device, inode;
};

/* Returns where another process finds the draft, or false if the draft is no regular file of its own. */
bool gws__draft_share(const struct gws__draft *draft, struct gws__draft_place *place);

/* Opens the draft of another process from byte `offset` on, to write a part of it. Commit then only syncs and closes
 * it: the other process names it. */
gws_status gws__draft_join(struct gws__draft *draft, struct gws_runtime *runtime, const char *path,
                           const struct gws__draft_place *place, uint64_t offset, struct gws_diagnostic *where);

/* Writes the path that a file of that name has or would have to target (GWS__DRAFT_PATH bytes): the name itself, or the
 * end of its links. Returns false and sets errno if no file can have that path. */
bool gws__draft_target(const char *path, char *target);

#endif
