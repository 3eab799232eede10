/* SPDX-License-Identifier: MIT */
/* Drafts and renames. The draft is on the target's own file system, since a rename is atomic on one only, and is made
 * by open() with the usual mode, so that umask holds; a file that is replaced hands its mode on. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../../lib/random.h"
#include "unnamed.h"

static gws_status refused(const struct gws__output_file *file, const char *deed, struct gws_where *where)
{
    const char *path = strcmp(file->path, "-") == 0 ? "standard output" : file->path;
    int reason = errno;
    char text[128];
    /* The XSI strerror_r: strerror() may be shared between threads. */
    if (strerror_r(reason, text, sizeof text) != 0) snprintf(text, sizeof text, "error %d", reason);
    return gws_where_set(where, GWS_SYSTEM, path, 0, 0, "cannot %s: %s", deed, text);
}

/* "FOLDER/.gws-RANDOM.tmp" beside place; false if that is too long a path. */
static bool name_draft(struct gws__output_file *file, uint64_t random)
{
    const char *slash = strrchr(file->place, '/');
    int folder = slash ? (int)(slash - file->place) + 1 : 0;
    int length = snprintf(file->draft, sizeof file->draft, "%.*s.gws-%016" PRIx64 ".tmp", folder, file->place, random);
    return length > 0 && (size_t)length < sizeof file->draft;
}

/* Whether the name that file->draft holds could be taken; if it is not free, errno is EEXIST. */
typedef bool take_name(struct gws__output_file *file);

static bool create(struct gws__output_file *file)
{
    file->fd = open(file->draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    return file->fd >= 0;
}

static bool give_name(struct gws__output_file *file)
{
    return gws__unnamed_name(file->fd, file->draft);
}

/* Finds a name that can be taken; false and errno. A name that is taken is tried again with another. */
static bool find_name(struct gws__output_file *file, take_name *take)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    uint64_t state = gws_random_mix((uint64_t)getpid()) ^ ((uint64_t)now.tv_sec << 30) ^ (uint64_t)now.tv_nsec;
    for (int attempt = 0; attempt < 100 && !file->named; attempt++) {
        errno = ENAMETOOLONG;
        if (!name_draft(file, gws_random_next(&state))) return false;
        file->named = take(file);
        if (errno != EEXIST) break;
    }
    return file->named;
}

/* Without a name if that can be, otherwise with one. */
static bool make_draft(struct gws__output_file *file)
{
    const char *slash = strrchr(file->place, '/');
    size_t length = slash ? (size_t)(slash - file->place) + 1 : 0;
    errno = ENAMETOOLONG;
    if (!name_draft(file, 0)) return false;   /* it will need one in the end */
    memcpy(file->draft, file->place, length); /* the folder, for a moment */
    memcpy(file->draft + length, ".", 2);
    file->fd = gws__unnamed_open(file->draft);
    return file->fd >= 0 || find_name(file, create);
}

/* Fills place: links followed when there is something, the path as it is otherwise. */
static bool find_place(struct gws__output_file *file, bool exists)
{
    char real[PATH_MAX];
    const char *place = exists ? realpath(file->path, real) : file->path;
    if (!place) return false;
    size_t length = strlen(place);
    errno = length == 0 ? ENOENT : length >= sizeof file->place ? ENAMETOOLONG : EISDIR;
    if (length == 0 || length >= sizeof file->place || place[length - 1] == '/') return false;
    memcpy(file->place, place, length + 1);
    return true;
}

static gws_status open_draft(struct gws__output_file *file, const struct stat *old, struct gws_where *where)
{
    if (!find_place(file, old != NULL)) return refused(file, "write", where);
    if (old && access(file->place, W_OK) != 0) return refused(file, "replace", where);
    if (!make_draft(file)) return refused(file, "create a file in its folder", where);
    file->drafted = true;
    if (!old || fchmod(file->fd, old->st_mode & 0777) == 0) return GWS_OK;
    gws_status status = refused(file, "set the mode", where);
    gws__output_file_discard(file);
    return status;
}

gws_status gws__output_file_open(struct gws__output_file *file, const char *path, struct gws_where *where)
{
    file->path = path;
    file->drafted = file->named = false;
    file->fd = STDOUT_FILENO;
    if (strcmp(path, "-") == 0) return GWS_OK;
    struct stat old;
    if (stat(path, &old) != 0) return open_draft(file, NULL, where);
    if (S_ISREG(old.st_mode)) return open_draft(file, &old, where);
    file->fd = open(path, O_WRONLY | O_CLOEXEC);
    return file->fd >= 0 ? GWS_OK : refused(file, "write", where);
}

/* write() that answers EPIPE and EFBIG without a signal: what is raised on this thread meanwhile is taken off again,
 * unless it was pending before. */
static ssize_t write_quietly(int fd, const char *bytes, size_t size)
{
    sigset_t ours, before, pending;
    sigemptyset(&ours);
    sigaddset(&ours, SIGPIPE);
    sigaddset(&ours, SIGXFSZ);
    sigpending(&pending);
    if (sigismember(&pending, SIGPIPE)) sigdelset(&ours, SIGPIPE);
    if (sigismember(&pending, SIGXFSZ)) sigdelset(&ours, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &ours, &before);
    ssize_t wrote = write(fd, bytes, size);
    int reason = errno;
    if (wrote < 0 && (reason == EPIPE || reason == EFBIG))
        while (sigtimedwait(&ours, NULL, &(struct timespec){0}) < 0 && errno == EINTR) continue;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = reason;
    return wrote;
}

gws_status gws__output_file_write(struct gws__output_file *file, const void *bytes, uint64_t size,
                                  struct gws_where *where)
{
    static const uint64_t most = 1 << 30; /* Linux writes no more than 2 GiB at once */
    const char *at = bytes;
    while (size > 0) {
        ssize_t wrote = write_quietly(file->fd, at, size < most ? size : most);
        if (wrote < 0 && errno == EAGAIN) /* standard output may be set not to block */
            poll(&(struct pollfd){.fd = file->fd, .events = POLLOUT}, 1, -1);
        else if (wrote < 0 && errno != EINTR)
            return refused(file, "write", where);
        if (wrote < 0) continue;
        at += wrote;
        size -= (uint64_t)wrote;
    }
    return GWS_OK;
}

gws_status gws__output_file_commit(struct gws__output_file *file, struct gws_where *where)
{
    if (strcmp(file->path, "-") == 0) return GWS_OK;
    bool named = !file->drafted || file->named || find_name(file, give_name);
    gws_status status = named ? GWS_OK : refused(file, "name", where);
    if (close(file->fd) != 0 && status == GWS_OK) status = refused(file, "write", where);
    if (!file->drafted) return status;
    if (status == GWS_OK && rename(file->draft, file->place) != 0) status = refused(file, "rename", where);
    if (status != GWS_OK && file->named) unlink(file->draft);
    return status;
}

void gws__output_file_discard(struct gws__output_file *file)
{
    if (strcmp(file->path, "-") != 0) close(file->fd);
    if (file->named) unlink(file->draft);
}
