/* SPDX-License-Identifier: MIT */
/* Who may read and write a file that takes another's place. */
#ifndef GWS_BASE_DRAFT_ACCESS_H
#define GWS_BASE_DRAFT_ACCESS_H

#include <stdbool.h>
#include <sys/stat.h>

/* Gives the new file the old one's group, owner, access control list and permissions, as draft.h has it. False and
 * errno if its permissions cannot be set. */
bool gws__draft_access(int fd, const char *place, const struct stat *old);

#endif
