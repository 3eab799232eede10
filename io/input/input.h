/* SPDX-License-Identifier: MIT */
/* An input, plain or gzip, from a file or a pipe, as bytes or in chunks of whole lines.
 *
 * Inputs have two kinds. A plain regular file can be read at any offset by several threads at once. Opening fixes its
 * size. A file that turns out to be shorter is GWS_TRUNCATED. Readers of text do not map such a file, because reading
 * a map raises SIGBUS after the file shrinks. Every other input is a stream, which one thread at a time divides into
 * chunks. Both kinds reuse their buffers, so the whole text is never in memory. The magic bytes identify gzip, and the
 * name does not matter. */
#ifndef GWS_IO_INPUT_H
#define GWS_IO_INPUT_H

#include "../../lib/parallel.h"

struct gws__inflater;
struct gws__read_ranks;

/* Readable bytes after a chunk, because readers load eight digits at a time. */
enum { gws__chunk_padding = 32 };

struct gws__buffer {
    struct gws__buffer *next; /* next buffer of a free list */
    uint64_t capacity;        /* bytes of text, without the padding */
    uint64_t used;
    char text[];
};

/* Whole lines. The byte before end is a line feed, even if the input's last line lacks its line feed. */
struct gws__chunk {
    const struct gws__input *input; /* a copy with the worker's own `where` in a gws__chunk_body */
    const char *text;               /* the first byte, which starts a line */
    const char *at;                 /* the first unread byte; in the first chunk, the byte after the header */
    const char *end;
    uint64_t index;             /* number of chunks before this chunk */
    uint64_t lines;             /* number of lines before this chunk, in a stream */
    uint64_t offset;            /* bytes of text before this chunk */
    struct gws__buffer *buffer; /* the buffer that holds this chunk */
};

struct gws__input {
    struct gws_runtime *runtime;
    const char *name;
    struct gws_diagnostic *where; /* receives messages; may be NULL */
    int fd;                       /* -1: none, or not open */
    bool close_fd;
    bool file;                      /* true: a file; false: a stream */
    unsigned char *raw;             /* the bytes read from fd, in a stream */
    const unsigned char *at, *end;  /* the unread bytes of raw */
    struct gws__inflater *inflater; /* NULL: not gzip */
    uint64_t taken, total;          /* taken: bytes read so far; total: bytes of the file, 0: unknown */
    uint64_t range;                 /* files: the next range to read; see gws__input_read_range() */
    struct gws__buffer
        *carry; /* streams: the unfinished last line, which begins the next chunk; files: the first bytes */
    struct gws__buffer *free_list;
    uint64_t chunk_size;     /* intended size of a chunk, before its extension to whole lines, which the caller may set
                                after opening */
    struct gws__chunk chunk; /* the chunk that contains the header; text NULL: none */
    uint64_t chunks, lines, offset; /* totals of the chunks so far; files have only offset, the end of the last chunk */
    uint64_t header_lines;          /* lines that gws__input_line() has read */
    bool ended;
    struct gws__read_ranks *ranks; /* the ranks that read the input together (io/ranks/ranks.h); NULL: one process */
    _Atomic uint64_t
        *bytes_read; /* counts the bytes read from fd; may be NULL; relaxed: read when the loops are over */
};

/* Opens path ("-": standard input). Clears where, which must live until the input is closed. Close the input even after
 * a failure. */
gws_status gws__input_open(struct gws__input *input, struct gws_runtime *runtime, const char *path,
                           struct gws_diagnostic *where);

/* Does the same without the file: the input has no bytes. */
void gws__input_prepare(struct gws__input *input, struct gws_runtime *runtime, const char *path,
                        struct gws_diagnostic *where);

/* Makes a stream of a file of which nothing has been read. */
gws_status gws__input_make_stream(struct gws__input *input);
void gws__input_close(struct gws__input *input);

/* Writes a message about a line and a column (0: none) to input->where and returns status. The other parameters are as
 * for printf(). Threads that share an input use copies of the input, each with its own where. */
