/* SPDX-License-Identifier: MIT */
/* What chunks of streams and of files share: buffers, and lines that do not end. */
#ifndef GWS_IO_BUFFER_H
#define GWS_IO_BUFFER_H

#include "input.h"

/* Capacity bytes of text and the padding; NULL when memory is short. gws__buffer_free() is in input.h. */
struct gws__buffer *gws__buffer_new(struct gws_runtime *runtime, uint64_t capacity);

/* Puts a buffer twice as large with the same text in *buffer's place, or answers GWS_NO_MEMORY. */
gws_status gws__buffer_enlarge(struct gws_runtime *runtime, struct gws__buffer **buffer);

/* Ends the text with a line feed, and clears what may be read behind. */
void gws__buffer_seal(struct gws__buffer *buffer);

/* Looks at a line that begins at start and has not ended yet, before more memory is taken for it: the byte from which
 * on it is no text of any format, as it is 0 or a word goes on for 16 MiB; NULL: it may go on. */
const char *gws__buffer_flaw(const struct gws__buffer *buffer, uint64_t start);

/* Reports that flaw, in a line of that number whose first byte is start. */
gws_status gws__buffer_fail(const struct gws__input *input, const char *flaw, const char *start, uint64_t line);

uint64_t gws__count_lines(const char *at, const char *end);

/* ---- files (range.c) ---- */

/* The usual capacity of a buffer. */
uint64_t gws__range_capacity(const struct gws__input *input);

/* The line feeds in the file's first bytes; as many as can be read. */
uint64_t gws__file_lines(const struct gws__input *input, uint64_t bytes);

/* gws__input_head() of a file. */
gws_status gws__file_head(struct gws__input *input, uint64_t size, const void **bytes, uint64_t *got);

/* Runs over the chunks of an input in parallel, while the rest of it is still being inflated or read. */

/* Reads a chunk from chunk->at to chunk->end. Called on several threads at once, on each with its own worker, which is
 * below gws_runtime_workers(). */
typedef gws_status gws__chunk_body(void *context, uint32_t worker, const struct gws__chunk *chunk);

/* Calls body for each chunk that is left, from where the header ended. If several fail, the answer is that of the first
 * in the file: it does not depend on the number of threads. */
gws_status gws__chunks_run(struct gws__input *input, gws__chunk_body *body, void *context);

/* gws__input_fail() with the line and column of the byte at. */
gws_status gws__chunk_fail(const struct gws__chunk *chunk, const char *at, gws_status status, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
