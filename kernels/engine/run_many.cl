/* SPDX-License-Identifier: MIT */
/* Runs traversals from roots[0] .. roots[runs - 1], one after the other, in one launch. Traversal i writes data0, data1
 * and record from index i * vertices on, and four words of result. */
kernel_entry engine_run_many(RUN_PARAMETERS, global_mem const u32 *roots, u32 runs)
{
    local_array(struct group_memory, memory, 1);
    struct device_engine s;
    struct run_params w;
    open_run(RUN_ARGUMENTS, memory, &s, &w);
    for (u32 i = 0; i < runs; i++) {
        u64 at = (u64)i * vertices;
        s.data[0] = data0 + at, s.data[1] = data1 + at, s.record = record + at;
        s.word[0] = roots[i];
        if (item_id() == 0) s.my->stats.exhausted = 0; /* steps restart at 0 */
        begin_run(&s, &w);
        (void)run_levels(&s, &w, 0);
        report_result(&s, result + 4 * i);
        grid_barrier_wait(&s.all, &s.my->stats.idle); /* all groups have read the bitmaps */
    }
    report_group(&s, stats, false);
}
