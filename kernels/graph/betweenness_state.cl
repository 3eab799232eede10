/* SPDX-License-Identifier: MIT */
/* The dependencies of a source for betweenness centrality (Brandes 2001): state and sums.
 *
 * The groups form teams, and each team has its own source, with arrays of its own. The outward pass does two things with
 * each row. It claims the vertices without a depth for the next level. It also adds up the values of the neighbours in
 * the previous level. The sum is sigma, the number of shortest paths. The inward pass adds up the values of the
 * neighbours in the next level. value[v] is sigma(v), and then (1 + delta(v)) / sigma(v). So both passes compute the
 * same sum over a row, and only claims are atomic. traversal/graph/betweenness/ has the same method for threads and
 * explains value and scale.
 *
 * A warp takes up to BC_BATCH vertices of the level. A lane handles a short row, BC_LANES lanes a longer one, and the
 * whole warp a row of more than BC_MIDDLE arcs. Rows of at least BC_HEAVY arcs become pieces, which all warps share in a
 * second step. A third step adds up the sums of the pieces. One group runs a series of narrow levels while the other
 * groups of its team wait. The order of a row's sum depends on its length alone. */
#define NONE 0xffffffffu
#define BC_NOWHERE (NONE - 1) /* for arcs beyond a row, a depth of no vertex */
#define BC_NO_DEPTH (NONE - 2) /* for passes without sums, a depth of no arc */
#define BC_BATCH 32u
#define BC_STRIP 4u /* arcs that a lane reads at once */
#define BC_SHORT 8u /* max arcs of a row that a lane handles */
#define BC_LANES 8u
#define BC_MIDDLE 128u
#define BC_SUM 1u /* flags of a pass over a row */
#define BC_CLAIM 2u
#define BC_FLAGS 30u /* first bit of the flags in a piece's number */

#if defined __OPENCL_C_VERSION__ && !defined cl_khr_fp64
#error this device has no numbers of double precision
#endif
#define BC_POWER 0x1p-512 /* one step of scale */
#define BC_MAX_PATHS 0x1p1000

struct bc_sum {
    double value;
    u32 scale;
};

struct bc_rows {
    global_mem const u64 *offset;
    global_mem const u32 *target;
};

struct betweenness {
    struct bc_rows out, in;
    global_mem u32 *depth, *queue;
    global_mem u32 *first; /* where levels begin in queue: bits, and a begin, for each BC_BLOCK places */
    global_mem double *value, *centrality, *partial;
    global_mem double *arc; /* sums of the arcs; NULL: not wanted */
    global_mem u32 *scale, *part_scale;
    global_mem u32 *row, *piece; /* two words each. row: vertex, first piece; piece: vertex, the piece's number */
    global_mem u32 *count;       /* BC_COUNTS words */
    u32 vertices, narrow, spread; /* spread: batches that a warp shall find in a level */
    bool scaled, backward, alone; /* alone: no other group runs the level */
    u32 rank, members;            /* number of this group in its team, and number of groups */
    u32 warp, warps;              /* number of this warp in the level, and number of warps */
    u32 step, level, begin, end;  /* the level is queue[begin] .. queue[end - 1] */
    global_mem atom64 *arrived;   /* arrivals at the team's barrier */
    u64 awaited;                  /* in item 0 */
    global_mem u32 *stop;         /* see stop_requested() */
    bool stopped;                 /* the host has cancelled the run */
};

/* A barrier of the groups that run the level. Afterwards every item sees all writes that came before. */
device_inline void bc_barrier(struct betweenness *s)
{
    group_barrier();
    if (s->alone) return;
    if (item_id() == 0) {
        s->awaited += s->members;
        /* release: pairs with the acquire of the other groups below. They then see this group's writes. */
        (void)atom_add(s->arrived, (u64)1, order_release);
        /* acquire: pairs with the other groups' release above. */
        await_at_least(s->arrived, s->awaited);
    }
    group_barrier();
}

/* ---- sums ---- */

/* Returns 2^(-512 * steps), or 0 for powers too small to change a sum of doubles. */
device_inline double bc_power(u32 steps)
{
    return steps == 0 ? 1.0 : steps == 1 ? BC_POWER : 0.0;
}

device_inline struct bc_sum bc_add(struct bc_sum a, struct bc_sum b, bool backward)
{
    if (backward || a.scale == b.scale)
        a.value += b.value;
    else if (a.scale > b.scale)
        a.value += b.value * bc_power(a.scale - b.scale);
    else {
        a.value = b.value + a.value * bc_power(b.scale - a.scale);
        a.scale = b.scale;
    }
    return a;
}

/* Returns sigma of a vertex whose sum is not finished, if the pass adds to arcs. An arc v -> w to the next level gets
 * sigma(v) * value(w), one term of the dependency of v. */
device_inline double bc_sigma(const struct betweenness *s, u32 vertex)
{
    return s->arc && s->backward ? s->value[vertex] : 0;
}

/* A warp returns the sums of each `lanes` lanes to these lanes. */
device_inline struct bc_sum bc_warp_sum(struct bc_sum sum, u32 lanes, bool backward)
{
    for (u32 step = lanes / 2; step > 0; step /= 2) {
        union {
            double value;
            u64 bits;
        } other;
        struct bc_sum its;
        other.value = sum.value;
        other.bits = warp_shuffle_long(other.bits, lane_id() ^ step);
        its.value = other.value;
        its.scale = warp_shuffle(sum.scale, lane_id() ^ step);
        sum = bc_add(sum, its, backward);
    }
    return sum;
}

/* Returns the sum of no arcs. A backward sum is relative to the vertex's scale, which is at most the scale of its
 * successors. */
device_inline struct bc_sum bc_zero(const struct betweenness *s, u32 vertex)
{
    struct bc_sum sum;
    sum.value = 0;
    sum.scale = s->scaled && s->backward ? s->scale[vertex] : 0;
    return sum;
}

device_inline struct bc_sum bc_term(const struct betweenness *s, u32 from)
{
    struct bc_sum term;
    term.value = s->value[from];
    term.scale = s->scaled ? s->scale[from] : 0;
    return term;
}
