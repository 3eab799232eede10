/* SPDX-License-Identifier: MIT */
/* Checks of output files before the work. The checks cannot foresee a full disk. */
#define _POSIX_C_SOURCE 200809L
#include "outputs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "console.h"

bool output_is_stdout(const char *path)
{
    return strcmp(path, "-") == 0;
}

static bool ends_before(const char *name, size_t length, const char *suffix)
{
    size_t tail = strlen(suffix);
    return length > tail && strncmp(name + length - tail, suffix, tail) == 0;
}

bool name_ends(const char *name, const char *suffix)
{
    return ends_before(name, strlen(name), suffix);
}

bool packed_name_ends(const char *name, const char *suffix)
{
    return ends_before(name, strlen(name) - (name_ends(name, ".gz") ? strlen(".gz") : 0), suffix);
}

/* Returns the name of the file in the file system. */
static const char *path_of(const struct named_file *file)
{
    if (!output_is_stdout(file->path)) return file->path;
    return file->written ? "/dev/stdout" : "/dev/stdin";
}

/* Returns "-" if standard output is a regular file, otherwise NULL. */
static const char *printed_path(void)
{
    struct stat about;
    return fstat(STDOUT_FILENO, &about) == 0 && S_ISREG(about.st_mode) ? "-" : NULL;
}

/* Returns true if writing one of the files would overwrite the other file. */
static bool conflict(const struct named_file *one, const struct named_file *other)
{
    if (!one->path || !other->path || (!one->written && !other->written)) return false;
    if (one->written && other->written && gws_output_same(one->path, other->path)) return true;
    return gws_output_same(path_of(one), path_of(other));
}

int outputs_check(const struct named_file *file, uint32_t files)
{
    struct named_file standard = {"standard output", printed_path(), true};
    for (uint32_t i = 0; i < files; i++) {
        for (uint32_t k = i + 1; k < files; k++)
            if (conflict(&file[i], &file[k]))
                return console_usage("%s and %s are the same file, '%s'", file[i].option, file[k].option, file[k].path);
        if (file[i].written && file[i].path && output_is_stdout(file[i].path)) standard.path = NULL;
    }
    for (uint32_t i = 0; i < files; i++)
        if (file[i].written && conflict(&file[i], &standard))
            return console_usage("%s and standard output are the same file, '%s'", file[i].option, file[i].path);
    return -1;
}

/* Returns true if writing replaces the name in its folder. The library follows links, and writes to devices and pipes
 * in place. */
static bool is_replaced(const char *path)
{
    struct stat about;
    return lstat(path, &about) != 0 || S_ISREG(about.st_mode);
}

/* try_folder() tests whether the folder of a file is writable, try_itself() whether the file is. Both return 0 or an
 * errno. */
static int try_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    if (!folder) return ENOMEM;
    int refused = access(folder, W_OK | X_OK) == 0 ? 0 : errno;
    free(folder);
    return refused;
}

static int try_itself(const char *path)
{
    struct stat about;
    if (stat(path, &about) == 0 && S_ISDIR(about.st_mode)) return EISDIR;
    return access(path, W_OK) == 0 || errno == ENOENT ? 0 : errno;
}

int output_check(const char *path)
{
    if (output_is_stdout(path)) return -1;
    int refused = is_replaced(path) ? try_folder(path) : try_itself(path);
    return refused ? console_fail("%s: cannot write: %s", path, strerror(refused)) : -1;
}

int output_check_table(const char *option, const char *path)
{
    static const char *const suffix[] = {".csv", ".tsv", ".npy"};
    if (output_is_stdout(path)) return -1;
    for (size_t i = 0; i < sizeof suffix / sizeof *suffix; i++)
        if (packed_name_ends(path, suffix[i])) return output_check(path);
    return console_usage("--%s: expected a name ending in .csv, .tsv or .npy, or one of these and .gz, got '%s'",
                         option, path);
}

int output_write(struct gws_runtime *runtime, const char *path, const char *text, size_t size)
{
    struct gws_diagnostic where = {0};
    struct gws_output *output = NULL;
    gws_status status = gws_output_open(runtime, path, &where, &output);
    if (status == GWS_OK) status = gws_output_close(output, gws_output_write(output, text, size));
    return status == GWS_OK ? -1 : console_fail_at(status, &where);
}
