/* SPDX-License-Identifier: MIT */
/* Searching on a device from several sources in one call. */
#ifndef TOOLS_GBFS_BATCH_H
#define TOOLS_GBFS_BATCH_H

#include "report.h"

/* Searches from count sources, `many` of them in a call, and for each notes the run and has it judged, where judge is
 * not NULL; judge answers -1, or a status to end with. Then searches from the last one once more, which is not noted,
 * and leaves that result in the report, as the others are the library's and gone. The first `warmup` searches are
 * neither noted nor judged. -1, or the status to exit with once the mistake has been reported. */
int batch_search(struct bfs_report *report, const uint32_t *source, uint64_t count, uint64_t many, uint64_t warmup,
                 int (*judge)(struct bfs_report *report));

#endif
