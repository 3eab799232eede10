/* SPDX-License-Identifier: MIT */
/* Dividing octants, for one kind of record; included once for each. Points move between two buffers, stably, one or two
 * levels at once, until they are in leaves. RECORD: its type; NUMBER: of a point and of counts; KEY(record): bits that
 * begin with the level below base; NUMBER_OF(record); LEVELS: how many of them the key has; DIVIDE: the name outside.
 */

struct divider {
    const struct gws__octree_state *state;
    struct gws__octree_arena *arena;
    NUMBER *index;
};

static gws__octree_sprout divide(const struct divider *divider, RECORD *from, RECORD *to, uint64_t count,
                                 uint64_t place, unsigned level, unsigned base);

/* The octant of a record's point among the octants of its parent, whose level is relative to base. */
static inline unsigned digit_of(RECORD record, unsigned relative)
{
    return (unsigned)(KEY(record) >> (61 - 3 * relative)) & 7;
}

static gws__octree_sprout settle(const struct divider *divider, const RECORD *from, uint64_t count, uint64_t place)
{
    NUMBER *index = divider->index + place;
    for (uint64_t i = 0; i < count; i++) index[i] = NUMBER_OF(from[i]);
    return gws__octree_leaf(count);
}

static inline gws__octree_sprout go_on(const struct divider *divider, RECORD *from, RECORD *to, uint64_t count,
                                       uint64_t place, unsigned level, unsigned base)
{
    return gws__octree_settled(divider->state, count, level) ? settle(divider, from, count, place)
                                                             : divide(divider, from, to, count, place, level, base);
}

static struct gws__octree_twig *twig_of(const struct divider *divider, unsigned mask)
{
    return gws__octree_twig_new(divider->state->runtime, divider->arena, mask);
}

/* All points lie in one child: they stay where they are, and the levels they go down together cost one look. */
static gws__octree_sprout descend(const struct divider *divider, RECORD *from, RECORD *to, uint64_t count,
                                  uint64_t place, unsigned level, unsigned base)
{
    uint64_t differ = 0, key = KEY(from[0]);
    for (uint64_t i = 1; i < count; i++) differ |= KEY(from[i]) ^ key;
    unsigned same = base + (differ ? (unsigned)__builtin_clzll(differ) / 3 : LEVELS);
    if (same > base + LEVELS) same = base + LEVELS;
    if (same > divider->state->depth) same = divider->state->depth;
    unsigned digit[GWS_OCTREE_DEPTH];
    for (unsigned l = level; l < same; l++) digit[l] = digit_of(from[0], l - base);
    gws__octree_sprout sprout = go_on(divider, from, to, count, place, same, base);
    for (unsigned l = same; l-- > level;) {
        struct gws__octree_twig *twig = twig_of(divider, 1U << digit[l]);
        if (!twig) return gws__octree_leaf(count);
        twig->child[0] = sprout;
        sprout = gws__octree_branch(twig);
    }
    return sprout;
}

/* ---- one level at once ---- */

/* Leaves only: straight into the index. */
static void deal_leaves(const struct divider *divider, const RECORD *from, uint64_t count, uint64_t place,
                        unsigned relative, const NUMBER size[8])
{
    NUMBER *index = divider->index + place, next[8], sum = 0;
    for (unsigned c = 0; c < 8; c++) {
        next[c] = sum;
        sum += size[c];
    }
    for (uint64_t i = 0; i < count; i++) index[next[digit_of(from[i], relative)]++] = NUMBER_OF(from[i]);
}

static void deal(const RECORD *from, RECORD *to, uint64_t count, unsigned relative, const NUMBER size[8])
{
    NUMBER next[8], sum = 0;
    for (unsigned c = 0; c < 8; c++) {
        next[c] = sum;
        sum += size[c];
    }
    for (uint64_t i = 0; i < count; i++) to[next[digit_of(from[i], relative)]++] = from[i];
}

static unsigned mask_of(const NUMBER size[8])
{
    unsigned mask = 0;
    for (unsigned c = 0; c < 8; c++) mask |= (unsigned)(size[c] > 0) << c;
    return mask;
}

static bool all_settled(const struct divider *divider, const NUMBER size[8], unsigned level)
{
    bool all = true;
    for (unsigned c = 0; c < 8; c++) all &= gws__octree_settled(divider->state, size[c], level);
    return all;
}

