/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "draft_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#include "../random.h"

enum { NUMBERED = 32, DRAWN = 68, LINK = 32, LIST = 4096 /* bytes of an access control list: about 500 entries */ };

/* ---- names ----
 *
 * The first names are numbered, so the next writer can find the drafts of dead processes. If other drafts have all
 * numbered names, as on a file system where no writer clears drafts, the draft gets a random name. */

size_t gws__draft_folder(const char *target)
{
    const char *slash = strrchr(target, '/');
    return slash ? (size_t)(slash - target) + 1 : 0;
}

const char *gws__draft_folder_of(const char *target, char *folder)
{
    size_t length = gws__draft_folder(target);
    memcpy(folder, target, length);
    memcpy(folder + length, ".", 2);
    return folder;
}

static uint64_t hash_of(const char *name)
{
    uint64_t hash = 0;
    for (; *name; name++) hash = gws_random_mix(hash ^ (unsigned char)*name);
    return hash;
}

/* Writes the name of a draft. Returns false and sets errno if the path is too long. */
static bool write_name(const char *target, uint64_t number, char *name)
{
    size_t folder = gws__draft_folder(target);
    int length = snprintf(name, GWS__DRAFT_PATH, "%.*s.gws-%016" PRIx64 "-%" PRIx64 ".tmp", (int)folder, target,
                          hash_of(target + folder), number);
    errno = ENAMETOOLONG;
    return length > 0 && length < GWS__DRAFT_PATH;
}

bool gws__draft_find_name(struct gws__draft *draft, gws__draft_try_name *try_name, mode_t mode)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    uint64_t state = gws_random_mix((uint64_t)getpid()) ^ ((uint64_t)now.tv_sec << 30) ^ (uint64_t)now.tv_nsec;
    for (uint64_t i = 0; i < NUMBERED + DRAWN && !draft->named; i++) {
        if (!write_name(draft->target, i < NUMBERED ? i : gws_random_next(&state), draft->draft)) return false;
        draft->named = try_name(draft, mode);
        if (errno != EEXIST) break;
    }
    return draft->named;
}

/* ---- locks ---- */

void gws__draft_lock(int fd)
{
    (void)flock(fd, LOCK_EX | LOCK_NB); /* on file systems without locks, no writer clears drafts */
}

bool gws__draft_lock_named(int fd)
{
    struct stat about;
    if (flock(fd, LOCK_EX | LOCK_NB) != 0) return errno != EWOULDBLOCK;
    return fstat(fd, &about) == 0 && about.st_nlink > 0;
}

/* Returns whether only this kernel keeps the locks on files of the target's folder. */
static bool has_local_locks(const char *target)
{
    static const uint64_t local[] = {EXT4_SUPER_MAGIC, XFS_SUPER_MAGIC,       BTRFS_SUPER_MAGIC, F2FS_SUPER_MAGIC,
                                     TMPFS_MAGIC,      OVERLAYFS_SUPER_MAGIC, 0x2fc12fc1 /* ZFS */};
    char folder[GWS__DRAFT_PATH];
    struct statfs about;
    if (statfs(gws__draft_folder_of(target, folder), &about) != 0) return false;
    for (size_t i = 0; i < sizeof local / sizeof *local; i++)
        if ((uint64_t)about.f_type == local[i]) return true;
    return false;
}

/* ---- drafts of dead processes ---- */

static bool is_same(const struct stat *one, const struct stat *other)
{
    return one->st_dev == other->st_dev && one->st_ino == other->st_ino;
}

/* Removes the draft of that name if its writer is dead. The function checks the name again once it holds the lock,
 * because the writer may have renamed the draft before it released the lock. */
static void clear(const char *name)
{
    struct stat found, locked;
    if (lstat(name, &found) != 0 || !S_ISREG(found.st_mode) || found.st_uid != geteuid()) return;
    int fd = open(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) return;
    if (flock(fd, LOCK_EX | LOCK_NB) == 0 && fstat(fd, &locked) == 0 && lstat(name, &found) == 0 &&
        is_same(&found, &locked))
        unlink(name);
    close(fd);
}

