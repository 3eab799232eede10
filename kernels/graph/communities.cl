/* SPDX-License-Identifier: MIT */
/* Communities: Leiden, Louvain, and label propagation, with the results of traversal/graph/communities/ on threads. A
 * launch is a step by all groups, and the host launches step after step. Sums of weights are integers of 64 bits, and
 * the rules of communities_rules.h break all ties, so the order of additions does not matter. */

/* ---- the end of a pass ---- */

device_inline u32 root_of(global_mem u32 *parent, u32 node)
{
    for (u32 up = word_fresh(&parent[node]); up != node; up = word_fresh(&parent[node])) node = up;
    return node;
}

/* Joins two trees. A link gives a root a smaller parent. */
device_inline void join_trees(global_mem u32 *parent, u32 a, u32 b)
{
    a = root_of(parent, a);
    b = root_of(parent, b);
    while (a != b) {
        u32 high = a > b ? a : b, low = a > b ? b : a;
        u32 up = word_cas(&parent[high], high, low);
        if (up == high) return;
        a = root_of(parent, up);
        b = low;
    }
}

device_inline void join_row(const struct communities *s, global_mem u32 *parent, u32 node, u32 lane, u32 lanes)
{
    for (u64 arc = s->offset[node] + lane; arc < s->offset[(u64)node + 1]; arc += lanes)
        if (s->community[s->target[arc]] == s->community[node]) join_trees(parent, node, s->target[arc]);
}

/* Splits communities into their connected parts. The vertices of a single node are already connected. */
device_inline void split_communities(struct communities *s)
{
    global_mem u32 *parent = (global_mem u32 *)s->degree;
    for (u64 v = s->first; v < s->p.nodes; v += s->items) parent[v] = (u32)v;
    pass_barrier(s);
    for (u64 base = s->first - lane_id(); base < s->p.nodes; base += s->items) {
        u64 v = base + lane_id();
        u64 arcs = v < s->p.nodes ? s->offset[v + 1] - s->offset[v] : 0;
        if (arcs <= WARP && v < s->p.nodes) join_row(s, parent, (u32)v, 0, 1);
        for (u32 rows = warp_ballot(arcs > WARP); rows; rows &= rows - 1)
            join_row(s, parent, warp_shuffle((u32)v, first_bit(rows)), lane_id(), WARP);
    }
    pass_barrier(s);
    for (u64 v = s->first; v < s->p.nodes; v += s->items) s->community[v] = root_of(parent, (u32)v);
    pass_barrier(s);
}

/* Replaces node[] by the labels of the vertices: the smallest vertex of each community. The next pass of Leiden begins
 * with these labels. */
device_inline void label_vertices(struct communities *s)
{
    global_mem u32 *smallest = (global_mem u32 *)s->degrees;
    if (s->p.refines) split_communities(s);
    for (u64 c = s->first; c < s->p.nodes; c += s->items) smallest[c] = NONE;
    pass_barrier(s);
    for (u64 v = s->first; v < s->p.vertices; v += s->items) {
        u32 label = s->community[s->node[v]];
        if (word_stale(&smallest[label]) > v) (void)word_min(&smallest[label], (u32)v);
    }
    pass_barrier(s);
    for (u64 v = s->first; v < s->p.vertices; v += s->items) s->node[v] = smallest[s->community[s->node[v]]];
    pass_barrier(s);
    for (u64 v = s->first; v < s->p.vertices; v += s->items) s->community[v] = s->node[v];
}

/* ---- the summary ---- */

/* A warp counts the members of communities. One lane adds for all lanes with the community of the first one. */
device_inline void count_members(const struct communities *s, global_mem u32 *members)
{
    for (u64 base = s->first - lane_id(); base < s->p.vertices; base += s->items) {
        u64 v = base + lane_id();
        u32 label = v < s->p.vertices ? s->node[v] : NONE, first = warp_shuffle(label, 0);
        u32 equal = warp_ballot(label == first);
        if (lane_id() == 0 && first != NONE) (void)word_add(&members[first], bit_count(equal));
        if (label != NONE && label != first) (void)word_add(&members[label], 1);
    }
}

