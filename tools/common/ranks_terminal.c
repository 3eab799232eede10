/* SPDX-License-Identifier: MIT */
/* A launcher gives its ranks pipes, and writes what they say to its own standard error. So rank 0 may show progress if
 * that is a terminal: of its parent, which is the launcher, or under MPICH the launcher's proxy, a child of it. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ranks.h"

/* Returns the parent of a process, and 0 if that is unknown. Sets name. */
static int parent_of(int process, char name[16])
{
    char path[64];
    int parent = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", process);
    FILE *file = fopen(path, "re");
    if (!file) return 0;
    if (fscanf(file, "%*d (%15[^)]) %*c %d", name, &parent) != 2) parent = 0;
    (void)fclose(file);
    return parent;
}

bool ranks_launcher_has_terminal(void)
{
    char name[16] = "", path[64], target[64] = "";
    struct stat own;
    if (fstat(STDERR_FILENO, &own) != 0 || !(S_ISFIFO(own.st_mode) || S_ISSOCK(own.st_mode))) return false;
    int launcher = (int)getppid();
    const int parent = parent_of(launcher, name);
    if (strncmp(name, "hydra", 5) == 0) launcher = parent;
    snprintf(path, sizeof path, "/proc/%d/fd/2", launcher);
    const ssize_t length = readlink(path, target, sizeof target - 1);
    if (length < 0) return false;
    target[length] = '\0';
    return strncmp(target, "/dev/pts/", 9) == 0 || strncmp(target, "/dev/tty", 8) == 0;
}
