/* SPDX-License-Identifier: MIT */
/* Opens and reads an input. pread() or read() deliver bytes, and a backend inflates gzip data. stream_chunks.c and
 * file_chunks.c divide an input into chunks. */
#define _GNU_SOURCE /* posix_fadvise */
#include "input.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../ranks/ranks.h"
#include "inflate.h"

enum { raw_size = 256 << 10, usual_piece_size = 256 << 10 };

gws_status gws__input_fail(const struct gws__input *input, gws_status status, uint64_t line, uint64_t column,
                           const char *format, ...)
{
    char message[sizeof input->where->message];
    va_list rest;
    va_start(rest, format);
    vsnprintf(message, sizeof message, format, rest);
    va_end(rest);
    return gws_diagnostic_set(input->where, status, input->name, line, column, "%s", message);
}

static gws_status system_error(const struct gws__input *input, const char *what)
{
    return gws__input_fail(input, GWS_SYSTEM, 0, 0, "%s: %s", what, strerror(errno));
}

static void count_bytes(const struct gws__input *input, uint64_t bytes)
{
    if (input->bytes_read) atomic_fetch_add_explicit(input->bytes_read, bytes, memory_order_relaxed);
}

/* Reads at least min_bytes into raw unless the file ends before. */
static gws_status read_raw(struct gws__input *input, uint64_t min_bytes)
{
    uint64_t filled = 0;
    while (filled < min_bytes) {
        ssize_t got = read(input->fd, input->raw + filled, raw_size - filled);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return system_error(input, "cannot read");
        if (got == 0) break;
        filled += (uint64_t)got;
    }
    input->at = input->raw;
    input->end = input->raw + filled;
    input->taken += filled;
    count_bytes(input, filled);
    return GWS_OK;
}

gws_status gws__input_read_at(const struct gws__input *input, uint64_t from, void *bytes, uint64_t size)
{
    for (uint64_t filled = 0; filled < size;) {
        ssize_t got = pread(input->fd, (char *)bytes + filled, size - filled, (off_t)(from + filled));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return system_error(input, "cannot read");
        if (got == 0)
            return gws__input_fail(input, GWS_TRUNCATED, 0, 0,
                                   "the file ends before byte %" PRIu64 "; it had %" PRIu64 " bytes when it was opened",
                                   from + filled + 1, input->total);
        filled += (uint64_t)got;
    }
    count_bytes(input, size);
    return GWS_OK;
}

gws_status gws__input_map(const struct gws__input *input, void **map)
{
    void *made = mmap(NULL, input->total, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, input->fd, 0);
    if (made == MAP_FAILED) return system_error(input, "cannot map");
    (void)madvise(made, input->total,
                  MADV_WILLNEED); /* a failure is harmless, and the advice helps since a search reads the whole file */
    *map = made;
    return GWS_OK;
}

static gws_status refill(struct gws__input *input)
{
    if (input->fd < 0) return GWS_OK;
    return read_raw(input, 1);
}

static bool is_gzip(const unsigned char *magic)
{
    return magic[0] == 0x1f && magic[1] == 0x8b;
}

static gws_status open_stream(struct gws__input *input)
{
    input->raw = gws_allocate(input->runtime, raw_size, 1);
    if (!input->raw) return GWS_NO_MEMORY;
    gws_status status = read_raw(input, 2);
    if (status != GWS_OK || input->end - input->at < 2 || !is_gzip(input->at)) return status;
    input->inflater = gws__inflater_new(input->runtime);
    return input->inflater ? GWS_OK : GWS_NO_MEMORY;
}

/* Opens a regular file at offset 0, which can be read at any offset unless the file is gzip. Standard input may be
 * such a file. Files in /proc have size 0 and are streams. */
static gws_status open_file(struct gws__input *input, uint64_t size)
{
    unsigned char magic[2] = {0};
    input->total = size;
    gws_status status = size < 2 ? GWS_OK : gws__input_read_at(input, 0, magic, sizeof magic);
    if (status != GWS_OK) return status;
    (void)posix_fadvise(input->fd, 0, 0, POSIX_FADV_SEQUENTIAL); /* failure is harmless */
    if (is_gzip(magic)) return open_stream(input);
    input->file = true;
    return GWS_OK;
}

gws_status gws__input_make_stream(struct gws__input *input)
{
    if (!input->file) return GWS_OK;
    input->file = false;
    return open_stream(input);
}

void gws__input_prepare(struct gws__input *input, struct gws_runtime *runtime, const char *path,
                        struct gws_diagnostic *where)
{
    *input = (struct gws__input){.runtime = runtime,
                                 .name = strcmp(path, "-") == 0 ? "standard input" : path,
                                 .where = where,
                                 .fd = -1,
                                 .chunk_size = usual_piece_size};
    if (where) *where = (struct gws_diagnostic){0};
}

