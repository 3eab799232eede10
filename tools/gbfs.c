/* SPDX-License-Identifier: MIT */
/* gbfs: breadth-first search of a graph from one source or many. "graphws bfs" is the same tool. */
#include "gbfs/main.h"

int main(int argc, char **argv)
{
    return gbfs_main("gbfs", argc, argv);
}
