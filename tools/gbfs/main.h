/* SPDX-License-Identifier: MIT */
#ifndef TOOLS_GBFS_MAIN_H
#define TOOLS_GBFS_MAIN_H

/* The main function of gbfs and of "graphws bfs", the tools of these names. */
int gbfs_main(const char *tool, int argc, char **argv);

#endif