gws_status gws__input_open(struct gws__input *input, struct gws_runtime *runtime, const char *path,
                           struct gws_diagnostic *where)
{
    bool standard = strcmp(path, "-") == 0;
    gws__input_prepare(input, runtime, path, where);
    input->fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (input->fd < 0) return system_error(input, "cannot open");
    input->close_fd = !standard;
    struct stat about;
    if (fstat(input->fd, &about) != 0) return system_error(input, "cannot open");
    if (S_ISREG(about.st_mode) && about.st_size > 0 && lseek(input->fd, 0, SEEK_CUR) == 0)
        return open_file(input, (uint64_t)about.st_size);
    return open_stream(input);
}

static void free_buffers(struct gws__input *input, struct gws__buffer *buffer)
{
    while (buffer) {
        struct gws__buffer *next = buffer->next;
        gws__buffer_free(input->runtime, buffer);
        buffer = next;
    }
}

void gws__input_close(struct gws__input *input)
{
    if (input->chunk.text) gws__input_release(input, &input->chunk);
    free_buffers(input, input->carry);
    free_buffers(input, input->free_list);
    gws__inflater_free(input->inflater);
    if (input->raw) gws_release(input->runtime, input->raw, raw_size, 1);
    if (input->fd >= 0 && input->close_fd) close(input->fd);
    *input = (struct gws__input){.fd = -1};
}

gws_status gws__input_end(struct gws__input *input, gws_status status)
{
    if (status != GWS_OK && input->where && !input->where->message[0])
        (void)gws__input_fail(input, status, 0, 0, "%s", gws_status_text(status));
    gws__input_close(input);
    return status;
}

static gws_status copy_of_file(struct gws__input *input, void *bytes, uint64_t size, uint64_t *got)
{
    uint64_t rest = input->total - input->taken, part = rest < size ? rest : size;
    gws_status status = gws__input_read_at(input, input->taken, bytes, part);
    if (status != GWS_OK) return status;
    input->taken += part;
    *got = part;
    return GWS_OK;
}

static gws_status copy_bytes(struct gws__input *input, char *bytes, uint64_t size, uint64_t *got)
{
    uint64_t filled = 0;
    while (filled < size) {
        if (input->at == input->end) {
            gws_status status = refill(input);
            if (status != GWS_OK) return status;
            if (input->at == input->end) break;
        }
        uint64_t rest = (uint64_t)(input->end - input->at), part = rest < size - filled ? rest : size - filled;
        memcpy(bytes + filled, input->at, part);
        input->at += part;
        filled += part;
    }
    *got = filled;
    return GWS_OK;
}

gws_status gws__input_fill(struct gws__input *input, void *bytes, uint64_t size, uint64_t *got)
{
    *got = 0;
    if (input->ranks && !input->file) return gws__read_ranks_fill(input, bytes, size, got);
    if (input->inflater) return gws__inflate(input, refill, bytes, size, got);
    if (input->file) return copy_of_file(input, bytes, size, got);
    return copy_bytes(input, bytes, size, got);
}

/* ---- byte-order marks (Unicode 15, section 23.8), and bytes that no line of text contains ---- */

bool gws__input_has_bom(const void *bytes, uint64_t size, uint64_t *mark)
{
    static const struct {
        const char *bytes;
        unsigned size, skip;
    } marks[] = {{"\xef\xbb\xbf", 3, 3}, {"\xff\xfe", 2, 0}, {"\xfe\xff", 2, 0}, {"\0\0\xfe\xff", 4, 0}};
    for (unsigned i = 0; i < sizeof marks / sizeof *marks; i++) {
        if (size < marks[i].size || memcmp(bytes, marks[i].bytes, marks[i].size) != 0) continue;
        *mark = marks[i].skip;
        return true;
    }
    return false;
}

gws_status gws__input_skip_bom(struct gws__input *input)
{
    const void *bytes = NULL;
    uint64_t got = 0, mark = 0;
    unsigned char skipped[4];
    gws_status status = gws__input_head(input, sizeof skipped, &bytes, &got);
    if (status != GWS_OK || !gws__input_has_bom(bytes, got, &mark)) return status;
    if (mark == 0)
        return gws__input_fail(input, GWS_UNSUPPORTED, 1, 1,
                               "the text is encoded in UTF-16 or UTF-32; only UTF-8 and ASCII are read");
    input->offset += mark;
    return gws__input_read(input, skipped, mark, &got);
}

const char *gws__text_line_flaw(const char *at, const char *end)
{
    const char *nul = at < end ? memchr(at, 0, (size_t)(end - at)) : NULL;
    for (const char *p = at; p < end && (p = memchr(p, '\r', (size_t)(end - p))); p++) {
        const char *next = p;
        while (next < end && *next == '\r') next++;
        if (next < end) return nul && nul < p ? nul : p;
        p = next;
    }
    return nul;
}
