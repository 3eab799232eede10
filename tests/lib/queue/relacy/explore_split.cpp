// SPDX-License-Identifier: MIT
// Explores the split queue by Relacy (see explore.h).
#include "../../../../lib/queue/split.c"

#include "explore.h"

int main()
{
    static const struct {
        struct gws_relacy_case what;
        uint32_t thieves;
    } cases[] = {
        {{":++--", 2, 2, 4, 0}, 1},   {{"++:-+-", 2, 2, 4, 0}, 1}, {{"++:+-=", 2, 2, 3, 0}, 1},
        {{"+++:+-=", 1, 2, 3, 0}, 1}, {{"++:+-", 2, 2, 2, 0}, 2},  {{":+++=++=", 4, 3, 0, 20000}, 2},
    };
    for (const auto &c : cases) gws_relacy_explore<struct split>(&gws__task_queue_split, c.what, c.thieves);
    return gws_relacy_exit_status();
}
