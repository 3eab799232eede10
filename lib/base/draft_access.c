/* SPDX-License-Identifier: MIT */
/* Permissions are set last, as changing the owner takes some away, and as they are where a list has its mask. Whoever
 * could not be given the old group or the list falls back to what everybody may. */
#define _DEFAULT_SOURCE
#include "draft_access.h"

#include <errno.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { LIST = 4096 /* bytes: about 500 entries */ };

static bool copy_group(int fd, const struct stat *old)
{
    struct stat made;
    if (fstat(fd, &made) != 0) return false;
    if (made.st_uid == old->st_uid && made.st_gid == old->st_gid) return true;
    return fchown(fd, old->st_uid, old->st_gid) == 0 || made.st_gid == old->st_gid ||
           fchown(fd, (uid_t)-1, old->st_gid) == 0;
}

/* What the folder gives by default goes where the old file has no list. */
static bool copy_list(int fd, const char *place)
{
    static const char name[] = "system.posix_acl_access";
    char list[LIST];
    ssize_t size = getxattr(place, name, list, sizeof list);
    if (size > 0) return fsetxattr(fd, name, list, (size_t)size, 0) == 0;
    if (size < 0 && errno != ENODATA) return errno == ENOTSUP;
    return fremovexattr(fd, name) == 0 || errno == ENODATA || errno == ENOTSUP;
}

bool gws__draft_access(int fd, const char *place, const struct stat *old)
{
    mode_t mode = old->st_mode & 0777;
    bool group = copy_group(fd, old), list = copy_list(fd, place);
    if (!group || !list) mode &= ~(mode_t)070 | (mode & 07) << 3;
    return fchmod(fd, mode) == 0;
}
