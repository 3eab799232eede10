/* SPDX-License-Identifier: MIT */
/* Writing a file as the library writes its own: the whole file appears, or nothing.
 *
 * - Bytes go to a draft in the target's folder. A rename at the end gives it the target's name. Of several writers of
 *   one name, even in several processes, one file remains. The draft has no name until the rename if the file system
 *   supports that; otherwise it is called .gws-HASH-NUMBER.tmp, and gws_options.unfinished receives its name.
 * - The file and its folder are synced before the file counts as written, unless gws_options.no_sync is set.
 * - A replaced file keeps its permissions, its access control list and, if this process has the right, its owner and
 *   group. Links are followed and remain. Other hard links keep the old file; other extended attributes and times are
 *   lost.
 * - Devices, pipes and "-" are written directly and never replaced.
 * - A killed process may leave drafts. The next writer of that name in that folder removes them if they belong to the
 *   same user and their lock (flock(2)) is free. It never does so on network file systems, whose locks may be
 *   unreliable.
 *
 *     status = gws_output_open(runtime, path, &where, &output);
 *     if (status != GWS_OK) return status;
 *     status = gws_output_print(output, "%d points\n", count);
 *     return gws_output_close(output, status);
 */
#ifndef GWS_OUTPUT_IO_H
#define GWS_OUTPUT_IO_H

#include <stdbool.h>

#include "../lib/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gws_output;

/* Opens path for writing. Output is compressed if the name ends in .gz. "-" is standard output, never compressed. path
 * and where (may be NULL) must live until close; every failure fills where. Errors: GWS_SYSTEM, GWS_NO_MEMORY. */
GWS_API gws_status gws_output_open(struct gws_runtime *runtime, const char *path, struct gws_diagnostic *where,
                                   struct gws_output **output);

/* Appends bytes; large amounts are not copied. Errors: GWS_SYSTEM, GWS_NO_MEMORY. */
GWS_API gws_status gws_output_write(struct gws_output *output, const void *bytes, uint64_t size);

/* Appends formatted text as printf does. GWS_TOO_LARGE above 1023 bytes. */
GWS_API gws_status gws_output_print(struct gws_output *output, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Ends and frees the output. If status is GWS_OK, the file gets its name; otherwise nothing of it remains. Returns
 * status, or the status of the last steps; if only the sync of the folder failed, the file has its name. NULL is
 * allowed. Errors: GWS_SYSTEM, GWS_NO_MEMORY. */
GWS_API gws_status gws_output_close(struct gws_output *output, gws_status status);

/* True if both names denote one file, or would denote one new file. Links are followed, and names of one inode are the
 * same. Two names of one terminal, or of another device without contents, are two files; "-" only equals itself. */
GWS_API bool gws_output_same(const char *one, const char *other);

#ifdef __cplusplus
}
#endif
#endif
