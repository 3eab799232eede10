/* SPDX-License-Identifier: MIT */
/* Checks that cost nothing; the disk may still be full when it comes to writing. */
#define _POSIX_C_SOURCE 200809L
#include "outputs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "console.h"

bool output_is_stdout(const char *path)
{
    return strcmp(path, "-") == 0;
}

static bool ends_before(const char *name, size_t length, const char *ending)
{
    size_t tail = strlen(ending);
    return length > tail && strncmp(name + length - tail, ending, tail) == 0;
}

bool name_ends(const char *name, const char *ending)
{
    return ends_before(name, strlen(name), ending);
}

bool packed_name_ends(const char *name, const char *ending)
{
    return ends_before(name, strlen(name) - (name_ends(name, ".gz") ? strlen(".gz") : 0), ending);
}

int output_check(const char *path)
{
    if (output_is_stdout(path)) return -1;
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    if (!folder) return console_fail("%s", gws_status_text(GWS_NO_MEMORY));
    int refused = access(folder, W_OK | X_OK) == 0 ? 0 : errno;
    free(folder);
    return refused ? console_fail("%s: cannot write there: %s", path, strerror(refused)) : -1;
}

int output_check_table(const char *option, const char *path)
{
    static const char *const ending[] = {".csv", ".tsv", ".npy"};
    if (output_is_stdout(path)) return -1;
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
        if (packed_name_ends(path, ending[i])) return output_check(path);
    return console_usage("--%s: expected a name ending in .csv, .tsv or .npy, or one of these and .gz, got '%s'",
                         option, path);
}

int output_write(struct gws_runtime *runtime, const char *path, const char *text, size_t size)
{
    struct gws_where where = {0};
    struct gws_output *output = NULL;
    gws_status status = gws_output_open(runtime, path, &where, &output);
    if (status == GWS_OK) status = gws_output_close(output, gws_output_write(output, text, size));
    return status == GWS_OK ? -1 : console_fail_at(status, &where);
}
