/* SPDX-License-Identifier: MIT */
/* Molecular dynamics in one persistent kernel: all steps of a launch, on one device or on several at once. A step has
 * two grid barriers, and some more if it builds lists. The unit of work is the force on the atoms of one warp; groups
 * steal units from each other by the work distributor, so dense regions delay nobody. Or groups take tasks of 128 atoms
 * from a host queue (Chen, Villa, Krishnamoorthy, Gao). Sums are integers, so they do not depend on the number of
 * groups. */

/* ---- forces ---- */

/* The patterns of enum gws_md_pattern; a task is 128 atoms. */
device_inline bool has_work(const struct md *s, u32 atom)
{
    u32 task = atom / MD_TASK, tasks = (s->atoms + MD_TASK - 1) / MD_TASK;
    switch (s->pattern) {
    case 1:
        return task % 4 != 3;
    case 2:
        return task % 2 == 0;
    case 3:
        return task < tasks / 2;
    case 4:
        return task % 4 == 0;
    default:
        return true;
    }
}

/* What a lane adds up in a step. */
struct lane_sums {
    u64 potential, kinetic, pairs;
    bool broken;
};

device_inline u64 fixed_energy(float energy, struct lane_sums *sums)
{
    if (energy > -1e9f && energy < 1e9f) return (u64)(long)((double)energy * MD_ENERGY_SCALE);
    sums->broken = true; /* also if it is not a number */
    return 0;
}

device_inline void add_force(const struct md *s, u32 atom, float kick, struct lane_sums *sums)
{
    struct md_force force = md_force_on(&s->field, s->position, atom, list_of(s, atom), s->length[atom], WARP);
    struct md_four v = md_load(s->velocity, atom), out = {force.x, force.y, force.z, force.energy};
    v.x += kick * force.x, v.y += kick * force.y, v.z += kick * force.z;
    md_store(s->velocity, atom, v);
    md_store(s->force, atom, out);
    sums->potential += fixed_energy(force.energy, sums);
    sums->kinetic += fixed_energy(0.5f * (v.x * v.x + v.y * v.y + v.z * v.z), sums);
    sums->pairs += force.pairs;
}

device_inline void add_sums(const struct md *s, u32 step, const struct lane_sums *sums)
{
    u64 potential = warp_sum_long(sums->potential), kinetic = warp_sum_long(sums->kinetic);
    u64 pairs = warp_sum_long(sums->pairs);
    if (sums->broken) word_store(&s->control[MD_BROKEN], 1);
    if (lane_id() != 0) return;
    word_sum(&s->sums[MD_SUMS * step + MD_POTENTIAL], potential);
    word_sum(&s->sums[MD_SUMS * step + MD_KINETIC], kinetic);
    word_sum(&s->sums[MD_SUMS * step + MD_PAIRS], pairs);
}

device_inline void find_forces(struct md *s, u32 step, float kick)
{
    struct distributor work = units_open(s, 1);
    struct unit_range at = {0, 0};
    struct lane_sums sums = {0, 0, 0, false};
    while (distributor_next(&work, &at))
        for (u32 atom = unit_begin(s, at.begin) + lane_id(); atom < unit_begin(s, at.end); atom += WARP)
            if (has_work(s, atom)) add_force(s, atom, kick, &sums);
    add_sums(s, step, &sums);
    units_close(s);
}

/* Takes tasks from the queue until the host ends the step for this group. */
device_inline void find_queued_forces(struct md *s, u32 step, float kick)
{
    struct lane_sums sums = {0, 0, 0, false};
    for (;;) {
        u64 task = host_queue_take(&s->queue, s->taken);
        if (task == HOST_QUEUE_HALT) break;
        u32 begin = (u32)task * MD_TASK, end = min_u32(begin + MD_TASK, s->atoms);
        for (u32 atom = begin + item_id(); atom < end; atom += group_size())
            if (has_work(s, atom)) add_force(s, atom, kick, &sums);
        if (item_id() == 0) s->stats->ran += (end - begin + WARP - 1) / WARP;
    }
    add_sums(s, step, &sums);
    next_phase(s);
}

