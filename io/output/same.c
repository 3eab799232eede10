/* SPDX-License-Identifier: MIT */
/* Device and inode identify an existing file. The folder and the name in the folder identify a file that does not
 * exist. */
#define _XOPEN_SOURCE 700 /* S_ISSOCK */
#include <string.h>
#include <sys/stat.h>

#include "../../lib/base/draft.h"
#include "output.h"

static bool is_same(const struct stat *one, const struct stat *other)
{
    return one->st_dev == other->st_dev && one->st_ino == other->st_ino;
}

/* Finds the folder and the name of a new file. The name is a part of `place`; NULL if the folder does not exist. */
static const char *find_folder(const char *path, char place[GWS__DRAFT_PATH], struct stat *folder)
{
    char text[GWS__DRAFT_PATH];
    if (!gws__draft_target(path, place)) return NULL;
    const char *slash = strrchr(place, '/'), *name = slash ? slash + 1 : place;
    size_t length = (size_t)(name - place);
    memcpy(text, place, length);
    memcpy(text + length, ".", 2);
    return stat(text, folder) == 0 ? name : NULL;
}

bool gws_output_same(const char *one, const char *other)
{
    char place[2][GWS__DRAFT_PATH];
    struct stat about[2];
    if (strcmp(one, "-") == 0 || strcmp(other, "-") == 0) return strcmp(one, other) == 0;
    bool exists = stat(one, &about[0]) == 0;
    if (exists != (stat(other, &about[1]) == 0)) return false;
    if (exists) return is_same(&about[0], &about[1]) && !S_ISCHR(about[0].st_mode) && !S_ISSOCK(about[0].st_mode);
    const char *name = find_folder(one, place[0], &about[0]), *name2 = find_folder(other, place[1], &about[1]);
    return name && name2 && strcmp(name, name2) == 0 && is_same(&about[0], &about[1]);
}

static bool ends_in(const char *name, size_t length, const char *suffix)
{
    size_t tail = strlen(suffix);
    return length > tail && memcmp(name + length - tail, suffix, tail) == 0;
}

bool gws__output_ends(const char *name, const char *suffix)
{
    size_t length = strlen(name);
    return ends_in(name, length, suffix) || (ends_in(name, length, ".gz") && ends_in(name, length - 3, suffix));
}
