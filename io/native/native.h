/* SPDX-License-Identifier: MIT */
/* What the library's own binary files, .gwsg and .gwsp, have in common: a head of little-endian numbers that has a
 * checksum, and sections at multiples of 4096 bytes with zeros before them, which are used where they lie in memory.
 * Heads have bytes 0 .. 7 for a magic (a transfer as text or of 7 bits breaks it, as in PNG) and 8 .. 11 for a version.
 * Checksums are XXH3-64 (Y. Collet, xxhash 0.8, seed 0). */
#ifndef GWS_IO_NATIVE_NATIVE_H
#define GWS_IO_NATIVE_NATIVE_H

#include "../../lib/graph.h"
#include "../input/input.h"
#include "../output/output.h"

enum { GWS__NATIVE_PAGE = 4096, GWS__NATIVE_VERSION = 1 };

struct gws__native {
    const char *name, *magic; /* ".gwsg"; eight bytes */
    uint32_t head_bytes;      /* the least that a head has */
    uint32_t checksum_at;     /* the eight bytes of a head for its checksum */
};

/* Where a section lies in the file. */
struct gws__section {
    uint64_t offset, bytes, checksum;
};

/* ---- heads ---- */

/* The unsigned little-endian number of so many bytes. */
void gws__native_put(unsigned char *at, uint64_t value, int bytes);
uint64_t gws__native_get(const unsigned char *at, int bytes);

/* Puts the section at the first page that a file of *size bytes leaves free; *size becomes what it has then. */
void gws__native_append_section(struct gws__section *section, uint64_t bytes, uint64_t *size);

/* Puts magic and version into a head; its checksum, when all else is there. */
void gws__native_begin(const struct gws__native *format, unsigned char *head);
void gws__native_seal(const struct gws__native *format, unsigned char *head, uint64_t bytes);

/* Checks the first bytes of a file: magic and version. GWS_UNKNOWN_FORMAT, GWS_UNSUPPORTED; GWS_TRUNCATED: they are
 * fewer than a head has. */
gws_status gws__native_check_begin(const struct gws__native *format, const unsigned char *head, uint64_t have,
                                   const struct gws__input *input);

/* Checks a whole head's checksum. GWS_CORRUPT. */
gws_status gws__native_check_head(const struct gws__native *format, const unsigned char *head, uint64_t bytes,
                                  const struct gws__input *input);

/* GWS_UNSUPPORTED on computers that are not little-endian: they cannot use such files as they are. */
gws_status gws__native_check_host(const struct gws__native *format, const char *path, struct gws_where *where);

/* ---- sections ---- */

/* Looks at the items begin .. end - 1 of a section, each of item_bytes bytes: false where they are not is_valid. */
struct gws__section_check {
    bool (*is_valid)(const struct gws_graph *graph, uint64_t begin, uint64_t end);
    const struct gws_graph *graph;
    uint32_t item_bytes;
};

/* The checksum of a section: that of the checksums (as little-endian numbers) of its blocks of 1 MiB, the last one
 * shorter. Blocks are read once, by all workers; check (may be NULL) sees each right after it, while it is in cache.
 * *is_valid (unused without check) becomes whether all are. GWS_NO_MEMORY. */
gws_status gws__native_checksum(struct gws_runtime *runtime, const void *data, uint64_t bytes,
                                const struct gws__section_check *check, uint64_t *checksum, bool *is_valid);

/* The first byte of begin .. end - 1 that is not 0; end if there is none. */
uint64_t gws__native_find_nonzero(const unsigned char *bytes, uint64_t begin, uint64_t end);

/* Writes a section behind *written bytes, with the zeros before it. */
gws_status gws__native_write(struct gws_output *output, const struct gws__section *section, const void *data,
                             uint64_t *written);

/* ---- the file ---- */

/* All bytes of an input, which outlive its runtime. */
struct gws__file_contents {
    struct gws_allocator allocator; /* a copy */
    unsigned char *bytes;
    void
        *map; /* map_size bytes, private (they may be written to), or NULL: then bytes is capacity of the allocator's */
    uint64_t map_size, capacity;
};

/* Takes the input from its start, although its head was looked at; the head says that it has size bytes. A file is
 * mapped or read in parallel, what is none is read up to its end. GWS_TRUNCATED: it has fewer; GWS_CORRUPT: more;
 * GWS_NO_MEMORY. */
gws_status gws__file_contents_read(struct gws__input *input, uint64_t size, bool mapped,
                                   struct gws__file_contents **contents);

/* Fits gws_graph_on_destroy() and gws_points_wrap(). NULL is allowed. */
void gws__file_contents_free(void *context);

/* What gws__file_contents_read() answers for an input of so many bytes. */
gws_status gws__file_contents_check_size(const struct gws__input *input, uint64_t has, uint64_t needs);

#endif
