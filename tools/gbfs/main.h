/* SPDX-License-Identifier: MIT */
#ifndef TOOLS_GBFS_MAIN_H
#define TOOLS_GBFS_MAIN_H

/* The main function of gbfs and of "graphws bfs". */
int gbfs_main(int argc, char **argv);

#endif
