/* SPDX-License-Identifier: MIT */
/* O_TMPFILE is Linux's own (open(2)). A name is given through /proc, as linkat(2) has it for whoever may do no more. */
#define _GNU_SOURCE
#include "unnamed.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

enum { LINK = 32 };

static const char *link_of(int fd, char *text)
{
    snprintf(text, LINK, "/proc/self/fd/%d", fd);
    return text;
}

int gws__unnamed_open(const char *folder, mode_t mode)
{
    char text[LINK];
    int fd = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
    if (fd < 0 || access(link_of(fd, text), F_OK) == 0) return fd;
    close(fd); /* without /proc it would never get a name */
    return -1;
}

bool gws__unnamed_name(int fd, const char *name)
{
    char text[LINK];
    return linkat(AT_FDCWD, link_of(fd, text), AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0;
}
