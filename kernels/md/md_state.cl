/* SPDX-License-Identifier: MIT */
/* The state of molecular dynamics on a device, and what devices do together that reach each other's memory and run at
 * the same time. Each device moves its own atoms. It writes the positions to the memory of those devices whose lists
 * have them: neighbours are mutual, so an atom's own list tells which devices these are. Before lists are built, it
 * writes the positions of all its atoms to all devices. Every device then counts the atoms of all cells. It sorts those
 * that are near its own part, in the same way as the others, and reads velocities and numbers of atoms that become its
 * own from the device that has them. */
struct md {
    struct gws__md_field field;
    struct gws__md_grid grid;
    global_mem float *position, *velocity, *force, *built_at, *sorted;
    global_mem u32 *id, *next_id;
    global_mem u32 *cell;   /* by atom */
    global_mem u32 *begin;  /* cells + 1 words: begin of a cell's atoms; at first their number */
    global_mem u32 *member; /* the atoms of all cells */
    global_mem u32 *length, *list;
    global_mem u32 *wanted; /* by atom of this device: a bit for each device that has it in a list */
    global_mem u64 *part;   /* one sum for each warp */
    global_mem u32 *control;
    global_mem u64 *sums;
    global_mem u32 *cursors;
    local_mem struct distributor_stats *stats;
    local_mem u64 *taken;    /* scratch of host_queue_take() */
    struct host_queue queue; /* capacity 0: there is none */
    global_mem u64 *links; /* see md_words.h; null: there are no other devices, or the host copies atoms between them */
    global_mem u32 *stop;  /* the host's word that ends a kernel that waits for other devices */
    u32 atoms, capacity, reorders, schedule, pattern; /* capacity: entries of a list */
    u32 from, end; /* the atoms of this device, which gets lists and forces of them alone; from is a multiple of WARP */
    u32 near_cell,
        near_cells; /* the cells that this device sorts, from near_cell on, after the last one the first one */
    float step;
    u32 first, items, rounds; /* rounds: forces computed in this launch */
    u64 meetings;             /* in the first item of all: of all launches */
    struct grid_barrier all;
};

device_inline void next_phase(struct md *s)
{
    grid_barrier_wait(&s->all, &s->stats->idle);
}

/* ---- other devices ---- */

/* Returns the device that has the atom. Device d of n has the tasks from tasks * d / n on. */
device_inline u32 device_of(const struct md *s, u32 atom)
{
    u64 tasks = ((u64)s->atoms + MD_TASK - 1) / MD_TASK;
    return (u32)((((u64)(atom / MD_TASK) + 1) * s->links[MD_LINK_DEVICES] - 1) / tasks);
}

device_inline global_mem float *floats_of(const struct md *s, u32 device, u32 which)
{
    return (global_mem float *)s->links[MD_LINK_ARRAYS + MD_LINK_WORDS * device + which];
}

/* The words that devices write for `device`: two for each device. */
device_inline global_mem host64 *words_of(const struct md *s, u32 device)
{
    return (global_mem host64 *)s->links[MD_LINK_ARRAYS + MD_LINK_WORDS * device + MD_LINK_MEET];
}

/* The meetings of earlier launches, which this device's memory counts. */
device_inline u64 meetings_before(const struct md *s)
{
    return host_load(&words_of(s, (u32)s->links[MD_LINK_OWN])[MD_MEETINGS], order_relaxed);
}

device_inline void keep_meetings(const struct md *s)
{
    host_store(&words_of(s, (u32)s->links[MD_LINK_OWN])[MD_MEETINGS], s->meetings, order_relaxed);
}

/* One item tells the others its mark and waits for theirs. Returns 1 if any device has a mark, 0 if none has, and
 * MD_ENDED if the host wants the kernel to end. Words alternate, because a device may be one meeting ahead. */
device_inline u32 meet_devices(struct md *s, u32 mark)
{
    u32 devices = (u32)s->links[MD_LINK_DEVICES], own = (u32)s->links[MD_LINK_OWN];
    u64 meeting = ++s->meetings;
    /* release: pairs with the acquire below on the other device, which then sees this device's atoms. */
    for (u32 d = 0; d < devices; d++)
        if (d != own) host_store(&words_of(s, d)[2 * own + meeting % 2], 2 * meeting + mark, order_release);
    for (u32 d = 0; d < devices; d++) {
        if (d == own) continue;
        global_mem host64 *word = &words_of(s, own)[2 * d + meeting % 2];
        /* acquire: pairs with the release above. */
        u64 found = host_load(word, order_acquire);
        for (u32 looks = 1; found / 2 < meeting; looks++) {
            if (looks % 64 == 0 && stop_requested(s->stop)) return MD_ENDED;
            spin_pause();
            found = host_load(word, order_acquire);
        }
        mark |= (u32)found & 1u;
    }
    return mark;
}

/* A barrier of all groups of all devices, after a barrier of this device. mark: a word of control, 0 or 1, which any
 * device may have set. Returns meet_devices()'s answer, the same on all devices, except that some may return MD_ENDED.
 */
device_inline u32 meet_arrived(struct md *s, u32 mark)
{
    global_mem u32 *word = &s->control[mark];
    if (s->first == 0) *word = meet_devices(s, word_fresh(word) & 1u);
    next_phase(s);
    return word_fresh(word);
}

/* The same, where no barrier came before, and there may be no other devices. */
device_inline u32 meet(struct md *s, u32 mark)
{
    if (s->links) {
        group_barrier();
        if (item_id() == 0) host_fence(); /* this group's atoms in other devices' memory come before the meeting */
    }
    next_phase(s);
    return s->links ? meet_arrived(s, mark) : word_fresh(&s->control[mark]);
}

/* Writes the position of one atom to the devices of a set of bits. */
device_inline void send_position(const struct md *s, u64 atom, u32 to)
{
    struct md_four at = md_load(s->position, atom);
    for (u32 d = 0; to >> d > 0; d++)
        if (to >> d & 1u) md_store(floats_of(s, d, MD_LINK_POSITION), atom, at);
}

device_inline u32 all_others(const struct md *s)
{
    return ((1u << s->links[MD_LINK_DEVICES]) - 1u) & ~(1u << s->links[MD_LINK_OWN]);
}

/* Returns whether this device moves the atom: an atom of its own, or any if no device has its own. */
device_inline bool is_own(const struct md *s, u64 atom)
{
    return !s->links || (atom >= s->from && atom < s->end);
}

/* Return the velocity of an atom, and its number, from the memory of the device that has it. */
device_inline struct md_four velocity_of(const struct md *s, u64 atom)
{
    return md_load(is_own(s, atom) ? s->velocity : floats_of(s, device_of(s, (u32)atom), MD_LINK_VELOCITY), atom);
}

device_inline u32 id_of(const struct md *s, u64 atom)
{
    return (is_own(s, atom) ? s->id : (global_mem u32 *)floats_of(s, device_of(s, (u32)atom), MD_LINK_ID))[atom];
}
