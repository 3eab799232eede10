/* SPDX-License-Identifier: MIT */
/* An input, plain or gzip, from a file or a pipe, as bytes or in chunks of whole lines.
 *
 * There are two kinds. A plain regular file is read from any place, by several threads at once; it has the bytes that
 * it had when it was opened, and one that turns out shorter is GWS_TRUNCATED. Nothing is mapped, since a map of a file
 * that shrinks kills the process. Anything else is a stream, whose chunks are cut one after the other. Both fill
 * buffers that are used again, so that the whole text is never in memory. Gzip is told by its magic bytes, not by the
 * name. */
#ifndef GWS_IO_INPUT_H
#define GWS_IO_INPUT_H

#include "../../lib/parallel.h"

struct gws__inflater;

/* Bytes that may be read behind a chunk, so that digits can be read eight at a time. */
enum { gws__chunk_padding = 32 };

struct gws__buffer {
    struct gws__buffer *next; /* while spare */
    uint64_t capacity;        /* bytes of text, without the padding */
    uint64_t used;
    char text[];
};

/* Whole lines: the byte before end is a line feed, also where the input lacks its last one. */
struct gws__chunk {
    const struct gws__input *input; /* in a gws__chunk_body: one whose where is its own */
    const char *text;               /* the first byte, where a line starts */
    const char *at; /* the first byte that is still to be read: behind the header, in the chunk that has it */
    const char *end;
    uint64_t index;             /* chunks before it */
    uint64_t lines;             /* lines before it, in a stream */
    uint64_t offset;            /* bytes of text before it */
    struct gws__buffer *buffer; /* that it lies in */
};

struct gws__input {
    struct gws_runtime *runtime;
    const char *name;
    struct gws_where *where; /* what is wrong with it goes there; NULL: nowhere */
    int fd;                  /* -1: none, or not ours to read */
    bool close_fd;
    bool file;                      /* otherwise a stream */
    unsigned char *raw;             /* what was read from fd, in a stream */
    const unsigned char *at, *end;  /* bytes of raw that are still to be taken */
    struct gws__inflater *inflater; /* NULL: not gzip */
    uint64_t taken, total;          /* of the file's bytes; total 0: not known */
    uint64_t range;            /* of a file: the one that the next chunk is cut from; see gws__input_read_range() */
    struct gws__buffer *carry; /* in a stream, what the next chunk begins with: the unfinished last line; of a
                                * file, its head */
    struct gws__buffer *spare;
    uint64_t chunk_size;            /* what a chunk is to have, but for whole lines; may be set after opening */
    struct gws__chunk chunk;        /* the one that the header is read from; text NULL: none */
    uint64_t chunks, lines, offset; /* handed out so far; of a file the offset alone, which is that of the last chunk */
    uint64_t header_lines;          /* taken by gws__input_line() */
    bool ended;
};

/* Opens path ("-": standard input). where is cleared, and must live until it is closed. Close it also when opening
 * failed. */
gws_status gws__input_open(struct gws__input *input, struct gws_runtime *runtime, const char *path,
                           struct gws_where *where);
void gws__input_close(struct gws__input *input);

/* Says in input->where what is wrong, at a line and a column or 0, and returns status; the rest as for printf. Threads
 * that share an input have copies of it, each with a where of its own. */
