/* SPDX-License-Identifier: MIT */
/* A file that appears whole or not at all. Bytes go to a draft, and a rename replaces the target. The draft has no name
 * until it is complete, if the system supports O_TMPFILE; otherwise it lies beside the target. Devices, pipes and "-"
 * (standard output) are written directly.
 *
 * A replaced file keeps its permissions, its access control list, and its group and owner as far as this process may
 * set them. Nobody may read the new file who could not read the old one, except the owner that wrote it. Links are
 * followed and stay links. Other hard links keep the old file. Other extended attributes and the times are lost. */
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
    bool drafted;                 /* fd is a draft; otherwise the target itself */
    bool named;                   /* the draft has a name: `draft` */
    char target[GWS__DRAFT_PATH]; /* the target, with links resolved */
    char draft[GWS__DRAFT_PATH];
};

/* Each returns GWS_SYSTEM with the file's name and the system's reason. A new file gets mode less the umask. path and
 * runtime must outlive the draft. A failed open needs no cleanup. Commit always closes the draft, and removes it on
 * failure. If only the sync of the folder fails, the target is replaced all the same. */
gws_status gws__draft_open(struct gws__draft *draft, struct gws_runtime *runtime, const char *path, mode_t mode,
                           struct gws_diagnostic *where);
gws_status gws__draft_write(struct gws__draft *draft, const void *bytes, uint64_t size, struct gws_diagnostic *where);
gws_status gws__draft_commit(struct gws__draft *draft, struct gws_diagnostic *where);
void gws__draft_discard(struct gws__draft *draft);

/* The path that a file of that name has or would have, to target (GWS__DRAFT_PATH bytes): the name itself, or the end
 * of its links. False and errno if no file can have it. */
bool gws__draft_target(const char *path, char *target);

#endif