/* ---- steps ---- */

/* Half a kick and a drift, of all atoms, or of those of this device if others move theirs at the same time. Marks the
 * step if an atom may have moved by half the skin. */
device_inline void drift(const struct md *s, u32 step)
{
    float skin = s->field.reach - s->field.cutoff, max_square = 0.25f * skin * skin;
    bool far = false;
    u64 from = s->links ? s->from : 0, end = s->links ? s->end : s->atoms;
    for (u64 i = from + s->first; i < end; i += s->items) {
        struct md_four v = md_load(s->velocity, i), f = md_load(s->force, i), at = md_load(s->position, i);
        struct md_four before = md_load(s->built_at, i);
        v.x += 0.5f * s->step * f.x, v.y += 0.5f * s->step * f.y, v.z += 0.5f * s->step * f.z;
        at.x += s->step * v.x, at.y += s->step * v.y, at.z += s->step * v.z;
        md_store(s->velocity, i, v);
        md_store(s->position, i, at);
        float x = at.x - before.x, y = at.y - before.y, z = at.z - before.z, square = x * x + y * y + z * z;
        far = far || !(square < max_square); /* also if it is not a number */
        if (s->links) send_position(s, i, s->wanted[i]);
    }
    if (far) word_store(&s->control[MD_STALE + step % 2], 1);
}

/* All devices build their lists if a step is marked, or `always`, when all have the same atoms. Returns false if a list
 * of any device is too short, which makes the lists useless, or if the host ends the kernel. */
device_inline bool refresh_lists(struct md *s, u32 step, bool always)
{
    u32 stale = always ? 1 : meet(s, MD_STALE + step % 2);
    if (s->first == 0) s->control[MD_STALE + (step + 1) % 2] = 0;
    if (stale != 1) return stale == 0;
    rebuild(s);
    if (s->first == 0 && word_fresh(&s->control[MD_LONGEST]) > s->capacity) s->control[MD_SHORT] = 1;
    return meet(s, MD_SHORT) == 0;
}

device_inline void add_stats(const struct md *s, global_mem u64 *stats)
{
    group_barrier();
    if (item_id() != 0) return;
    word_sum(&stats[MD_RAN], s->stats->ran);
    word_sum(&stats[MD_STOLEN], s->stats->stolen);
    word_sum(&stats[MD_STEALS], s->stats->steals);
    word_sum(&stats[MD_IDLE], s->stats->idle + s->taken[2]);
    word_sum(&stats[MD_BUSY], clock_ticks() - s->stats->began);
}

/* begins: 1: the launch begins with lists and forces, and these move the velocities by first_kick times the forces.
 * Otherwise every step begins with a drift. All arrays by atom have MD_WORDS floats or one word for each atom; member
 * too; begin 2 * atoms + 65 words; part a word of 64 bits for each warp of all groups; sums MD_SUMS words of 64 bits
 * for each step, zero; control MD_CONTROL words, zero but for MD_BOUNDS; stats MD_STATS words of 64 bits; cursors two
 * words for each group, zero. arrived: see grid_barrier_open(). queue_words, queue_state, queue_capacity: a host queue
 * (hetero/host_queue.cl), or null pointers and 0. In each step it delivers the numbers of all tasks, and then
 * HOST_QUEUE_HALT for each group. from, end: the atoms whose lists and forces this device computes; it moves and sorts
 * all atoms. With a queue, its tasks select the atoms for the forces. links, stop: null, or the devices that run the
 * same launch at the same time, and a word of the host that ends it while this device waits for another one; then this
 * device moves its own atoms only. schedule: MD_NO_FORCES: md_chunk computes the forces of a launch of one step. */