gws_status gws__input_fail(const struct gws__input *input, gws_status status, uint64_t line, uint64_t column,
                           const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Closes the input at the end of a public call, and returns status. Where what failed said so by its status only, which
 * is mostly short memory, the status's text is told. */
gws_status gws__input_end(struct gws__input *input, gws_status status);

/* Reads size bytes from that byte of a file on; several threads may at once. GWS_TRUNCATED: it ends before. */
gws_status gws__input_read_at(const struct gws__input *input, uint64_t from, void *bytes, uint64_t size);

/* Maps a file, as long as it was when it was opened. The map is private and the caller's to unmap; where it is written
 * to, the file stays. Reading from it after the file has become shorter raises SIGBUS. */
gws_status gws__input_map(const struct gws__input *input, void **map);

/* Takes the next chunk; chunk->text is NULL at the end. One thread at a time. */
gws_status gws__input_next(struct gws__input *input, struct gws__chunk *chunk);

/* Gives a chunk back. The same thread rule as for gws__input_next() holds for the two together. */
void gws__input_release(struct gws__input *input, struct gws__chunk *chunk);

/* The chunks of a file can be cut by several threads at once: range i is the i-th chunk_size bytes from where the input
 * stands, and its chunk the lines that begin there, if there are any; *buffer (NULL, or one of these chunks) is used
 * for it or replaced. gws__input_ranges() says how many there are. */
uint64_t gws__input_ranges(const struct gws__input *input);
gws_status gws__input_read_range(const struct gws__input *input, uint64_t range, struct gws__buffer **buffer,
                                 struct gws__chunk *chunk);
void gws__buffer_free(struct gws_runtime *runtime, struct gws__buffer *buffer);

/* Reports progress: done bytes of the file. */
void gws__input_progress(const struct gws__input *input, const struct gws__chunk *chunk);

/* The byte of a file that lines lines end before, from the start of the input; one past its end where it
 * has fewer, or exactly so many of which the last lacks its line feed. */
gws_status gws__input_lines_end(const struct gws__input *input, uint64_t lines, uint64_t *end);

/* Fills up to size bytes of text; fewer than size only at the end. */
gws_status gws__input_fill(struct gws__input *input, void *bytes, uint64_t size, uint64_t *got);

/* The first bytes, up to size of them, which is small; they are still to be taken. Before any chunk or line; may be
 * called again. */
gws_status gws__input_head(struct gws__input *input, uint64_t size, const void **bytes, uint64_t *got);

/* Fills size bytes, unless the input ends, from its start although its head was looked at. */
gws_status gws__input_read(struct gws__input *input, unsigned char *bytes, uint64_t size, uint64_t *filled);

/* Passes over the byte-order mark of UTF-8 that the input may begin with. Before any chunk or line, and only where the
 * input is text: GWS_UNSUPPORTED where a mark says UTF-16 or UTF-32. */
gws_status gws__input_skip_bom(struct gws__input *input);

/* True if bytes begin with a byte-order mark of any such encoding; its size is 0 unless it is that of UTF-8. */
bool gws__input_has_bom(const void *bytes, uint64_t size, uint64_t *mark);

/* The first byte of a line (which ends before its line feed) that no text has: a NUL, or a carriage return that is not
 * at its end, as where lines end in those alone. NULL if there is none. What is passed over, comments and the like, is
 * looked at with this, so that nothing is lost in it. */
const char *gws__text_line_flaw(const char *at, const char *end);

/* A line without its line feed. */
struct gws__text_line {
    const char *at, *end;
    uint64_t number; /* from 1 */
};

/* Takes the next line; false at the end. GWS_SYNTAX where it has a flaw. unread puts back the line that was taken last.
 */
gws_status gws__input_line(struct gws__input *input, struct gws__text_line *line, bool *got);
void gws__input_unread(struct gws__input *input, const struct gws__text_line *line);

/* Makes input->chunk the first chunk, if there is none yet. */
gws_status gws__input_peek(struct gws__input *input);

/* Makes room for one more item of size bytes in *array (a pointer to a pointer), of which count are used: an array of
 * *capacity that is full gives its place to one twice as large. False when memory is short; then it stays. */
bool gws__grow(struct gws_runtime *runtime, void *array, uint64_t count, uint64_t *capacity, uint64_t size);

/* The same for a capacity of at least count, such as exactly that. */
bool gws__resize(struct gws_runtime *runtime, void *array, uint64_t count, uint64_t *capacity, uint64_t wanted,
                 uint64_t size);

#endif
