/* SPDX-License-Identifier: MIT */
/* Drafts and renames. The draft is on the target's own file system, because a rename is atomic only there. The library
 * syncs the draft before the rename and its folder afterwards. A power loss thus leaves the old file or the new one. */
#define _XOPEN_SOURCE 700 /* the strerror_r of XSI */
#include "draft.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "draft_file.h"

enum { MAX_LINKS = 40 /* the limit of Linux */ };

static gws_status system_error(const struct gws__draft *draft, const char *action, struct gws_diagnostic *where)
{
    const char *path = strcmp(draft->path, "-") == 0 ? "standard output" : draft->path;
    int reason = errno;
    char text[128];
    /* This is the strerror_r() of XSI, because strerror() may use a buffer that threads share. */
    if (strerror_r(reason, text, sizeof text) != 0) snprintf(text, sizeof text, "error %d", reason);
    return gws_diagnostic_set(where, GWS_SYSTEM, path, 0, 0, "cannot %s: %s", action, text);
}

/* ---- the draft's name ---- */

/* A signal handler that ends the process must not run between a change of a name and the call of the hook. */
static void block_signals(sigset_t *before)
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, before);
}

static void restore_signals(const sigset_t *before)
{
    int reason = errno;
    pthread_sigmask(SIG_SETMASK, before, NULL);
    errno = reason;
}

static void report_unfinished(const struct gws__draft *draft, const char *name)
{
    struct gws_runtime *runtime = draft->runtime;
    if (runtime->unfinished) runtime->unfinished(runtime->context, name);
}