kernel_entry md_run(global_mem float *position, global_mem float *velocity, global_mem float *force,
                    global_mem float *built_at, global_mem float *sorted, global_mem u32 *id, global_mem u32 *next_id,
                    global_mem u32 *cell, global_mem u32 *begin, global_mem u32 *member, global_mem u32 *length,
                    global_mem u32 *list, global_mem u32 *wanted, global_mem u64 *part, global_mem u32 *control,
                    global_mem u64 *sums, global_mem u64 *stats_out, global_mem u32 *cursors, global_mem u64 *arrived,
                    global_mem u64 *links, global_mem u32 *stop, global_mem u64 *queue_words,
                    global_mem u64 *queue_state, u64 queue_capacity, struct gws__md_field field, float step,
                    float first_kick, u32 atoms, u32 capacity, u32 steps, u32 begins, u32 reorders, u32 schedule,
                    u32 pattern, u32 from, u32 end)
{
    local_array(struct distributor_stats, stats, 1);
    local_array(u64, taken, 3);
    struct md s;
    bool whole = true;
    s.field = field, s.step = step;
    s.position = position, s.velocity = velocity, s.force = force, s.built_at = built_at, s.sorted = sorted;
    s.id = id, s.next_id = next_id, s.cell = cell, s.begin = begin, s.member = member;
    s.length = length, s.list = list, s.wanted = wanted, s.part = part, s.control = control, s.sums = sums;
    s.cursors = cursors, s.stats = stats, s.taken = taken, s.links = links, s.stop = stop;
    s.queue.words = (global_mem host64 *)queue_words, s.queue.state = (global_mem atom64 *)queue_state;
    s.queue.capacity = queue_capacity;
    s.atoms = atoms, s.capacity = capacity, s.reorders = reorders, s.schedule = schedule, s.pattern = pattern;
    s.from = from, s.end = end;
    s.first = group_id() * group_size() + item_id();
    s.items = group_count() * group_size();
    s.rounds = 0;
    s.meetings = links ? meetings_before(&s) : 0;
    grid_barrier_open(&s.all, (global_mem atom64 *)arrived);
    if (item_id() == 0) {
        stats->exhausted = 0,
        stats->given = stats->idle = stats->ran = stats->stolen = stats->steals = stats->failed = 0;
        stats->began = clock_ticks();
        taken[2] = 0;
    }
    for (u32 at = 0; at < steps && whole; at++) {
        bool always = at == 0 && begins != 0;
        float kick = always ? first_kick : 0.5f * step;
        if (links && meet_arrived(&s, MD_READY) != 0) break; /* the others have read the positions of the step before */
        if (!always) drift(&s, at);
        whole = refresh_lists(&s, at, always);
        if (whole && queue_capacity > 0)
            find_queued_forces(&s, at, kick);
        else if (whole && schedule != MD_NO_FORCES)
            find_forces(&s, at, kick);
        if (whole && s.first == 0) control[MD_STEPS] = at + 1;
    }
    if (links && s.first == 0) keep_meetings(&s);
    add_stats(&s, stats_out);
}

/* The forces of a step on the atoms begin .. end - 1 of a chunk ("solution 3" of Chen et al.), an atom for each item,
 * after a launch of md_run() without forces. Nothing runs if that launch found a list too short. The other parameters
 * are those of md_run(). */
kernel_entry_any md_chunk(global_mem float *position, global_mem float *velocity, global_mem float *force,
                          global_mem u32 *length, global_mem u32 *list, global_mem u32 *control, global_mem u64 *sums,
                          global_mem u64 *stats_out, struct gws__md_field field, float kick, u32 atoms, u32 capacity,
                          u32 pattern, u32 begin, u32 end)
{
    struct md s;
    struct lane_sums found = {0, 0, 0, false};
    u32 atom = begin + group_id() * group_size() + item_id();
    if (control[MD_STEPS] == 0) return;
    s.field = field, s.position = position, s.velocity = velocity, s.force = force, s.length = length, s.list = list;
    s.control = control, s.sums = sums, s.atoms = atoms, s.capacity = capacity, s.pattern = pattern;
    if (atom < end && has_work(&s, atom)) add_force(&s, atom, kick, &found);
    add_sums(&s, 0, &found);
    if (lane_id() == 0 && atom < end) word_sum(&stats_out[MD_RAN], (u64)1);
}
