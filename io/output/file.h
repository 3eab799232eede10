/* SPDX-License-Identifier: MIT */
/* A file that appears whole or not at all: bytes go to a draft, which a rename puts in the target's place. The
 * draft has no name until it is whole, where the system can do that; otherwise it lies beside the target.
 * What is no regular file (/dev/null, a pipe) and "-", standard output, are written straight. */
#ifndef GWS_IO_OUTPUT_FILE_H
#define GWS_IO_OUTPUT_FILE_H

#include <limits.h>
#include <stdbool.h>

#include "../../lib/status.h"

enum { GWS__OUTPUT_PATH = 4096 };

struct gws__output_file {
    const char *path; /* the caller's name for it, for messages */
    int fd;
    bool drafted;                 /* fd is a draft; otherwise the target itself */
    bool named;                   /* it lies there as draft */
    char place[GWS__OUTPUT_PATH]; /* the target, links followed: they stay links */
    char draft[GWS__OUTPUT_PATH];
};

/* Each answers GWS_SYSTEM with the file's name and the system's reason. path must outlive the file. After a failed
 * open there is nothing to close; commit closes in any case and removes the draft if it fails. */
gws_status gws__output_file_open(struct gws__output_file *file, const char *path, struct gws_where *where);
gws_status gws__output_file_write(struct gws__output_file *file, const void *bytes, uint64_t size,
                                  struct gws_where *where);
gws_status gws__output_file_commit(struct gws__output_file *file, struct gws_where *where);
void gws__output_file_discard(struct gws__output_file *file);

#endif