void gws__draft_clear(const char *target)
{
    char name[GWS__DRAFT_PATH];
    if (!has_local_locks(target)) return;
    for (uint64_t i = 0; i < NUMBERED; i++)
        if (write_name(target, i, name)) clear(name);
}

/* ---- O_TMPFILE ----
 *
 * Only Linux has O_TMPFILE (open(2)). linkat(2) through /proc gives the file its name without privileges. */

static const char *link_of(int fd, char *text)
{
    snprintf(text, LINK, "/proc/self/fd/%d", fd);
    return text;
}

int gws__tmpfile_open(const char *folder, mode_t mode)
{
    char text[LINK];
    int fd = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
    if (fd < 0 || access(link_of(fd, text), F_OK) == 0) return fd;
    close(fd); /* without /proc the draft could never get a name */
    return -1;
}

bool gws__tmpfile_link(int fd, const char *name)
{
    char text[LINK];
    return linkat(AT_FDCWD, link_of(fd, text), AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0;
}

/* ---- one draft of several processes ----
 *
 * The link of a descriptor in /proc leads to the file itself, which needs no name (proc_pid_fd(5)). Each process has a
 * position of its own in the file. */

bool gws__draft_share(const struct gws__draft *draft, struct gws__draft_place *place)
{
    struct stat about;
    if (!draft->drafted || fstat(draft->fd, &about) != 0) return false;
    *place = (struct gws__draft_place){(uint64_t)getpid(), (uint64_t)draft->fd, about.st_dev, about.st_ino};
    return true;
}

int gws__draft_open_place(const struct gws__draft_place *place, uint64_t offset)
{
    char link[64];
    struct stat about;
    snprintf(link, sizeof link, "/proc/%" PRIu64 "/fd/%" PRIu64, place->process, place->descriptor);
    int fd = open(link, O_WRONLY | O_NOCTTY | O_CLOEXEC), reason;
    if (fd < 0) return -1;
    errno = ESTALE;
    if (fstat(fd, &about) == 0 && about.st_dev == place->device && about.st_ino == place->inode &&
        lseek(fd, (off_t)offset, SEEK_SET) >= 0)
        return fd;
    reason = errno;
    close(fd);
    errno = reason;
    return -1;
}

/* ---- access ----
 *
 * gws__draft_access() sets the permissions last, because a change of owner clears some of them. With an access control
 * list, the permissions include the list's mask. A file that cannot get the old group or list gets the permissions of
 * "others" for the group. */

static bool copy_group(int fd, const struct stat *old)
{
    struct stat made;
    if (fstat(fd, &made) != 0) return false;
    if (made.st_uid == old->st_uid && made.st_gid == old->st_gid) return true;
    return fchown(fd, old->st_uid, old->st_gid) == 0 || made.st_gid == old->st_gid ||
           fchown(fd, (uid_t)-1, old->st_gid) == 0;
}

/* Copies the access control list. If the old file has no list, removes the default list of the folder. */
static bool copy_list(int fd, const char *target)
{
    static const char name[] = "system.posix_acl_access";
    char list[LIST];
    ssize_t size = getxattr(target, name, list, sizeof list);
    if (size > 0) return fsetxattr(fd, name, list, (size_t)size, 0) == 0;
    if (size < 0 && errno != ENODATA) return errno == ENOTSUP;
    return fremovexattr(fd, name) == 0 || errno == ENODATA || errno == ENOTSUP;
}

bool gws__draft_access(int fd, const char *target, const struct stat *old)
{
    mode_t mode = old->st_mode & 0777;
    bool group = copy_group(fd, old), list = copy_list(fd, target);
    if (!group || !list) mode &= ~(mode_t)070 | (mode & 07) << 3;
    return fchmod(fd, mode) == 0;
}
