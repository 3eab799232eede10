/* SPDX-License-Identifier: MIT */
/* The label that a node takes: the best of the labels of its neighbours, by the weights of its arcs to each label. */
struct choice {
    u64 key; /* 0: none */
    u32 label;
};

device_inline struct choice no_choice(void)
{
    struct choice choice;
    choice.key = 0, choice.label = NONE;
    return choice;
}

device_inline void choose(struct choice *best, u64 key, u32 label)
{
    if (key < best->key || (key == best->key && label >= best->label)) return;
    best->key = key;
    best->label = label;
}

/* Maps a number to an integer with the same order, above 0. */
device_inline u64 key_of(double value)
{
    u64 bits = bits_of_double(value);
    return bits >> 63 ? ~bits : bits | (u64)1 << 63;
}

device_inline bool has_flag(const struct communities *s, u32 node)
{
    return word_stale(&s->flags[node / COMMUNITIES_BLOCK]) >> node % COMMUNITIES_BLOCK & 1;
}

/* The view of a node that decides. */
struct decision {
    u32 node, own; /* own: its label */
    u64 degree;
    u64 sum; /* the weight of the arcs to the node's community, by each lane in part */
};

device_inline struct decision decision_of(const struct communities *s, u32 node)
{
    struct decision decision;
    decision.node = node;
    decision.own = s->p.step == COMMUNITIES_PROPAGATE ? s->node[node] : s->community[node];
    decision.degree = s->p.step == COMMUNITIES_PROPAGATE ? 0 : s->degree[node];
    decision.sum = 0;
    return decision;
}

/* Returns the label to which an arc adds its weight, or NONE. The arcs to the own community go to the decision's sum.
 */
device_inline u32 label_of(const struct communities *s, struct decision *decision, const struct arc *arc)
{
    if (s->p.step == COMMUNITIES_PROPAGATE) return s->node[arc->target];
    if (arc->target == decision->node) return NONE;
    u32 label = s->community[arc->target];
    bool own = label == decision->own;
    if (own) decision->sum += arc->weight;
    if (s->p.step == COMMUNITIES_MOVE) return own ? NONE : label;
    if (!own) return NONE;
    label = s->refined[arc->target];
    return has_flag(s, label) || class_of_node(label, s->round) != s->number ? label : NONE;
}

/* Two single nodes of a class that want to join each other would swap. The one with the smaller label stays. */
device_inline bool swaps(const struct communities *s, const struct decision *decision, u32 label, u64 degrees)
{
    return label > decision->own && degrees == s->degree[label] && s->degrees[decision->own] == decision->degree &&
           class_of_node(label, s->round) == s->number;
}

device_inline double gain_of(const struct communities *s, u64 sum, u64 degree, u64 degrees)
{
    return modularity_gain(s->p.resolution, s->p.total, sum, degree, degrees);
}

device_inline void choose_label(const struct communities *s, const struct decision *decision, u32 label, u64 sum,
                                struct choice *best)
{
    u64 key = sum;
    if (s->p.step == COMMUNITIES_MOVE) {
        u64 degrees = s->degrees[label];
        key = swaps(s, decision, label, degrees) ? 0 : key_of(gain_of(s, sum, decision->degree, degrees));
    }
    if (s->p.step == COMMUNITIES_REFINE) key = key_of(gain_of(s, sum, decision->degree, s->degree[label]));
    choose(best, key, label);
}

/* Returns the label that the node takes. The decision has the complete sum. */
device_inline u32 decide(const struct communities *s, const struct decision *decision, struct choice best)
{
    if (s->p.step == COMMUNITIES_PROPAGATE) return best.key > 0 ? best.label : decision->own;
    double base = gain_of(s, decision->sum, decision->degree, s->degrees[decision->own] - decision->degree);
    if (s->p.step == COMMUNITIES_REFINE) /* a node that is badly connected with its community joins no other node */
        return base >= 0 && best.key > key_of(0) ? best.label : decision->node;
    u64 bound = key_of(min_gain(base, decision->degree));
    bool moves = best.key > bound;
    if ((moves ? best.key : bound) < key_of(0) && s->degrees[decision->node] == 0)
        return decision->node; /* a new community for the node alone */
    return moves ? best.label : decision->own;
}
