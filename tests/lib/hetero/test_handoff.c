/* SPDX-License-Identifier: MIT */
/* Tests the arithmetic of handoffs (lib/hetero/handoff.h): rules, decisions, back-off, and calibration with an
 * emulated device. */
#include "../../harness.h"

#include <math.h>

#include "../../../lib/hetero/handoff.h"

static const struct gws_handoff_model model = {
    .host_level_ns = 100, .host_step_ns = 10, .device_level_ns = 2100, .device_step_ns = 1, .handoff_ns = 5000};

static struct gws__handoff opened(uint64_t vertices, uint64_t arcs)
{
    const struct gws_graph graph = {.vertices = vertices, .arcs = arcs};
    struct gws__handoff handoff;
    gws__handoff_open(&handoff, &graph);
    handoff.model = model;
    return handoff;
}

START_TEST(nothing_is_handed_off_before_it_is_calibrated)
{
    const struct gws_graph none = {.vertices = 0};
    struct gws__handoff handoff;
    struct gws__handoff_rule rule = {.resumes = 1};
    float lost = 0;
    gws__handoff_open(&handoff, &none);
    gws__handoff_set_rule(&handoff, GWS__HANDOFF_DEVICE, false, &rule);
    ck_assert(isinf(rule.limit) && rule.resumes && handoff.pays);
    for (uint32_t i = 0; i < 100000; i++) ck_assert(!handoff_due(&rule, &lost, i, i, i));
}
END_TEST

/* Each side's loss is the other side's gain. A side that does not count arcs uses the mean number of arcs. */
START_TEST(rules_follow_from_the_model)
{
    struct gws__handoff handoff = opened(100, 300);
    struct gws__handoff_rule rule;
    gws__handoff_set_rule(&handoff, GWS__HANDOFF_DEVICE, true, &rule);
    ck_assert(rule.level_loss == 2000 && rule.vertex_loss == -9 && rule.arc_loss == -9 && rule.limit == 5000);
    ck_assert(rule.max == UINT32_MAX && !rule.timed);
    ck_assert_uint_eq(rule.wide, 4 * 2000 / 36);
    gws__handoff_set_rule(&handoff, GWS__HANDOFF_DEVICE, false, &rule);
    ck_assert(rule.vertex_loss == -36 && rule.arc_loss == 0);
    ck_assert_double_eq_tol(gws__handoff_loss(&handoff, 10), 2000 - 360, 1e-6);
    handoff.max_host = 7;
    handoff.max_device = 3;
    handoff.timed = true;
    gws__handoff_set_rule(&handoff, GWS__HANDOFF_HOST, true, &rule);
    ck_assert(rule.level_loss == -2000 && rule.vertex_loss == 9 && rule.arc_loss == 9 && rule.max == 7 && !rule.timed);
    ck_assert_uint_eq(rule.wide, UINT32_MAX);
    gws__handoff_set_rule(&handoff, GWS__HANDOFF_DEVICE, true, &rule);
    ck_assert(rule.max == 3 && rule.timed && rule.wide == UINT32_MAX); /* every level counts for forced handoffs */
    handoff.max_device = UINT32_MAX;
    handoff.model.host_step_ns = 0.5; /* the host is faster at every level */
    gws__handoff_set_rule(&handoff, GWS__HANDOFF_DEVICE, true, &rule);
    ck_assert_uint_eq(rule.wide, UINT32_MAX);
    handoff.model =
        (struct gws_handoff_model){.host_level_ns = 9, .host_step_ns = 1}; /* the host is faster at no level */
    gws__handoff_set_rule(&handoff, GWS__HANDOFF_DEVICE, true, &rule);
    ck_assert_uint_eq(rule.wide, 0);
}
END_TEST

/* The sum of losses decides. Gains do not accumulate. */
START_TEST(losses_add_up)
{
    struct gws__handoff handoff = opened(100, 300);
    struct gws__handoff_rule rule;
    float lost = 0;
    gws__handoff_set_rule(&handoff, GWS__HANDOFF_DEVICE, true, &rule);
    ck_assert(!handoff_due(&rule, &lost, 0, 1000, 3000));
    ck_assert(lost == 0);
    ck_assert(!handoff_due(&rule, &lost, 1, 1, 3));
    ck_assert(lost == 2000 - 36);
    ck_assert(!handoff_due(&rule, &lost, 2, 1, 3));
    ck_assert(handoff_due(&rule, &lost, 3, 1, 3));
    rule.max = 2;
    lost = 0;
    ck_assert(!handoff_due(&rule, &lost, 1, 1000, 3000));
    ck_assert(handoff_due(&rule, &lost, 2, 1000, 3000));
}
END_TEST

