/* SPDX-License-Identifier: MIT */
/* BFS by groups and CPU workers on shared deques (Abdelmageed's thesis, chapter 3), where atomics of both sides hold
 * against each other. The host cuts each level; groups and CPU workers take and steal by the same words (take.cl).
 *
 * A kernel for one level is bfs_top_down or bfs_bottom_up. This one is kept alive from level to level by the protocol
 * of done flags (section 3.3): each group has a word, FLAG_GO from the host, FLAG_DONE back, FLAG_END from the host in
 * the end. A group that begins says FLAG_RUN, so that the host can take its word back from one that has not begun and
 * for which nothing is left: nobody waits for a group that got no core in time. So all its groups must be resident, for
 * the host waits for each of them. Where a level has more workers on the device than that, a group plays several: it
 * empties the other ones' deques, and then is the one with its own number, which may steal. They run top-down levels
 * only. */
#define FLAG_GO 0u
#define FLAG_DONE 1u
#define FLAG_RUN 2u
#define FLAG_END 10u
#define FLAG_STRIDE 32u /* words of 32 bits: a line for each group */

/* What the host says to this group; in all its items. */
device_inline u32 next_turn(global_mem atom32 *flag, local_mem struct group_memory *my)
{
    u32 said = FLAG_DONE;
    if (item_id() == 0) {
        while (said != FLAG_RUN && said != FLAG_END) {
            said = FLAG_GO;
            /* acquire: pairs with the host's release, so the level's words and deques are there. */
            if (atom_load(flag, order_relaxed) == FLAG_GO && atom_cas(flag, &said, FLAG_RUN, order_acquire))
                said = FLAG_RUN;
            else
                said = atom_load(flag, order_relaxed);
            if (said == FLAG_DONE) spin_pause();
        }
        my->word = said;
    }
    group_barrier();
    said = my->word;
    group_barrier(); /* word is free again */
    return said;
}

/* All the workers that this group plays, from the last one down to its own. */
device_inline void play(struct search s, local_mem struct group_memory *my)
{
    struct role own = own_role(s), role = own;
    u32 gpu = atom_load(&s.control[CONTROL_GPU], order_relaxed), more = (gpu - 1 - own.self) / group_count();
    for (u32 left = more + 1; left > 0; left--) {
        role.self = own.self + (left - 1) * group_count();
        role.steals = own.steals && left == 1;
        run_top_down(s, my, role);
    }
}

kernel_entry bfs_stay(SEARCH_PARAMETERS, global_mem atom32 *flags)
{
    local_array(struct group_memory, memory, 1);
    SEARCH_MAKE(s);
    global_mem atom32 *flag = flags + group_id() * FLAG_STRIDE;
    u32 said;
    do {
        said = next_turn(flag, memory);
        if (said == FLAG_RUN) play(s, memory);
        group_barrier(); /* all items have written what they found */
        /* release: pairs with the host's acquire, so it sees that. It fails where the host has given up: FLAG_END
         * stays. */
        u32 run = FLAG_RUN;
        if (item_id() == 0 && said == FLAG_RUN) (void)atom_cas(flag, &run, FLAG_DONE, order_release);
    } while (said == FLAG_RUN);
}
