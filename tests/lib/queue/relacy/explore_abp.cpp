// SPDX-License-Identifier: MIT
// Explores the bounded deque by Relacy (see explore.h).
#include "../../../../lib/queue/abp.c"

#include "explore.h"

int main()
{
    static const struct {
        struct gws_relacy_case what;
        uint32_t thieves;
    } cases[] = {
        {{":+-+-", 2, 2, 4, 0}, 1},   // a single task, twice in one slot
        {{":++--", 2, 2, 4, 0}, 1},   // a thief may steal the older task
        {{"++-:+--", 3, 2, 3, 0}, 1}, // the owner fills a slot again
        {{":++=+-", 2, 2, 3, 0}, 1},  // the owner pops two tasks at once
        {{"++:", 2, 2, 4, 0}, 2},     // two competing thieves
        {{"++:-+-", 4, 2, 3, 0}, 2},  // two thieves; one may have read an old head
        {{":+++=++=", 4, 3, 0, 20000}, 2},
    };
    gws_relacy_loads_late = true;
    for (const auto &c : cases) gws_relacy_explore<struct abp_deque>(&gws__task_queue_abp, c.what, c.thieves);
    return gws_relacy_exit_status();
}