/* Each check without a handoff doubles the number of runs that skip the check. A handoff resets this number to 0. */
START_TEST(checks_less_and_less)
{
    struct gws__handoff handoff = opened(100, 300);
    uint32_t looked = 0;
    for (int i = 0; i < 1 + 1 + 1 + 3 + 1 + 7;
         i++) { /* each run that checks, and the runs after it that skip the check */
        looked += handoff.pays;
        gws__handoff_back_off(&handoff, 6000);
    }
    ck_assert_uint_eq(looked, 3);
    ck_assert(handoff.pays);
    gws__handoff_count(&handoff);
    for (int i = 0; i < 3; i++) {
        gws__handoff_back_off(&handoff, 6000);
        ck_assert(handoff.pays);
    }
    handoff.handoffs = 0;
    gws__handoff_back_off(&handoff, 6000);
    ck_assert(!handoff.pays);
    gws__handoff_back_off(&handoff, 6000);
    ck_assert(handoff.pays);
    gws__handoff_back_off(&handoff, 4000); /* the loss is less than the cost of a handoff */
    ck_assert(!handoff.pays);
    handoff.max_host = 5;
    gws__handoff_back_off(&handoff, 0);
    ck_assert(handoff.pays);
    ck_assert_uint_eq(handoff.model.handoffs, 1);
    gws__handoff_reset_stats(&handoff);
    ck_assert(handoff.model.handoffs == 0 && handoff.model.handoff_ns == 5000);
}
END_TEST

/* ---- calibration ---- */

struct trial {
    struct gws__handoff handoff;
    struct gws__handoff_state state;
    uint64_t work;
    uint32_t published, ran, launches, fail_at;
};

static uint64_t publish(void *context, const uint32_t *vertex, uint32_t count)
{
    struct trial *trial = context;
    ck_assert_uint_le(count, gws__handoff_vertices);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < i; j++) ck_assert_uint_ne(vertex[i], vertex[j]);
    trial->published++;
    trial->work = 3 * (uint64_t)count;
    return 2 * (uint64_t)count;
}

static void run(void *context)
{
    ((struct trial *)context)->ran++;
}

/* The emulated device's clock has 2 ticks per ns. */
static gws_status launch(void *device, struct gws_diagnostic *where)
{
    struct trial *trial = device;
    (void)where;
    ck_assert(trial->handoff.timed && trial->handoff.max_device == 1);
    if (++trial->launches == trial->fail_at) return GWS_DEVICE;
    trial->state.ticks[0] = 100;
    trial->state.ticks[1] = 200;
    trial->state.ticks[2] = 200 + 2 * (1800 + trial->work / 2);
    trial->state.ticks[3] = 10100;
    trial->state.ns[0] = 7000;
    trial->state.ns[1] = 12000;
    return GWS_OK;
}

START_TEST(calibration_draws_the_lines)
{
    enum { vertices = 1000 };
    static uint64_t offset[vertices + 1];
    for (uint64_t v = 0; v <= vertices; v++) offset[v] = 2 * v;
    const struct gws_graph graph = {.vertices = vertices, .arcs = 2 * vertices, .offset = offset};
    struct trial trial = {.fail_at = 5};
    const struct gws__handoff_trial given = {&trial, &trial, &graph, &trial.state, publish, run, launch};
    gws__handoff_open(&trial.handoff, &graph);
    ck_assert_int_eq(gws__handoff_calibrate(&trial.handoff, &given, NULL), GWS_DEVICE);
    ck_assert(isinf(trial.handoff.model.handoff_ns) && !trial.handoff.timed && trial.handoff.max_device == UINT32_MAX);
    trial.fail_at = 0;
    ck_assert_int_eq(gws__handoff_calibrate(&trial.handoff, &given, NULL), GWS_OK);
    const struct gws_handoff_model *found = &trial.handoff.model;
    ck_assert_double_eq_tol(found->device_level_ns, 1800, 2);
    ck_assert_double_eq_tol(found->device_step_ns, 0.5, 0.01);
    ck_assert(found->host_level_ns >= 0 && found->host_step_ns >= 0 && isfinite(found->handoff_ns));
    ck_assert_uint_eq(trial.ran, 18 + 4);
    trial.published = 0;
    const struct gws_graph bare = {.vertices = vertices, .offset = (uint64_t[vertices + 1]){0}};
    const struct gws__handoff_trial none = {&trial, &trial, &bare, &trial.state, publish, run, launch};
    gws__handoff_open(&trial.handoff, &bare);
    ck_assert_int_eq(gws__handoff_calibrate(&trial.handoff, &none, NULL), GWS_OK);
    ck_assert(isinf(trial.handoff.model.handoff_ns) && trial.published == 0);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{nothing_is_handed_off_before_it_is_calibrated, 1},
                                    {rules_follow_from_the_model, 1},
                                    {losses_add_up, 1},
                                    {checks_less_and_less, 1},
                                    {calibration_draws_the_lines, 1},
                                    {0}};
    return gws_test_run("handoff of levels", test);
}
