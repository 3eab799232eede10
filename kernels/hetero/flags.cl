/* SPDX-License-Identifier: MIT */
/* The protocol of done flags (Abdelmageed's thesis, section 3.3), which keeps a kernel alive from level to level where
 * atomics of host and device hold against each other. Each group has a word: FLAG_GO from the host, FLAG_DONE back,
 * FLAG_END from the host in the end. A group that begins says FLAG_RUN, so that the host can take its word back from
 * one that has not begun and for which nothing is left: nobody waits for a group that got no core in time. So all
 * groups must be resident, for the host waits for each of them. lib/hetero/flags.h is the host's side. */

/* Waits for the group's next turn; false: the kernel is to leave. word: one of local memory. All items call. */
device_inline bool flag_wait(global_mem atom32 *flag, local_mem u32 *word)
{
    u32 said = FLAG_DONE;
    if (item_id() == 0) {
        while (said != FLAG_RUN && said != FLAG_END) {
            said = FLAG_GO;
            /* acquire: pairs with the release in set_all(), so the level's words and deques are there. */
            if (atom_load(flag, order_relaxed) == FLAG_GO && atom_cas(flag, &said, FLAG_RUN, order_acquire))
                said = FLAG_RUN;
            else
                said = atom_load(flag, order_relaxed);
            if (said == FLAG_DONE) spin_pause();
        }
        *word = said;
    }
    group_barrier();
    said = *word;
    group_barrier(); /* word is free again */
    return said == FLAG_RUN;
}

/* The turn is over. All items call. */
device_inline void flag_done(global_mem atom32 *flag)
{
    u32 run = FLAG_RUN;
    group_barrier(); /* all items have written what they found */
    /* release: pairs with the acquire in gws__flags_wait(), so the host sees that. It fails where the host has given
     * up: FLAG_END stays. */
    if (item_id() == 0) (void)atom_cas(flag, &run, FLAG_DONE, order_release);
}
