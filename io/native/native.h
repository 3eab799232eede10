/* SPDX-License-Identifier: MIT */
/* The common parts of the library's own binary files, .gwsg and .gwsp. A file has a head of little-endian numbers with
 * a checksum, and sections at multiples of 4096 bytes with zeros between them. Readers use the sections in place. A
 * head has a magic in bytes 0 .. 7 (a transfer as text or in 7 bits breaks it, as in PNG) and a version in bytes 8 ..
 * 11. Checksums are XXH3-64 (Y. Collet, xxhash 0.8, seed 0). */
#ifndef GWS_IO_NATIVE_NATIVE_H
#define GWS_IO_NATIVE_NATIVE_H

#include "../../lib/graph.h"
#include "../input/input.h"
#include "../output/output.h"

enum { GWS__NATIVE_PAGE = 4096, GWS__NATIVE_BLOCK = 1 << 20 };

struct gws__native {
    const char *name, *magic; /* name: ".gwsg" or ".gwsp"; magic: eight bytes */
    uint32_t head_bytes;      /* smallest size of a head */
    uint32_t checksum_at;     /* offset of the checksum's eight bytes in the head */
    uint32_t version;         /* the newest version that this reader supports */
};

/* The position of a section in the file. */
struct gws__section {
    uint64_t offset, bytes, checksum;
};

/* ---- heads ---- */

/* Writes and reads an unsigned little-endian number of `bytes` bytes. */
void gws__native_put(unsigned char *at, uint64_t value, int bytes);
uint64_t gws__native_get(const unsigned char *at, int bytes);

/* Appends the section at the next page boundary of a file of *size bytes, and updates *size. */
void gws__native_append_section(struct gws__section *section, uint64_t bytes, uint64_t *size);

/* Writes magic and version into a head. gws__native_seal() writes the head's checksum after all other fields. */
void gws__native_begin(const struct gws__native *format, uint32_t version, unsigned char *head);
void gws__native_seal(const struct gws__native *format, unsigned char *head, uint64_t bytes);

/* Checks magic and version in the first bytes of a file. Errors: GWS_UNKNOWN_FORMAT, GWS_UNSUPPORTED, GWS_TRUNCATED
 * (fewer bytes than a head has). */
gws_status gws__native_check_begin(const struct gws__native *format, const unsigned char *head, uint64_t have,
                                   const struct gws__input *input);

/* Checks the checksum of a whole head. Errors: GWS_CORRUPT. */
gws_status gws__native_check_head(const struct gws__native *format, const unsigned char *head, uint64_t bytes,
                                  const struct gws__input *input);

/* Returns GWS_UNSUPPORTED on big-endian hosts, which cannot use such files in place. */
gws_status gws__native_check_host(const struct gws__native *format, const char *path, struct gws_diagnostic *where);

/* ---- sections ---- */

/* A check of a section's items begin .. end - 1, each of item_bytes bytes. It returns false if an item is invalid. */
struct gws__section_check {
    bool (*is_valid)(const struct gws_graph *graph, uint64_t begin, uint64_t end);
    const struct gws_graph *graph;
    uint32_t item_bytes;
};

/* Computes the checksum of a section, which is the checksum of its blocks' checksums (as little-endian numbers).
 * Blocks have GWS__NATIVE_BLOCK bytes, except for a shorter last block. The workers divide the blocks and read each
 * block once. `check` (may be NULL) runs on a block right after the read, while the block is in cache. Sets *is_valid
 * (unused without `check`) to true if all blocks are valid. Errors: GWS_NO_MEMORY. */
gws_status gws__native_checksum(struct gws_runtime *runtime, const void *data, uint64_t bytes,
                                const struct gws__section_check *check, uint64_t *checksum, bool *is_valid);

/* The number of blocks of a section, and the section's checksum from those of its blocks. */
uint64_t gws__native_blocks(uint64_t bytes);
uint64_t gws__native_join(const uint64_t *block_checksum, uint64_t blocks);

/* Reads bytes begin .. end - 1 of a section of a file, in parallel, into `to` (NULL: only for the checksums).
 * block_checksum (may be NULL) has an entry for each block of the section; those of the blocks that begin in the range
 * are set, for which a block that ends later is read to its end. Errors: GWS_NO_MEMORY, GWS_SYSTEM, GWS_TRUNCATED. */
gws_status gws__native_read(const struct gws__input *input, const struct gws__section *section, uint64_t begin,
                            uint64_t end, void *to, uint64_t *block_checksum);

/* Returns the first byte of begin .. end - 1 that is not 0, or end if all are 0. */
uint64_t gws__native_find_nonzero(const unsigned char *bytes, uint64_t begin, uint64_t end);

/* Writes the zeros up to the section and the section, after *written bytes of the file. */
gws_status gws__native_write(struct gws_output *output, const struct gws__section *section, const void *data,
                             uint64_t *written);

/* ---- the file ---- */

/* All bytes of an input, in a map or in a copy in memory. The contents may outlive the runtime. */
struct gws__file_contents {
    struct gws_allocator allocator; /* a copy */
    unsigned char *bytes;
    void *map; /* a private, writable map of map_size bytes; NULL: bytes is an array of capacity bytes from the
                  allocator */
    uint64_t map_size, capacity;
};

/* Reads the input from its start, even after gws__input_head(). size is the file's size according to its head. The
 * function maps a file or reads it in parallel, and reads a stream to its end. Errors: GWS_TRUNCATED (the input has
 * fewer bytes), GWS_CORRUPT (more bytes), GWS_NO_MEMORY. */
gws_status gws__file_contents_read(struct gws__input *input, uint64_t size, bool mapped,
                                   struct gws__file_contents **contents);

/* Frees the contents. context may be NULL. The type is the one that gws_graph_on_destroy() and gws_points_wrap()
 * expect. */
void gws__file_contents_free(void *context);

/* Returns the status of gws__file_contents_read() for an input of `has` bytes whose head declares `needs` bytes. */
gws_status gws__file_contents_check_size(const struct gws__input *input, uint64_t has, uint64_t needs);

#endif