gws_status gws__input_fail(const struct gws__input *input, gws_status status, uint64_t line, uint64_t column,
                           const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Closes the input at the end of a public call and returns status. If the failure left no message (mostly
 * GWS_NO_MEMORY), where receives the status's text. */
gws_status gws__input_end(struct gws__input *input, gws_status status);

/* Reads size bytes of a file at offset `from`. Several threads may call this function at once. Returns GWS_TRUNCATED
 * if the file ends before. */
gws_status gws__input_read_at(const struct gws__input *input, uint64_t from, void *bytes, uint64_t size);

/* Maps a file with its size at opening. The map is private, so writes to the map do not change the file. The caller
 * unmaps the map. Reading the map raises SIGBUS after the file became shorter. */
gws_status gws__input_map(const struct gws__input *input, void **map);

/* Reads the next chunk. chunk->text is NULL at the end. Only one thread at a time may call this and
 * gws__input_release(). */
gws_status gws__input_next(struct gws__input *input, struct gws__chunk *chunk);

/* Returns a chunk's buffer to the input. */
void gws__input_release(struct gws__input *input, struct gws__chunk *chunk);

/* Several threads may read the ranges of a file at once. Range i is the i-th chunk_size bytes from the input's
 * position. The chunk of a range has the lines that begin in the range. The chunk's text is NULL if no line begins in
 * the range. gws__input_read_range() reuses or replaces *buffer (NULL, or a buffer from an earlier call).
 * gws__input_ranges() returns the number of ranges. */
uint64_t gws__input_ranges(const struct gws__input *input);
gws_status gws__input_read_range(const struct gws__input *input, uint64_t range, struct gws__buffer **buffer,
                                 struct gws__chunk *chunk);
void gws__buffer_free(struct gws_runtime *runtime, struct gws__buffer *buffer);

/* Reports progress in bytes of the file. */
void gws__input_progress(const struct gws__input *input, const struct gws__chunk *chunk);

/* Sets *end to the offset after the first `lines` lines of a file. *end is one past the file's end if the file has
 * fewer lines, or if the last of these lines lacks its line feed. */
gws_status gws__input_lines_end(const struct gws__input *input, uint64_t lines, uint64_t *end);

/* Reads size bytes of text, or fewer at the end of the text. */
gws_status gws__input_fill(struct gws__input *input, void *bytes, uint64_t size, uint64_t *got);

/* Peeks at the first bytes, at most size (a small number), which remain unread. Call this function, once or
 * repeatedly, before reading any chunk or line. */
gws_status gws__input_head(struct gws__input *input, uint64_t size, const void **bytes, uint64_t *got);

/* Reads size bytes from the input's start, even after gws__input_head(), or fewer at the end of the input. */
gws_status gws__input_read(struct gws__input *input, unsigned char *bytes, uint64_t size, uint64_t *filled);

/* Skips the byte-order mark of UTF-8. Call this function before reading any chunk or line, and only for text. Returns
 * GWS_UNSUPPORTED if the input has a byte-order mark of UTF-16 or UTF-32. */
gws_status gws__input_skip_bom(struct gws__input *input);

/* Returns true if bytes begin with a byte-order mark of any encoding. Sets *mark to the size of the mark for UTF-8,
 * and to 0 for other encodings. */
bool gws__input_has_bom(const void *bytes, uint64_t size, uint64_t *mark);

/* Returns the first byte of a line (which ends before its line feed) that text cannot contain: a NUL, or a carriage
 * return that is not at the end. Returns NULL if there is none. Readers check skipped text such as comments, too, so
 * comments hide no data. */
const char *gws__text_line_flaw(const char *at, const char *end);

/* A line without its line feed. */
struct gws__text_line {
    const char *at, *end;
    uint64_t number; /* from 1 */
};

/* Reads the next line. *got is false at the end. Returns GWS_SYNTAX if the line has a flaw. gws__input_unread() puts
 * back the last line. */
gws_status gws__input_line(struct gws__input *input, struct gws__text_line *line, bool *got);
void gws__input_unread(struct gws__input *input, const struct gws__text_line *line);

/* Reads the first chunk into input->chunk, unless an earlier call did. */
gws_status gws__input_peek(struct gws__input *input);

/* Ensures capacity for one more item of size bytes in *array (array is a pointer to a pointer) with count items in
 * use. The function replaces a full array of *capacity items by an array twice as large. Returns false when memory is
 * short, and leaves the array unchanged. */
bool gws__grow(struct gws_runtime *runtime, void *array, uint64_t count, uint64_t *capacity, uint64_t size);

/* Replaces *array by an array of capacity new_capacity, which is at least count. Otherwise works as gws__grow(). */
bool gws__resize(struct gws_runtime *runtime, void *array, uint64_t count, uint64_t *capacity, uint64_t new_capacity,
                 uint64_t size);

/* ---- buffers (buffer.c) ---- */

/* Returns a buffer for capacity bytes of text and the padding, or NULL when memory is short. */
struct gws__buffer *gws__buffer_new(struct gws_runtime *runtime, uint64_t capacity);

/* Replaces *buffer by a buffer twice as large with the same text. GWS_NO_MEMORY leaves *buffer unchanged. */
gws_status gws__buffer_enlarge(struct gws_runtime *runtime, struct gws__buffer **buffer);

/* Ends the text with a line feed and zeroes the padding. */
void gws__buffer_seal(struct gws__buffer *buffer);

/* Checks an unfinished line that begins at start before the buffer grows for it. Returns the first byte that cannot be
 * text in any format (a NUL, or the start of a token of 16 MiB), or NULL. */
const char *gws__buffer_flaw(const struct gws__buffer *buffer, uint64_t start);

/* Reports the flaw that gws__buffer_flaw() found. start is the first byte of the line, line its number. */
gws_status gws__buffer_fail(const struct gws__input *input, const char *flaw, const char *start, uint64_t line);

uint64_t gws__count_lines(const char *at, const char *end);

/* ---- files (file_chunks.c) ---- */

/* Returns the capacity of an ordinary buffer. */
uint64_t gws__range_capacity(const struct gws__input *input);

/* Counts the line feeds in the file's first `bytes` bytes, or in as many as can be read. */
uint64_t gws__file_lines(const struct gws__input *input, uint64_t bytes);

/* Does the work of gws__input_head() for a file. */
gws_status gws__file_head(struct gws__input *input, uint64_t size, const void **bytes, uint64_t *got);

/* ---- running over the chunks in parallel with reading the rest of the input (parallel_chunks.c) ---- */

/* Reads a chunk from chunk->at to chunk->end. Several threads call the function at once, each with its own worker
 * number below gws_runtime_workers(). */
typedef gws_status gws__chunk_body(void *context, uint32_t worker, const struct gws__chunk *chunk);

/* Calls body for each remaining chunk, starting where the header ended. If several calls fail, the function returns the
 * failure that comes first in the file, so the result does not depend on the number of threads. */
gws_status gws__chunks_run(struct gws__input *input, gws__chunk_body *body, void *context);

/* Does the same without other ranks, and of a file only up to the range before `end`. *failed is the index of the chunk
 * that failed. */
gws_status gws__chunks_run_to(struct gws__input *input, uint64_t end, gws__chunk_body *body, void *context,
                              uint64_t *failed);

/* Calls gws__input_fail() with the line and column of the byte `at`. */
gws_status gws__chunk_fail(const struct gws__chunk *chunk, const char *at, gws_status status, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
