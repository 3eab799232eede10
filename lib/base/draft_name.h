/* SPDX-License-Identifier: MIT */
/* Names of drafts, and what killed writers left under them.
 *
 * A draft beside the target NAME is called .gws-HASH-NUMBER.tmp, HASH being that of NAME: the next writer of NAME finds
 * it without reading the folder. A writer holds a lock (flock(2)) on its draft from before it writes until it has
 * renamed or removed it, and the system takes that from the dead, so a draft that can be locked is nobody's. Only who
 * holds the lock may remove a draft. Locks tell something only where one kernel keeps them for all who see the file, so
 * network and user-space file systems are never cleared. */
#ifndef GWS_BASE_DRAFT_NAME_H
#define GWS_BASE_DRAFT_NAME_H

#include <stdbool.h>

#include "draft.h"

/* Whether draft->draft could be taken as the draft's name; if it is not free, errno is EEXIST. */
typedef bool gws__draft_take(struct gws__draft *draft, mode_t mode);

/* Names the draft by the first name that can be taken. False and errno if there is none. */
bool gws__draft_find_name(struct gws__draft *draft, gws__draft_take *take, mode_t mode);

/* Locks a draft that has no name yet, or one that has: false if somebody clears that one away. */
void gws__draft_lock(int fd);
bool gws__draft_lock_named(int fd);

/* Removes drafts of place that are nobody's. */
void gws__draft_clear(const char *place);

#endif
