/* SPDX-License-Identifier: MIT */
/* The common parts of the targets that run code of the tools: memory for larger work, discarded messages, and numbers
 * from the input. */
#ifndef GWS_FUZZ_DRAW_H
#define GWS_FUZZ_DRAW_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <sys/stat.h>
#include <unistd.h>

#include "../../graphws.h"
#include "read_graph.h"

static inline struct gws_runtime *fuzz_roomy_runtime(void)
{
    static size_t max = (size_t)64 << 20;
    static struct gws_runtime *runtime;
    struct gws_options options = {.threads = 2, .no_sync = true, .allocator = {fuzz_allocate, fuzz_release, &max}};
    if (!runtime) fuzz_demand(gws_runtime_open(&options, &runtime) == GWS_OK, "no runtime");
    return runtime;
}

/* The unread input. Functions take bytes from the front, and zeros after the end. */
struct fuzz_bytes {
    const uint8_t *at;
    size_t left;
};

static inline void fuzz_take(struct fuzz_bytes *bytes, void *to, size_t size)
{
    size_t taken = size < bytes->left ? size : bytes->left;
    memset(to, 0, size);
    if (taken > 0) memcpy(to, bytes->at, taken);
    bytes->at += taken;
    bytes->left -= taken;
}

static inline uint8_t fuzz_take_byte(struct fuzz_bytes *bytes)
{
    uint8_t byte;
    fuzz_take(bytes, &byte, 1);
    return byte;
}

/* ---- files ---- */

enum { fuzz_path = 4096 };

/* Writes the path of the file `name` in this process's folder into text. Returns text. */
static inline const char *fuzz_file(const char *name, char text[fuzz_path])
{
    const char *folder = getenv("TMPDIR");
    snprintf(text, fuzz_path, "%s/graphws-fuzz-%ld/%s", folder ? folder : "/tmp", (long)getpid(), name);
    return text;
}

static inline void fuzz_remove_files(void)
{
    static const char *const name[] = {"in", "out.svg", "out.png", "out.xyz"};
    char path[fuzz_path];
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) unlink(fuzz_file(name[i], path));
    rmdir(fuzz_file("", path));
}

/* Makes the folder and registers its removal at exit. libFuzzer prevents the removal, so tests/fuzz/run removes the
 * folder. The two pictures in the folder are links to /dev/null. */
static inline void fuzz_begin_files(void)
{
    static bool begun;
    char path[fuzz_path];
    if (begun) return;
    begun = true;
    fuzz_demand(mkdir(fuzz_file("", path), 0700) == 0, "no folder");
    atexit(fuzz_remove_files);
    fuzz_demand(symlink("/dev/null", fuzz_file("out.svg", path)) == 0, "no link");
    fuzz_demand(symlink("/dev/null", fuzz_file("out.png", path)) == 0, "no link");
}

/* Writes size bytes to a file. */
static inline void fuzz_save(const char *path, const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    fuzz_demand(file && fwrite(data, 1, size, file) == size && fclose(file) == 0, "no file");
}

/* Discards the tools' messages on standard error. */
static inline void fuzz_hush(bool quiet)
{
    static FILE *nobody, *real;
    if (!nobody) nobody = fopen("/dev/null", "w"), real = stderr;
    stderr = quiet ? nobody : real;
}

#endif
