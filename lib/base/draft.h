/* SPDX-License-Identifier: MIT */
/* A file that appears whole or not at all: bytes go to a draft, which a rename puts in the target's place. The
 * draft has no name until it is whole, where the system can do that; otherwise it lies beside the target.
 * What is no regular file (a device, a pipe) and "-", standard output, are written straight.
 *
 * What is kept of a file that is replaced: its permissions, its access control list, and its group and owner as far as
 * this process may give them; nobody may read the new one who could not read the old one but the owner that wrote it.
 * Links are followed and stay links. Lost are other names of it (they keep the old file), other extended attributes,
 * and its times. */
#ifndef GWS_BASE_DRAFT_H
#define GWS_BASE_DRAFT_H

#include <stdbool.h>
#include <sys/types.h>

#include "services.h"

enum { GWS__DRAFT_PATH = 4096 };

struct gws__draft {
    const char *path; /* the caller's name for it, for messages */
    struct gws_runtime *runtime;
    int fd;
    bool drafted;                /* fd is a draft; otherwise the target itself */
    bool named;                  /* it lies there as draft */
    char place[GWS__DRAFT_PATH]; /* the target, links followed: they stay links */
    char draft[GWS__DRAFT_PATH];
};

/* Each answers GWS_SYSTEM with the file's name and the system's reason. A new file gets mode less the umask. path and
 * runtime must outlive the draft. After a failed open there is nothing to close; commit closes in any case and removes
 * the draft if it fails; if all that failed was to sync the folder, the target is replaced. */
gws_status gws__draft_open(struct gws__draft *draft, struct gws_runtime *runtime, const char *path, mode_t mode,
                           struct gws_diagnostic *where);
gws_status gws__draft_write(struct gws__draft *draft, const void *bytes, uint64_t size, struct gws_diagnostic *where);
gws_status gws__draft_commit(struct gws__draft *draft, struct gws_diagnostic *where);
void gws__draft_discard(struct gws__draft *draft);

/* Where a file of that name lies or would lie, into place (GWS__DRAFT_PATH bytes): the name itself, or what it links
 * to. False and errno if it cannot be a file's. */
bool gws__draft_target(const char *path, char *place);

#endif
