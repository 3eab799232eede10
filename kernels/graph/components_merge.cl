/* SPDX-License-Identifier: MIT */
/* Merges the components of a graph that is parted among devices. Each device has found the components of all vertices
 * along the arcs of its part. The rows of this kernel lead from each vertex to its component on each device, so the
 * components of these rows (components.cl) are those of the graph. The device reads the memory of the others. */

/* In local memory. */
struct components_labels {
    global_mem const u32 *of[COMPONENTS_DEVICES];
};

/* labelN: the components on device N, `vertices` words; any words if there is no such device. offset: vertices + 1
 * words. target: `devices` words for each vertex. */
kernel_entry components_merge(global_mem const u32 *label0, global_mem const u32 *label1, global_mem const u32 *label2,
                              global_mem const u32 *label3, global_mem const u32 *label4, global_mem const u32 *label5,
                              global_mem const u32 *label6, global_mem const u32 *label7, global_mem u64 *offset,
                              global_mem u32 *target, u32 vertices, u32 devices)
{
    local_array(struct components_labels, labels, 1);
    if (item_id() == 0) {
        labels->of[0] = label0, labels->of[1] = label1, labels->of[2] = label2, labels->of[3] = label3;
        labels->of[4] = label4, labels->of[5] = label5, labels->of[6] = label6, labels->of[7] = label7;
    }
    group_barrier();
    u32 items = group_count() * group_size();
    for (u64 v = group_id() * group_size() + item_id(); v <= vertices; v += items) {
        offset[v] = v * devices;
        for (u32 d = 0; v < vertices && d < devices; d++) target[v * devices + d] = labels->of[d][v];
    }
}
