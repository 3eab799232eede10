/* SPDX-License-Identifier: MIT */
/* Files that have no name until they are whole: nothing is left of them when the program is killed. */
#ifndef GWS_BASE_UNNAMED_H
#define GWS_BASE_UNNAMED_H

#include <stdbool.h>
#include <sys/types.h>

/* A file in that folder, to write to, of mode less the umask; -1 where system or file system have no such files. */
int gws__unnamed_open(const char *folder, mode_t mode);

/* Gives it that name, which must be free, on the same file system; false and errno if that cannot be. */
bool gws__unnamed_name(int fd, const char *name);

#endif