static bool create(struct gws__draft *draft, mode_t mode)
{
    draft->fd = open(draft->draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    if (draft->fd < 0) return false;
    bool locked = gws__draft_lock_named(draft->fd);
    if (!locked) close(draft->fd);
    errno = locked ? 0 : EEXIST;
    return locked;
}

static bool give_name(struct gws__draft *draft, mode_t mode)
{
    (void)mode;
    return gws__tmpfile_link(draft->fd, draft->draft);
}

static bool create_named(struct gws__draft *draft, mode_t mode)
{
    sigset_t before;
    block_signals(&before);
    bool made = gws__draft_find_name(draft, create, mode);
    if (made) report_unfinished(draft, draft->draft);
    restore_signals(&before);
    return made;
}

static void remove_named(struct gws__draft *draft)
{
    sigset_t before;
    block_signals(&before);
    unlink(draft->draft);
    report_unfinished(draft, NULL);
    restore_signals(&before);
}

/* Renames the draft to the target. An O_TMPFILE draft gets a name only here, just before the rename. */
static gws_status rename_to_target(struct gws__draft *draft, struct gws_diagnostic *where)
{
    sigset_t before;
    block_signals(&before);
    gws_status status = GWS_OK;
    if (!draft->named && !gws__draft_find_name(draft, give_name, 0)) status = system_error(draft, "name", where);
    if (status == GWS_OK && rename(draft->draft, draft->target) != 0) status = system_error(draft, "rename", where);
    if (status != GWS_OK && draft->named) unlink(draft->draft);
    if (draft->named) report_unfinished(draft, NULL);
    restore_signals(&before);
    return status;
}

/* ---- opening ---- */

/* Makes a draft by O_TMPFILE if possible, otherwise a named draft. */
static bool make_draft(struct gws__draft *draft, mode_t mode)
{
    char folder[GWS__DRAFT_PATH];
    draft->fd = gws__tmpfile_open(gws__draft_folder_of(draft->target, folder), mode);
    if (draft->fd < 0) return create_named(draft, mode);
    gws__draft_lock(draft->fd);
    return true;
}

/* Replaces target by the content of the link that it names. Returns false if target is no link, or if the content is
 * too long. */
static bool follow(char *target)
{
    char text[GWS__DRAFT_PATH];
    ssize_t length = readlink(target, text, sizeof text);
    size_t folder = length > 0 && text[0] != '/' ? gws__draft_folder(target) : 0;
    if (length < 0) return false;
    errno = ENAMETOOLONG;
    if (folder + (size_t)length >= GWS__DRAFT_PATH) return false;
    memcpy(target + folder, text, (size_t)length);
    target[folder + (size_t)length] = '\0';
    return true;
}

bool gws__draft_target(const char *path, char *target)
{
    size_t length = strlen(path);
    errno = length == 0 ? ENOENT : length >= GWS__DRAFT_PATH ? ENAMETOOLONG : EISDIR;
    if (length == 0 || length >= GWS__DRAFT_PATH || path[length - 1] == '/') return false;
    memcpy(target, path, length + 1);
    for (int links = 0; links < MAX_LINKS; links++)
        if (!follow(target)) return errno == EINVAL || errno == ENOENT; /* no link, or no file */
    errno = ELOOP;
    return false;
}

/* Opens the draft. Until a draft that replaces a file is complete, only its owner has access. */
static gws_status open_draft(struct gws__draft *draft, bool exists, mode_t mode, struct gws_diagnostic *where)
{
    if (!gws__draft_target(draft->path, draft->target)) return system_error(draft, "write", where);
    if (exists && access(draft->target, W_OK) != 0) return system_error(draft, "replace", where);
    gws__draft_clear(draft->target);
    if (!make_draft(draft, exists ? 0600 : mode)) return system_error(draft, "create a file in its folder", where);
    draft->drafted = true;
    return GWS_OK;
}

gws_status gws__draft_open(struct gws__draft *draft, struct gws_runtime *runtime, const char *path, mode_t mode,
                           struct gws_diagnostic *where)
{
    draft->path = path;
    draft->runtime = runtime;
    draft->drafted = draft->named = false;
    draft->fd = STDOUT_FILENO;
    if (strcmp(path, "-") == 0) return GWS_OK;
    struct stat old;
    bool exists = stat(path, &old) == 0;
    if (!exists && errno != ENOENT) return system_error(draft, "write", where);
    if (!exists || S_ISREG(old.st_mode)) return open_draft(draft, exists, mode, where);
    draft->fd = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
    return draft->fd >= 0 ? GWS_OK : system_error(draft, "write", where);
}

gws_status gws__draft_join(struct gws__draft *draft, struct gws_runtime *runtime, const char *path,
                           const struct gws__draft_place *place, uint64_t offset, struct gws_diagnostic *where)
{
    draft->path = path;
    draft->runtime = runtime;
    draft->drafted = draft->named = false;
    draft->fd = gws__draft_open_place(place, offset);
    return draft->fd >= 0 ? GWS_OK : system_error(draft, "open the file of rank 0", where);
}

/* ---- writing ---- */

/* Calls write(), or pwrite() if `at` is not negative, without the signals of EPIPE and EFBIG. Removes the signal that
 * the call raised on this thread, unless the signal was pending before. */
static ssize_t write_quietly(int fd, const char *bytes, size_t size, off_t at)
{
    sigset_t ours, before, pending;
    sigemptyset(&ours);
    sigaddset(&ours, SIGPIPE);
    sigaddset(&ours, SIGXFSZ);
    sigpending(&pending);
    if (sigismember(&pending, SIGPIPE)) sigdelset(&ours, SIGPIPE);
    if (sigismember(&pending, SIGXFSZ)) sigdelset(&ours, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &ours, &before);
    ssize_t wrote = at < 0 ? write(fd, bytes, size) : pwrite(fd, bytes, size, at);
    int reason = errno;
    if (wrote < 0 && (reason == EPIPE || reason == EFBIG))
        while (sigtimedwait(&ours, NULL, &(struct timespec){0}) < 0 && errno == EINTR) continue;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = reason;
    return wrote;
}

enum { poll_ms = 5 };

gws_status gws__draft_write(struct gws__draft *draft, const void *bytes, uint64_t size, struct gws_diagnostic *where)
{
    static const uint64_t max = 1 << 24; /* bytes per write(): some milliseconds between two calls of the cancel hook */
    const char *at = bytes;
    while (size > 0) {
        if (gws_cancelled(draft->runtime)) return gws_diagnostic_status(where, GWS_CANCELLED);
        ssize_t wrote = write_quietly(draft->fd, at, size < max ? size : max, -1);
        if (wrote < 0 && errno == EAGAIN) /* standard output may be non-blocking */
            poll(&(struct pollfd){.fd = draft->fd, .events = POLLOUT}, 1, draft->runtime->cancel ? poll_ms : -1);
        else if (wrote < 0 && errno != EINTR)
            return system_error(draft, "write", where);
        if (wrote < 0) continue;
        at += wrote;
        size -= (uint64_t)wrote;
    }
    return GWS_OK;
}

gws_status gws__draft_write_at(const struct gws__draft *draft, const void *bytes, uint64_t size, uint64_t offset,
                               struct gws_diagnostic *where)
{
    const char *at = bytes;
    while (size > 0) {
        const ssize_t wrote = write_quietly(draft->fd, at, size, (off_t)offset);
        if (wrote < 0 && errno != EINTR) return system_error(draft, "write", where);
        if (wrote < 0) continue;
        at += wrote;
        size -= (uint64_t)wrote;
        offset += (uint64_t)wrote;
    }
    return GWS_OK;
}

/* ---- the end ---- */

/* Syncs a file. Files that do not support sync, such as pipes, do not need it. */
static bool sync_file(int fd)
{
    int answer;
    do answer = fsync(fd);
    while (answer != 0 && errno == EINTR);
    return answer == 0 || errno == EINVAL || errno == ENOTSUP || errno == ENOSYS;
}

/* Syncs the target's folder, unless this process may write the folder but not read it. */
static bool sync_folder(const char *target)
{
    char folder[GWS__DRAFT_PATH];
    int fd = open(gws__draft_folder_of(target, folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return errno == EACCES;
    bool synced = sync_file(fd);
    int reason = errno;
    close(fd);
    errno = reason;
    return synced;
}

/* Detects the errors that close() would report, as on NFS, and keeps the lock. */
static bool flush(int fd)
{
    int copy = dup(fd);
    return copy >= 0 && close(copy) == 0;
}

static gws_status finish_file(struct gws__draft *draft, struct gws_diagnostic *where)
{
    struct stat old;
    if (draft->drafted && lstat(draft->target, &old) == 0) {
        errno = EEXIST;
        if (!S_ISREG(old.st_mode)) return system_error(draft, "replace a path that is no regular file", where);
        if (!gws__draft_access(draft->fd, draft->target, &old)) return system_error(draft, "set the mode", where);
    }
    if (!draft->runtime->no_sync && !sync_file(draft->fd)) return system_error(draft, "sync", where);
    return flush(draft->fd) ? GWS_OK : system_error(draft, "write", where);
}

gws_status gws__draft_commit(struct gws__draft *draft, struct gws_diagnostic *where)
{
    if (strcmp(draft->path, "-") == 0) return GWS_OK;
    gws_status status = finish_file(draft, where);
    if (!draft->drafted || status != GWS_OK) {
        gws__draft_discard(draft);
        return status;
    }
    status = rename_to_target(draft, where);
    close(draft->fd); /* releases the lock after the rename */
    if (status == GWS_OK && !draft->runtime->no_sync && !sync_folder(draft->target))
        status = system_error(draft, "sync its folder", where);
    return status;
}

void gws__draft_discard(struct gws__draft *draft)
{
    if (strcmp(draft->path, "-") == 0) return;
    if (draft->named) remove_named(draft);
    close(draft->fd);
}
