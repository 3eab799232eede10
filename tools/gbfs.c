/* SPDX-License-Identifier: MIT */
/* gbfs: breadth-first search of a graph from one source or many. "graphws bfs" is the same tool. */
#include "common/ranks.h"
#include "gbfs/main.h"

int main(int argc, char **argv)
{
    int status = ranks_refuse("gbfs");
    return status < 0 ? gbfs_main(argc, argv) : status;
}
