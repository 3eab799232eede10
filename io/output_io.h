/* SPDX-License-Identifier: MIT */
/* Functions that write a file as the library writes its own files. Either the whole file appears or no file.
 *
 * - Bytes go to a draft in the target's folder. A rename at the end gives the draft the target's name. If several
 *   writers use one name, even in several processes, one of their files remains. If the file system supports unnamed
 *   files, the draft has no name until the rename. Otherwise its name is .gws-HASH-NUMBER.tmp, and
 *   gws_options.unfinished receives this name.
 * - The writer syncs the file and its folder before the file counts as written, unless gws_options.no_sync is set.
 * - A replaced file keeps its permissions, its access control list and, if this process has the right, its owner and
 *   group. The writer follows symbolic links, which remain. Other hard links still refer to the old file. Other
 *   extended attributes and times are lost.
 * - The writer writes directly to devices, pipes and "-" and never replaces them.
 * - A killed process may leave drafts. The next writer of that name in that folder removes them if the drafts belong to
 *   the same user and their locks (flock(2)) are free. It never removes drafts on network file systems, whose locks may
 *   be unreliable.
 * - While another thread is inside a call of the runtime, the functions return GWS_BUSY and change nothing. Small
 * writes and prints only fill a buffer, and a close with a failure as its status always works.
 *
 *     status = gws_output_open(runtime, path, &where, &output);
 *     if (status != GWS_OK) return status;
 *     status = gws_output_print(output, "%d points\n", count);
 *     return gws_output_close(output, status);
 * */
#ifndef GWS_OUTPUT_IO_H
#define GWS_OUTPUT_IO_H

#include <stdbool.h>

#include "../lib/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gws_output;

/* Opens path for writing. A name that ends in .gz compresses the output. "-" is standard output, which is never
 * compressed. path and where (may be NULL) must live until close. Every failure fills where. Errors: GWS_SYSTEM,
 * GWS_NO_MEMORY, GWS_BUSY. */
GWS_API gws_status gws_output_open(struct gws_runtime *runtime, const char *path, struct gws_diagnostic *where,
                                   struct gws_output **output);

/* Appends bytes, without copying large amounts. Errors: GWS_SYSTEM, GWS_NO_MEMORY, GWS_CANCELLED, GWS_BUSY. */
GWS_API gws_status gws_output_write(struct gws_output *output, const void *bytes, uint64_t size);

/* Appends formatted text as printf does. Returns GWS_TOO_LARGE above 1023 bytes. */
GWS_API gws_status gws_output_print(struct gws_output *output, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Ends and frees the output, which may be NULL. If status is GWS_OK, the file gets its name. Otherwise no part of the
 * file remains. Returns status, or the status of the last steps. If only the sync of the folder failed, the file
 * already has its name. After GWS_BUSY the output is still open. Errors: GWS_SYSTEM, GWS_NO_MEMORY, GWS_CANCELLED,
 * GWS_BUSY. */
GWS_API gws_status gws_output_close(struct gws_output *output, gws_status status);

/* Returns true if both names denote one file, or would denote one new file. The function follows links, and names of
 * one inode denote one file. Two names of one terminal, or of another device without contents, denote two files. "-"
 * equals only "-". */
GWS_API bool gws_output_same(const char *one, const char *other);

#ifdef __cplusplus
}
#endif
#endif