static gws__octree_sprout divide_once(const struct divider *divider, RECORD *from, RECORD *to, uint64_t count,
                                      uint64_t place, unsigned level, unsigned base)
{
    NUMBER size[8] = {0};
    for (uint64_t i = 0; i < count; i++) size[digit_of(from[i], level - base)]++;
    unsigned mask = mask_of(size), made = 0;
    if ((mask & (mask - 1)) == 0) return descend(divider, from, to, count, place, level, base);
    struct gws__octree_twig *twig = twig_of(divider, mask);
    if (!twig) return gws__octree_leaf(count);
    bool all = all_settled(divider, size, level + 1);
    if (all)
        deal_leaves(divider, from, count, place, level - base, size);
    else
        deal(from, to, count, level - base, size);
    uint64_t at = 0;
    for (unsigned c = 0; c < 8; at += size[c++])
        if (size[c])
            twig->child[made++] = all ? gws__octree_leaf(size[c])
                                      : go_on(divider, to + at, from + at, size[c], place + at, level + 1, base);
    return gws__octree_branch(twig);
}

/* ---- two levels at once ---- */

/* Where the points of 64 grandchildren go. Those of a child that is a leaf go to one place, so that they stay in order.
 */
struct places {
    NUMBER size[64], child[8], next[64];
    uint8_t stack[64]; /* which of next[] a grandchild's points go by */
};

static void plan_places(const struct divider *divider, struct places *places, unsigned level)
{
    NUMBER sum = 0;
    for (unsigned c = 0; c < 8; c++) {
        NUMBER begin = sum;
        bool leaf = gws__octree_settled(divider->state, places->child[c], level + 1);
        for (unsigned g = 8 * c; g < 8 * c + 8; g++) {
            places->stack[g] = (uint8_t)(leaf ? 8 * c : g);
            places->next[g] = leaf ? begin : sum;
            sum += places->size[g];
        }
    }
}

static gws__octree_sprout grow_child(const struct divider *divider, const struct places *places, unsigned c,
                                     RECORD *from, RECORD *to, uint64_t place, unsigned level, unsigned base)
{
    if (gws__octree_settled(divider->state, places->child[c], level))
        return settle(divider, from, places->child[c], place);
    const NUMBER *size = places->size + 8 * c;
    struct gws__octree_twig *twig = twig_of(divider, mask_of(size));
    if (!twig) return gws__octree_leaf(places->child[c]);
    uint64_t at = 0;
    for (unsigned g = 0, made = 0; g < 8; at += size[g++])
        if (size[g]) twig->child[made++] = go_on(divider, from + at, to + at, size[g], place + at, level + 1, base);
    return gws__octree_branch(twig);
}

static gws__octree_sprout divide_twice(const struct divider *divider, RECORD *from, RECORD *to, uint64_t count,
                                       uint64_t place, unsigned level, unsigned base)
{
    struct places places = {.size = {0}};
    unsigned shift = 58 - 3 * (level - base);
    for (uint64_t i = 0; i < count; i++) places.size[KEY(from[i]) >> shift & 63]++;
    for (unsigned c = 0; c < 8; c++) {
        places.child[c] = 0;
        for (unsigned g = 0; g < 8; g++) places.child[c] += places.size[8 * c + g];
    }
    unsigned mask = mask_of(places.child), made = 0;
    if ((mask & (mask - 1)) == 0) return descend(divider, from, to, count, place, level, base);
    struct gws__octree_twig *twig = twig_of(divider, mask);
    if (!twig) return gws__octree_leaf(count);
    plan_places(divider, &places, level);
    for (uint64_t i = 0; i < count; i++) to[places.next[places.stack[KEY(from[i]) >> shift & 63]]++] = from[i];
    uint64_t at = 0;
    for (unsigned c = 0; c < 8; at += places.child[c++])
        if (places.child[c])
            twig->child[made++] = grow_child(divider, &places, c, to + at, from + at, place + at, level + 1, base);
    return gws__octree_branch(twig);
}

/* At most GWS_OCTREE_DEPTH calls deep, 1 KiB of stack each. */
static gws__octree_sprout divide(const struct divider *divider, RECORD *from, RECORD *to, uint64_t count,
                                 uint64_t place, unsigned level, unsigned base)
{
    if (level - base == LEVELS) {
        REMAKE(divider->state, from, count, level);
        base = level;
    }
    bool many = count > 8 * divider->state->leaf && count > least_twice;
    if (many && level + 2 <= divider->state->depth && level + 2 - base <= LEVELS)
        return divide_twice(divider, from, to, count, place, level, base);
    return divide_once(divider, from, to, count, place, level, base);
}
