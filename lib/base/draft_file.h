/* SPDX-License-Identifier: MIT */
/* Files of drafts: their names and what killed writers left under them, files without a name, and who may read them.
 *
 * A draft beside the target NAME is called .gws-HASH-NUMBER.tmp, HASH being that of NAME: the next writer of NAME finds
 * it without reading the folder. A writer holds a lock (flock(2)) on its draft from before it writes until it has
 * renamed or removed it, and the system takes that from the dead, so a draft that can be locked is nobody's. Only who
 * holds the lock may remove a draft. Locks tell something only where one kernel keeps them for all who see the file, so
 * network and user-space file systems are never cleared. */
#ifndef GWS_BASE_DRAFT_FILE_H
#define GWS_BASE_DRAFT_FILE_H

#include <stdbool.h>
#include <sys/stat.h>

#include "draft.h"

/* Bytes of a place up to the name in its folder; and "FOLDER/." into folder (GWS__DRAFT_PATH bytes), which it returns.
 */
size_t gws__draft_folder(const char *place);
const char *gws__draft_folder_of(const char *place, char *folder);

/* Whether draft->draft could be taken as the draft's name; if it is not free, errno is EEXIST. */
typedef bool gws__draft_take(struct gws__draft *draft, mode_t mode);

/* Names the draft by the first name that can be taken. False and errno if there is none. */
bool gws__draft_find_name(struct gws__draft *draft, gws__draft_take *take, mode_t mode);

/* Locks a draft that has no name yet, or one that has: false if somebody clears that one away. */
void gws__draft_lock(int fd);
bool gws__draft_lock_named(int fd);

/* Removes drafts of place that are nobody's. */
void gws__draft_clear(const char *place);

/* A file without a name in that folder, to write to, of mode less the umask; -1 where system or file system have no
 * such files. */
int gws__unnamed_open(const char *folder, mode_t mode);

/* Gives it that name, which must be free, on the same file system; false and errno if that cannot be. */
bool gws__unnamed_name(int fd, const char *name);

/* Gives the new file the old one's group, owner, access control list and permissions, as draft.h has it. False and
 * errno if its permissions cannot be set. */
bool gws__draft_access(int fd, const char *place, const struct stat *old);

#endif
