/* SPDX-License-Identifier: MIT */
/* The files of drafts: names, drafts of killed writers, O_TMPFILE, and access rights.
 *
 * A draft beside the target NAME is called .gws-HASH-NUMBER.tmp, where HASH is a hash of NAME. So the next writer of
 * NAME finds the draft without reading the folder. A writer locks its draft (flock(2)) before its first write, and
 * keeps the lock until it has renamed or removed the draft. The system releases the locks of dead processes, so a draft
 * that can be locked has no writer. Only the holder of the lock may remove a draft. Locks are reliable only if one
 * kernel keeps them for all users of the file, so writers never clear network and user-space file systems. */
#ifndef GWS_BASE_DRAFT_FILE_H
#define GWS_BASE_DRAFT_FILE_H

#include <stdbool.h>
#include <sys/stat.h>

#include "draft.h"

/* gws__draft_folder() returns the length of the folder part of a path. gws__draft_folder_of() writes "FOLDER/." to
 * folder (GWS__DRAFT_PATH bytes) and returns folder. */
size_t gws__draft_folder(const char *target);
const char *gws__draft_folder_of(const char *target, char *folder);

/* Tries to claim draft->draft as the draft's name. errno is EEXIST if another file has the name. */
typedef bool gws__draft_try_name(struct gws__draft *draft, mode_t mode);

/* Gives the draft the first free name. Returns false and sets errno if there is none. */
bool gws__draft_find_name(struct gws__draft *draft, gws__draft_try_name *try_name, mode_t mode);

/* gws__draft_lock() locks a draft without a name. gws__draft_lock_named() locks a named draft and returns false if
 * another process is removing that draft. */
void gws__draft_lock(int fd);
bool gws__draft_lock_named(int fd);

/* Removes the drafts of dead writers of target. */
void gws__draft_clear(const char *target);

/* Opens an O_TMPFILE file in that folder for writing, with mode less the umask. Returns -1 if the system or the file
 * system does not support O_TMPFILE. */
int gws__tmpfile_open(const char *folder, mode_t mode);

/* Gives an O_TMPFILE file a free name on the same file system. Returns false and sets errno on failure. */
bool gws__tmpfile_link(int fd, const char *name);

/* Opens the file of another process for writing, from byte `offset` on. Returns -1 and sets errno on failure. */
int gws__draft_open_place(const struct gws__draft_place *place, uint64_t offset);

/* Gives the new file the old file's group, owner, access control list and permissions, as draft.h describes. Returns
 * false and sets errno if it cannot set the permissions. */
bool gws__draft_access(int fd, const char *target, const struct stat *old);

#endif
