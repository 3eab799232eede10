/* SPDX-License-Identifier: MIT */
/* The check of octrees must accept a correct tree and reject a tree with one wrong entry. */
#include "../space/shapes.h"

struct check_fixture {
    struct gws_runtime *runtime;
    struct gws_points points;
    struct gws_octree *tree;
};

static struct check_fixture make(void)
{
    struct check_fixture fixture = {policies_open(0), shape_make(3, 400, true), NULL};
    struct gws_octree_options options = {.leaf = 3, .max_depth = 9, .drop = true};
    ((double *)fixture.points.x)[5] = NAN;
    fixture.tree = shape_tree(fixture.runtime, &fixture.points, &options);
    ck_assert_int_eq(gws_octree_copy_points(fixture.runtime, fixture.tree, &fixture.points), GWS_OK);
    ck_assert_int_eq(gws_octree_check(fixture.runtime, &fixture.points, fixture.tree, NULL), GWS_OK);
    ck_assert_uint_gt(fixture.tree->large, 0);
    return fixture;
}

static void done(struct check_fixture *fixture)
{
    gws_octree_destroy(fixture->tree);
    shape_free(&fixture->points);
    gws_runtime_close(fixture->runtime);
}

/* Asserts that the check rejects the current tree. */
static void wrong(const struct check_fixture *fixture, const char *what, uint64_t at)
{
    struct gws_diagnostic where = {0};
    gws_status status = gws_octree_check(fixture->runtime, &fixture->points, fixture->tree, &where);
    if (status != GWS_WRONG_RESULT || where.message[0] == '\0')
        ck_abort_msg("%s %llu: %s", what, (unsigned long long)at, gws_status_text(status));
}

/* The test changes every field of every node, one at a time. */
START_TEST(nodes)
{
    struct check_fixture fixture = make();
    struct gws_octree_node *node = (struct gws_octree_node *)fixture.tree->node;
    uint64_t step = gws_test_quick() ? 13 : 1;
    for (uint64_t n = 0; n < fixture.tree->nodes; n += step)
        for (int field = 0; field < 8; field++) {
            struct gws_octree_node right = node[n];
            if (field == 0) node[n].key ^= 1;
            if (field == 1) node[n].begin++;
            if (field == 2) node[n].end--;
            if (field == 3) node[n].parent++;
            if (field == 4) node[n].first_child--;
            if (field == 5) node[n].child_mask ^= 8;
            if (field == 6) node[n].level++;
            if (field == 7) node[n].large = !node[n].large;
            wrong(&fixture, "node", n);
            node[n] = right;
        }
    done(&fixture);
}
END_TEST

START_TEST(arrays)
{
    struct check_fixture fixture = make();
    struct gws_octree *tree = fixture.tree;
    uint32_t *index = (uint32_t *)tree->index32;
    uint64_t *leaf = (uint64_t *)tree->leaf, *level = (uint64_t *)tree->level_begin;
    double *x = (double *)tree->x;
    for (uint64_t i = 0; i + 1 < tree->points; i += 7) {
        uint32_t swap = index[i];
        index[i] = index[i + 1];
        index[i + 1] = swap;
        wrong(&fixture, "place", i);
        index[i + 1] = index[i];
        index[i] = swap;
        x[i] += 1e-9;
        wrong(&fixture, "x of", i);
        x[i] = ((double *)fixture.points.x)[index[i]];
    }
    for (uint64_t i = 0; i < tree->leaves; i++) {
        leaf[i]++;
        wrong(&fixture, "leaf", i);
        leaf[i]--;
    }
    for (uint64_t l = 0; l <= tree->depth + 1; l++) {
        level[l]++;
        wrong(&fixture, "level", l);
        level[l]--;
    }
    ck_assert_int_eq(gws_octree_check(fixture.runtime, &fixture.points, tree, NULL), GWS_OK);
    done(&fixture);
}
END_TEST

START_TEST(totals)
{
    struct check_fixture fixture = make();
    struct gws_octree *tree = fixture.tree, right = *tree;
    for (int field = 0; field < 10; field++) {
        if (field == 0) tree->points--;
        if (field == 1) tree->dropped++;
        if (field == 2) tree->nodes--;
        if (field == 3) tree->leaves--;
        if (field == 4) tree->empty++;
        if (field == 5) tree->large++;
        if (field == 6) tree->max_leaf++;
        if (field == 7) tree->depth--;
        if (field == 8) tree->leaf_size++;
        if (field == 9) tree->max_depth--;
        wrong(&fixture, "total", (uint64_t)field);
        *tree = right;
    }
    tree->low[1] = nextafter(tree->low[1], 1);
    wrong(&fixture, "box", 0);
    *tree = right;
    tree->high[2] *= 2;
    wrong(&fixture, "box", 1);
    *tree = right;
    fixture.points.count--;
    ck_assert_int_eq(gws_octree_check(fixture.runtime, &fixture.points, tree, NULL), GWS_INVALID);
    done(&fixture);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{nodes, 1}, {arrays, 1}, {totals, 1}, {0}};
    return gws_test_run("octree check", test);
}
