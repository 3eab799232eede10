/* SPDX-License-Identifier: MIT */
/* Available memory, from /proc/meminfo and the memory control groups in /proc/self/cgroup. A group's usage includes the
 * page cache. The kernel drops the cache before it refuses memory, so the cache counts as free. */
#include "console.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { PATH = 4096, LINE = 4352 };

struct group_files {
    const char *mount, *max, *used, *inactive, *active; /* inactive and active: names of lines of memory.stat */
};

static const struct group_files version1 = {"/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
                                            "total_inactive_file", "total_active_file"};
static const struct group_files version2 = {"/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file",
                                            "active_file"};

/* Returns the number after a name at the start of a line, or the first number of the file if name is empty. Returns
 * missing if there is none or it is "max". */
static uint64_t number_in(const char *path, const char *name, uint64_t missing)
{
    char line[LINE];
    size_t length = strlen(name);
    uint64_t number = missing;
    FILE *file = fopen(path, "re");
    if (!file) return missing;
    while (fgets(line, sizeof line, file))
        if (strncmp(line, name, length) == 0 && (length == 0 || strchr(": ", line[length]))) {
            if (sscanf(line + length, "%*[: ]%" SCNu64, &number) != 1) sscanf(line + length, "%" SCNu64, &number);
            break;
        }
    fclose(file);
    return number;
}

static uint64_t group_number(const struct group_files *files, const char *group, const char *file, const char *name,
                             uint64_t missing)
{
    char path[2 * PATH];
    snprintf(path, sizeof path, "%s%s/%s", files->mount, group, file);
    return number_in(path, name, missing);
}

static uint64_t free_in_group(const struct group_files *files, const char *group)
{
    uint64_t max = group_number(files, group, files->max, "", UINT64_MAX);
    uint64_t used = group_number(files, group, files->used, "", 0);
    uint64_t cache = group_number(files, group, "memory.stat", files->inactive, 0) +
                     group_number(files, group, "memory.stat", files->active, 0);
    if (max > UINT64_MAX / 4) return UINT64_MAX; /* "max", or a number so large that it means no limit */
    used -= cache < used ? cache : used;
    return max > used ? max - used : 0;
}

/* Returns the minimum free memory over a group and its ancestors. */
static uint64_t free_in_groups(const struct group_files *files, char *group)
{
    uint64_t min_free = UINT64_MAX;
    for (;;) {
        uint64_t here = free_in_group(files, group);
        if (here < min_free) min_free = here;
        char *last = strrchr(group, '/');
        if (!last) return min_free;
        *last = '\0';
    }
}

/* Parses a line of /proc/self/cgroup: "NUMBER:CONTROLLERS:/PATH"; version 2 has no controllers. */
static uint64_t free_by_line(char *line)
{
    char *controllers = strchr(line, ':'), *group = controllers ? strchr(controllers + 1, ':') : NULL;
    if (!group) return UINT64_MAX;
    *group++ = '\0';
    group[strcspn(group, "\n")] = '\0';
    if (controllers[1] == '\0') return free_in_groups(&version2, group);
    return strcmp(controllers + 1, "memory") == 0 ? free_in_groups(&version1, group) : UINT64_MAX;
}

static uint32_t sharers = 1;

void memory_share(uint32_t processes)
{
    sharers = processes;
}

uint64_t memory_available(void)
{
    uint64_t min_free = number_in("/proc/meminfo", "MemAvailable", 0) * 1024;
    if (min_free > 0) min_free += number_in("/proc/meminfo", "SwapFree", 0) * 1024;
    char line[LINE];
    FILE *groups = fopen("/proc/self/cgroup", "re");
    while (groups && fgets(line, sizeof line, groups)) {
        uint64_t here = free_by_line(line);
        if (here < UINT64_MAX && (here < min_free || min_free == 0)) min_free = here;
    }
    if (groups) fclose(groups);
    return (min_free - min_free / 16) / sharers;
}