/* Counts the communities, finds the largest one, and adds up the squares of the modularity. */
device_inline void summarise(struct communities *s)
{
    global_mem u32 *members = (global_mem u32 *)s->degree;
    u32 labels = 0, largest = 0;
    u64 squares = 0;
    for (u64 v = s->first; v < s->p.vertices; v += s->items) members[v] = 0;
    pass_barrier(s);
    count_members(s, members);
    pass_barrier(s);
    for (u64 v = s->first; v < s->p.vertices; v += s->items) {
        u32 size = members[v];
        if (size == 0) continue;
        labels++;
        largest = size > largest ? size : largest;
        if (s->p.total > 0) squares += modularity_square(s->degrees[v], s->p.total);
    }
    add_count(&s->count[FOUND_LABELS], labels);
    add_sum(&s->sums[LEVEL_SQUARES], squares);
    if (largest > 0) (void)word_max(&s->count[FOUND_LARGEST], largest);
}

/* One group alone handles small levels, where barriers of all groups cost more than the work. */
device_inline bool is_small(const struct communities *s)
{
    bool by_node = s->p.step == COMMUNITIES_MOVE || s->p.step == COMMUNITIES_REFINE;
    return (by_node ? s->p.nodes : s->p.vertices) + s->offset[s->p.nodes] * s->p.halves <= COMMUNITIES_ALONE;
}

device_inline void run_step(struct communities *s)
{
    if (s->p.step == COMMUNITIES_PROPAGATE) propagate(s);
    if (s->p.step == COMMUNITIES_SUM) sum_degrees(s, s->p.summary ? s->node : s->community);
    if (s->p.step == COMMUNITIES_MOVE) move_nodes(s);
    if (s->p.step == COMMUNITIES_REFINE) refine_nodes(s);
    if (s->p.step == COMMUNITIES_NUMBER) number_nodes(s);
    if (s->p.step == COMMUNITIES_COUNT) count_rows(s);
    if (s->p.step == COMMUNITIES_WRITE) write_rows(s);
    if (s->p.step == COMMUNITIES_LABEL) label_vertices(s);
    if (s->p.step == COMMUNITIES_SUMMARISE) summarise(s);
}

/* offset, target, weight: the rows of the level; in_offset, source, in_weight: of its incoming arcs, if p.halves is 2.
 * node: a word for each vertex. community, degree, degrees: an entry for each node, or label. refined: a word for each
 * node; for the first level it is `node`. next, list, last: a word for each block. flags: a word for each block, or for
 * label propagation three bitmaps of vertices. long_row: a word for each row that is long. made_offset, made_target,
 * made_weight: the next level. table_label (all NONE), table_sum (all zero): the tables of all warps, then those of all
 * groups. part: 64 bits for each warp. count, sums: zero. arrived: see grid_barrier_open(). stop: see
 * stop_requested(). */
kernel_entry graph_communities(global_mem const u64 *offset, global_mem const u32 *target, global_mem const u32 *weight,
                               global_mem const u64 *in_offset, global_mem const u32 *source,
                               global_mem const u32 *in_weight, global_mem u32 *node, global_mem u32 *community,
                               global_mem u32 *refined, global_mem u64 *degree, global_mem u64 *degrees,
                               global_mem u32 *next, global_mem u32 *flags, global_mem u32 *list, global_mem u32 *last,
                               global_mem u32 *long_row, global_mem u64 *made_offset, global_mem u32 *made_target,
                               global_mem u32 *made_weight, global_mem u32 *table_label, global_mem u64 *table_sum,
                               global_mem u64 *part, global_mem u32 *count, global_mem u64 *sums,
                               global_mem u64 *arrived, global_mem u32 *stop, struct gws__communities_step p)
{
    local_array(struct communities_shared, shared, 1);
    struct communities s;
    s.p = p;
    s.offset = offset, s.target = target, s.weight = weight;
    s.in_offset = in_offset, s.source = source, s.in_weight = in_weight;
    s.node = node, s.community = community, s.refined = refined;
    s.degree = degree, s.degrees = degrees;
    s.next = next, s.flags = flags, s.list = list, s.last = last, s.long_row = long_row;
    s.made_offset = made_offset, s.made_target = made_target, s.made_weight = made_weight;
    s.table_label = table_label, s.table_sum = table_sum;
    s.part = part, s.count = count, s.sums = sums, s.stop = stop;
    s.shared = shared;
    bool serial = is_small(&s);
    s.group = group_id(), s.groups = serial ? 1 : group_count();
    s.first = s.group * group_size() + item_id();
    s.items = s.groups * group_size();
    s.phase = s.round = s.number = s.turn = 0;
    if (s.group >= s.groups) return;
    grid_barrier_open(&s.all, (global_mem atom64 *)arrived);
    if (item_id() == 0) shared->idle = 0;
    run_step(&s);
}
