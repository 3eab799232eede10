/* SPDX-License-Identifier: MIT */
/* Runs the tree of empty tasks of spawn.c on oneTBB. Each task adds its two children to one task_group, as the
 * documentation of oneTBB recommends for recursion. */
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

namespace
{

struct Node {
    tbb::task_group *group;
    unsigned depth;
    void operator()() const
    {
        if (depth == 0) return;
        group->run(Node{group, depth - 1});
        group->run(Node{group, depth - 1});
    }
};

} // namespace

extern "C" void tbb_tree(unsigned depth, unsigned threads)
{
    tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    tbb::task_arena arena(static_cast<int>(threads));
    arena.execute([depth] {
        tbb::task_group group;
        group.run_and_wait(Node{&group, depth});
    });
}
