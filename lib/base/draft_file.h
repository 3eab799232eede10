/* SPDX-License-Identifier: MIT */
/* The files of drafts: names, drafts of killed writers, O_TMPFILE, and access rights.
 *
 * A draft beside the target NAME is called .gws-HASH-NUMBER.tmp, where HASH is that of NAME. So the next writer of NAME
 * finds it without reading the folder. A writer locks its draft (flock(2)) from before its first write until it has
 * renamed or removed the draft. The system releases the locks of dead processes, so a draft that can be locked has no
 * writer. Only the holder of the lock may remove a draft. Locks are reliable only if one kernel keeps them for all
 * users of the file, so network and user-space file systems are never cleared. */
#ifndef GWS_BASE_DRAFT_FILE_H
#define GWS_BASE_DRAFT_FILE_H

#include <stdbool.h>
#include <sys/stat.h>

#include "draft.h"

/* The length of the folder part of a path. The second writes "FOLDER/." to folder (GWS__DRAFT_PATH bytes) and returns
 * it. */
size_t gws__draft_folder(const char *target);
const char *gws__draft_folder_of(const char *target, char *folder);

/* Tries to claim draft->draft as the draft's name; errno is EEXIST if it is taken. */
typedef bool gws__draft_try_name(struct gws__draft *draft, mode_t mode);

/* Gives the draft the first free name. False and errno if there is none. */
bool gws__draft_find_name(struct gws__draft *draft, gws__draft_try_name *try_name, mode_t mode);

/* Locks a draft without a name, or a named one. The second returns false if another process is removing that draft. */
void gws__draft_lock(int fd);
bool gws__draft_lock_named(int fd);

/* Removes the drafts of dead writers of target. */
void gws__draft_clear(const char *target);

/* An O_TMPFILE file in that folder, for writing, of mode less the umask; -1 if the system or the file system does not
 * support it. */
int gws__tmpfile_open(const char *folder, mode_t mode);

/* Gives it a free name on the same file system; false and errno on failure. */
bool gws__tmpfile_link(int fd, const char *name);

/* Gives the new file the old file's group, owner, access control list and permissions, as draft.h describes. False and
 * errno if it cannot set the permissions. */
bool gws__draft_access(int fd, const char *target, const struct stat *old);

#endif
