/* SPDX-License-Identifier: MIT */
/* BFS by groups and CPU workers on shared deques (Abdelmageed's thesis, chapter 3), where atomics of both sides hold
 * against each other. The host cuts each level; groups and CPU workers take and steal by the same words (take.cl).
 *
 * A kernel for one level is bfs_top_down or bfs_bottom_up. This one is kept alive from level to level by the protocol
 * of done flags (section 3.3): each group has a word, FLAG_GO from the host, FLAG_DONE back, FLAG_END from the host in
 * the end. So all groups must be resident, for the host waits for each of them; they run top-down levels only. */
#define FLAG_GO 0u
#define FLAG_DONE 1u
#define FLAG_END 10u
#define FLAG_STRIDE 32u /* words of 32 bits: a line for each group */

/* What the host says to this group; in all its items. */
device_inline u32 next_turn(global_mem atom32 *flag, local_mem struct group_memory *my)
{
    u32 said;
    if (item_id() == 0) {
        /* acquire: pairs with the host's release, so the level's words and deques are there. */
        while ((said = atom_load(flag, order_acquire)) == FLAG_DONE) spin_pause();
        my->word = said;
    }
    group_barrier();
    said = my->word;
    group_barrier(); /* word is free again */
    return said;
}

kernel_entry bfs_stay(SEARCH_PARAMETERS, global_mem atom32 *flags)
{
    local_array(struct group_memory, memory, 1);
    SEARCH_MAKE(s);
    global_mem atom32 *flag = flags + group_id() * FLAG_STRIDE;
    u32 said = FLAG_GO;
    do {
        said = next_turn(flag, memory);
        if (said == FLAG_GO) run_top_down(s, memory);
        group_barrier(); /* all items have written what they found */
        /* release: pairs with the host's acquire, so it sees that. */
        if (item_id() == 0 && said == FLAG_GO) atom_store(flag, FLAG_DONE, order_release);
    } while (said == FLAG_GO);
}
