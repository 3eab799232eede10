/* SPDX-License-Identifier: MIT */
/* Buffers, and the parts of an input that several threads read at once: chunks of whole lines. */
#ifndef GWS_IO_BUFFER_H
#define GWS_IO_BUFFER_H

#include "input.h"

/* A buffer for capacity bytes of text and the padding; NULL when memory is short. */
struct gws__buffer *gws__buffer_new(struct gws_runtime *runtime, uint64_t capacity);

/* Replaces *buffer by one twice as large with the same text, or answers GWS_NO_MEMORY. */
gws_status gws__buffer_enlarge(struct gws_runtime *runtime, struct gws__buffer **buffer);

/* Ends the text with a line feed and zeroes the padding. */
void gws__buffer_seal(struct gws__buffer *buffer);

/* Checks an unfinished line that begins at start before the buffer grows for it. Returns the first byte that cannot be
 * text in any format (a NUL, or the start of a token of 16 MiB), or NULL. */
const char *gws__buffer_flaw(const struct gws__buffer *buffer, uint64_t start);

/* Reports that flaw. start is the first byte of the line, line its number. */
gws_status gws__buffer_fail(const struct gws__input *input, const char *flaw, const char *start, uint64_t line);

uint64_t gws__count_lines(const char *at, const char *end);

/* ---- files (file_chunks.c) ---- */

/* The capacity of an ordinary buffer. */
uint64_t gws__range_capacity(const struct gws__input *input);

/* The number of line feeds in the file's first bytes; counts as far as the file can be read. */
uint64_t gws__file_lines(const struct gws__input *input, uint64_t bytes);

/* gws__input_head() of a file. */
gws_status gws__file_head(struct gws__input *input, uint64_t size, const void **bytes, uint64_t *got);

/* Running over the chunks of an input in parallel, while the rest is still being inflated or read. */

/* Reads a chunk from chunk->at to chunk->end. Several threads call it at once, each with its own worker number below
 * gws_runtime_workers(). */
typedef gws_status gws__chunk_body(void *context, uint32_t worker, const struct gws__chunk *chunk);

/* Calls body for each remaining chunk, starting where the header ended. If several calls fail, the result is the
 * failure that comes first in the file, so it does not depend on the number of threads. */
gws_status gws__chunks_run(struct gws__input *input, gws__chunk_body *body, void *context);

/* gws__input_fail() with the line and column of the byte `at`. */
gws_status gws__chunk_fail(const struct gws__chunk *chunk, const char *at, gws_status status, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
