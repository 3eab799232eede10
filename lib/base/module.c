/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "module.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef GWS_LIBDIR
#define GWS_LIBDIR "lib64" /* the build's libdir */
#endif

/* Removes the last component of a path. */
static void cut(char *path)
{
    char *slash = strrchr(path, '/');
    if (slash) *slash = '\0';
}

/* Opens the library in a folder. Returns false if it is not there. */
static bool open_in(const char *base, const char *folder, const char *file, int flags, void **library)
{
    char path[2 * PATH_MAX];
    snprintf(path, sizeof path, "%s/%s/%s", base, folder, file);
    if (access(path, F_OK) != 0) return false;
    *library = dlopen(path, flags);
    return true;
}

/* Finds the folder of the shared library, or of the program, with this function. */
static bool find_own(char own[PATH_MAX])
{
    static const char here;
    Dl_info info;
    if (dladdr(&here, &info) == 0 || !info.dli_fname || !realpath(info.dli_fname, own)) return false;
    cut(own);
    return true;
}

void *gws__module_open(const char *file, int flags)
{
    void *library = NULL;
    char folder[PATH_MAX];
    if (find_own(folder) && open_in(folder, ".", file, flags, &library)) return library;
    ssize_t length = readlink("/proc/self/exe", folder, sizeof folder - 1);
    folder[length > 0 ? length : 0] = '\0';
    cut(folder);
    if (length > 0 &&
        (open_in(folder, "../lib", file, flags, &library) || open_in(folder, "../" GWS_LIBDIR, file, flags, &library)))
        return library;
    return dlopen(file, flags);
}
