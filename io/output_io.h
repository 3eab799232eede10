/* SPDX-License-Identifier: MIT */
/* A file written by you as the library writes its own: whole, or not there at all.
 *
 * - Bytes go to a draft in the target's folder, which takes the target's place at the end by a rename: several writers
 *   of one name, also processes, leave the file of one of them. The draft has no name until then where the file system
 *   can do that; otherwise it is called .gws-HASH-NUMBER.tmp, and gws_options.unfinished hears of it.
 * - File and folder are synced before it counts as written, unless gws_options.no_sync says not to.
 * - The permissions of a file that is replaced, its access control list, and, as far as this process may, its owner and
 *   group are kept. Links are followed, and stay. Lost are other hard links, which keep the old file, other extended
 *   attributes, and times.
 * - Devices, pipes and "-" are written straight, and never replaced.
 * - What a process that was killed left is removed by the next writer of that name in that folder, if it is the same
 *   user's and its lock (flock(2)) says that nobody writes it; never on file systems of networks, whose locks may say
 *   too little.
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

/* Opens path for writing; it is compressed if its name ends in .gz; "-" is standard output, never compressed. path and
 * where (may be NULL) must live until close; where is filled by whatever fails. Errors: GWS_SYSTEM, GWS_NO_MEMORY. */
GWS_API gws_status gws_output_open(struct gws_runtime *runtime, const char *path, struct gws_where *where,
                                   struct gws_output **output);

/* Appends bytes; many at once are not copied. Errors: GWS_SYSTEM, GWS_NO_MEMORY. */
GWS_API gws_status gws_output_write(struct gws_output *output, const void *bytes, uint64_t size);

/* Appends a line or so, as printf. GWS_TOO_LARGE past 1023 bytes. */
GWS_API gws_status gws_output_print(struct gws_output *output, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Ends the output: when status is GWS_OK the file takes its place, otherwise nothing is left of it. Frees output and
 * returns status, or what failed at the end; if that is the syncing of its folder, the file is in its place. NULL is
 * allowed. Errors: GWS_SYSTEM, GWS_NO_MEMORY. */
GWS_API gws_status gws_output_close(struct gws_output *output, gws_status status);

/* True if both names are one file's, or would be that of a new one: links are followed, and names of one inode are
 * alike. Two names of one terminal, or of another device that holds nothing, are two files; "-" is itself. */
GWS_API bool gws_output_same(const char *one, const char *other);

#ifdef __cplusplus
}
#endif
#endif
