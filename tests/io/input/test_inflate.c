/* SPDX-License-Identifier: MIT */
/* The contract of the inflate backends. All backends of this build must return the same status, message and text for
 * the same input, however the input is divided. The input ends at the end of readable memory. */
#define _GNU_SOURCE
#include "../../harness.h"

#include <sys/mman.h>
#include <zlib.h>

#include "../../../io/input/inflate.h"
#include "../graphs.h"

enum { guarded_size = 1 << 20, text_capacity = 4 << 20 };

/* The result of inflating. */
struct inflate_outcome {
    gws_status status;
    uint64_t size;
    char message[160];
};

struct source {
    const unsigned char *end;
    uint64_t step; /* number of bytes of each refill */
};

static struct source source; /* tests run one at a time */
static unsigned char *guarded, *packed, *text, *made[2];

static const struct gws__inflate_backend *backends[2];
static int engine_count;

static void find_engines(void)
{
    backends[engine_count++] = &gws__inflate_zlib;
    if (gws__inflate_isal) backends[engine_count++] = gws__inflate_isal;
}

static gws_status refill(struct gws__input *input)
{
    uint64_t rest = (uint64_t)(source.end - input->at);
    input->end = input->at + (rest < source.step ? rest : source.step);
    return GWS_OK;
}

/* Inflates size bytes with a backend, in_step bytes of input and out_step bytes of output at a time. */
static struct inflate_outcome inflate_with(const struct gws__inflate_backend *backend, const void *bytes, size_t size,
                                           uint64_t in_step, uint64_t out_step, unsigned char *out)
{
    struct gws_runtime *runtime = gws_open_runtime(1, (struct gws_allocator){0});
    struct inflate_outcome outcome = {0};
    struct gws_diagnostic where = {0};
    struct gws__input input = {.runtime = runtime, .name = "x", .where = &where, .fd = -1};
    uint64_t got = 0;
    if (size > 0) memcpy(guarded + guarded_size - size, bytes, size);
    input.at = input.end = guarded + guarded_size - size;
    source = (struct source){.end = guarded + guarded_size, .step = in_step};
    input.inflater = gws__inflater_new_with(runtime, backend);
    ck_assert_ptr_nonnull(input.inflater);
    do {
        uint64_t ask = out_step < text_capacity - outcome.size ? out_step : text_capacity - outcome.size;
        outcome.status = gws__inflate(&input, refill, out + outcome.size, ask, &got);
        outcome.size += got;
        if (got < ask) break;
    } while (outcome.status == GWS_OK && outcome.size < text_capacity);
    memcpy(outcome.message, where.message, sizeof outcome.message - 1);
    gws__inflater_free(input.inflater);
    gws_runtime_close(runtime);
    return outcome;
}

static void check_same(const struct inflate_outcome *a, const struct inflate_outcome *b)
{
    ck_assert_int_eq(a->status, b->status);
    ck_assert_str_eq(a->message, b->message);
    if (a->status != GWS_OK) return;
    ck_assert_uint_eq(a->size, b->size);
    ck_assert(memcmp(made[0], made[1], a->size) == 0);
}

/* Checks that all backends, in steps of several sizes, give the result that zlib gives in one step. Returns zlib's
 * result. */
static struct inflate_outcome inflate_all(const void *bytes, size_t size)
{
    static const uint64_t in_steps[] = {1, 7, 4096, 1 << 20}, out_steps[] = {1, 8, 300, 1 << 16, 1 << 20};
    struct inflate_outcome first = inflate_with(backends[0], bytes, size, 1 << 20, 1 << 20, made[0]);
    for (int e = 0; e < engine_count; e++) {
        for (unsigned i = 0; i < sizeof in_steps / sizeof *in_steps; i++) {
            for (unsigned o = 0; o < sizeof out_steps / sizeof *out_steps; o++) {
                if (first.size > 10000 && (in_steps[i] < 4096 || out_steps[o] < 300)) continue;
                struct inflate_outcome next =
                    inflate_with(backends[e], bytes, size, in_steps[i], out_steps[o], made[1]);
                check_same(&first, &next);
            }
        }
    }
    return first;
}

static void demand(const void *bytes, size_t size, gws_status status, const char *said)
{
    struct inflate_outcome outcome = inflate_all(bytes, size);
    ck_assert_msg(outcome.status == status, "%d: %s, not %s", outcome.status, outcome.message, said);
    if (status != GWS_OK) ck_assert_msg(strstr(outcome.message, said) != NULL, "%s", outcome.message);
    if (status == GWS_OK)
        ck_assert_msg(outcome.size == strlen(said) && !memcmp(made[0], said, outcome.size), "%s", said);
}

static size_t pack(const void *bytes, size_t size, int level, int strategy, gz_header *head, unsigned char *out)
{
    z_stream z = {0};
    ck_assert_int_eq(deflateInit2(&z, level, Z_DEFLATED, 15 + 16, 8, strategy), Z_OK);
    if (head) ck_assert_int_eq(deflateSetHeader(&z, head), Z_OK);
    z.next_in = (Bytef *)(uintptr_t)bytes;
    z.avail_in = (uInt)size;
    z.next_out = out;
    z.avail_out = guarded_size;
    ck_assert_int_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
    size_t size_out = z.total_out;
    deflateEnd(&z);
    return size_out;
}

static size_t pack_plainly(const char *line, unsigned char *out)
{
    return pack(line, strlen(line), 6, Z_DEFAULT_STRATEGY, NULL, out);
}

START_TEST(test_members)
{
    size_t size = pack_plainly("one\n", packed);
    demand(packed, size, GWS_OK, "one\n");
    for (size_t cut = 2; cut < size; cut++) demand(packed, cut, GWS_TRUNCATED, "ends too early");
    memset(packed + size, 0, 600);
    demand(packed, size + 600, GWS_OK, "one\n");
    packed[size] = 'x';
    demand(packed, size + 1, GWS_CORRUPT, "after the gzip data");
    packed[size] = 0x1f;
    demand(packed, size + 1, GWS_TRUNCATED, "ends too early");
    demand(packed, size + 2, GWS_CORRUPT, "incorrect header check");
    size += pack_plainly("", packed + size);
    demand(packed, size, GWS_OK, "one\n");
    size += pack_plainly("two\n", packed + size);
    demand(packed, size, GWS_OK, "one\ntwo\n");
    packed[size] = 0;
    size += 1 + pack_plainly("three\n", packed + size + 1);
    demand(packed, size, GWS_OK, "one\ntwo\nthree\n");
}
END_TEST

START_TEST(test_wrong)
{
    size_t size = pack_plainly("some text, some more text\n", packed);
    static const struct {
        int at, bits; /* a negative position counts from the end */
        const char *said;
    } cases[] = {{-8, 1, "incorrect data check"},   {-5, 128, "incorrect data check"},
                 {-4, 1, "incorrect length check"}, {-1, 128, "incorrect length check"},
                 {1, 1, "incorrect header check"},  {2, 1, "unknown compression method"},
                 {3, 0x20, "unknown header flags"}, {10, 6, "invalid deflate data"}};
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t at = cases[i].at < 0 ? size - (size_t)-cases[i].at : (size_t)cases[i].at;
        packed[at] ^= (unsigned char)cases[i].bits;
        demand(packed, size, GWS_CORRUPT, cases[i].said);
        packed[at] ^= (unsigned char)cases[i].bits;
    }
}
END_TEST

/* Headers with every optional field, and with the checksum of the header. */
START_TEST(test_heads)
{
    Bytef extra[300] = {1, 2, 3}, name[] = "a name", comment[] = "a comment";
    for (unsigned fields = 0; fields < 16; fields++) {
        gz_header head = {.extra = fields & 1 ? extra : Z_NULL,
                          .extra_len = sizeof extra,
                          .name = fields & 2 ? name : Z_NULL,
                          .comment = fields & 4 ? comment : Z_NULL,
                          .hcrc = (fields & 8) != 0};
        size_t size = pack("text\n", 5, 6, Z_DEFAULT_STRATEGY, &head, packed);
        demand(packed, size, GWS_OK, "text\n");
        packed[4] ^= 1; /* only the checksum detects a wrong time */
        if (fields & 8) demand(packed, size, GWS_CORRUPT, "header crc mismatch");
        if (!(fields & 8)) demand(packed, size, GWS_OK, "text\n");
    }
    static const unsigned char empty_extra[] = {0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 3, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    demand(empty_extra, sizeof empty_extra, GWS_OK, "");
}
END_TEST

static uint32_t next_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    return *state ^= *state << 5;
}

/* Returns a character of a kind of text: numbers on lines, noise, or one repeated letter. */
static unsigned char character(unsigned kind, uint32_t *state)
{
    if (kind == 2) return 'x';
    uint32_t random = next_random(state);
    return kind == 1 ? (unsigned char)random : (unsigned char)"0123456789 \n"[random % 12];
}

/* Members far longer than the window: megabytes of lines, of noise and of one letter, in stored, fixed and dynamic
 * blocks. */
START_TEST(test_long)
{
    static const struct {
        int level, strategy;
    } modes[] = {{0, Z_DEFAULT_STRATEGY}, {1, Z_DEFAULT_STRATEGY}, {6, Z_FIXED}, {6, Z_HUFFMAN_ONLY}, {9, Z_RLE}};
    uint32_t state = 1;
    for (unsigned kind = 0; kind < 3; kind++) {
        size_t size = kind == 2 ? 3 << 20 : 600000;
        for (size_t i = 0; i < size; i++) text[i] = character(kind, &state);
        for (unsigned mode = 0; mode < sizeof modes / sizeof *modes; mode++) {
            if (kind == 2 && (modes[mode].level == 0 || modes[mode].strategy == Z_HUFFMAN_ONLY)) continue;
            size_t made_size = pack(text, size, modes[mode].level, modes[mode].strategy, NULL, packed);
            struct inflate_outcome outcome = inflate_all(packed, made_size);
            ck_assert(outcome.status == GWS_OK && outcome.size == size && memcmp(made[0], text, size) == 0);
            if (gws_test_quick()) break;
        }
    }
}
END_TEST

/* The test flips bits anywhere. All backends refuse the input, or all make the same text. The backends may detect the
 * error at different points, so messages may differ. */
START_TEST(test_flipped_bits)
{
    uint32_t state = 7;
    for (size_t i = 0; i < 5000; i++) text[i] = character(0, &state);
    size_t size = pack(text, 5000, 6, Z_DEFAULT_STRATEGY, NULL, packed);
    for (int i = gws_test_quick() ? 2500 : 0; i < 3000; i++) {
        size_t at = next_random(&state) % size, cut = i % 5 ? size : at + (size - at) / 2;
        unsigned char bit = (unsigned char)(1u << (next_random(&state) & 7)), was = packed[at];
        packed[at] ^= bit;
        struct inflate_outcome first = inflate_with(backends[0], packed, cut, 1 << 20, 1 << 12, made[0]);
        for (int e = 1; e < engine_count; e++) {
            struct inflate_outcome next = inflate_with(backends[e], packed, cut, 1 << 20, 1 << 12, made[1]);
            if ((first.status == GWS_OK) != (next.status == GWS_OK)) ck_abort_msg("byte %d, bit %d", (int)at, bit);
            if (first.status == GWS_OK) check_same(&first, &next);
        }
        packed[at] = was;
    }
}
END_TEST

START_TEST(test_failing_memory)
{
    for (int e = 0; e < engine_count; e++) {
        for (uint64_t k = 1;; k += gws_test_step()) {
            struct gws_test_memory memory = {0};
            struct gws_runtime *runtime = gws_open_runtime(1, gws_test_allocator(&memory));
            memory.fail_at = memory.calls + k;
            size_t size = pack_plainly("one\n", guarded);
            struct gws__input input = {.runtime = runtime, .name = "x", .at = guarded, .end = guarded + size};
            char out[8];
            uint64_t got = 0;
            source = (struct source){.end = input.end};
            input.inflater = gws__inflater_new_with(runtime, backends[e]);
            gws_status status = input.inflater ? gws__inflate(&input, refill, out, 8, &got) : GWS_NO_MEMORY;
            ck_assert_int_eq(status, memory.failed ? GWS_NO_MEMORY : GWS_OK);
            gws__inflater_free(input.inflater);
            gws_runtime_close(runtime);
            gws_test_memory_check(&memory);
            if (!memory.failed) break;
        }
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("inflate");
    TCase *all = tcase_create("all");
    tcase_add_test(all, test_members);
    tcase_add_test(all, test_wrong);
    tcase_add_test(all, test_heads);
    tcase_add_test(all, test_long);
    tcase_add_test(all, test_flipped_bits);
    tcase_add_test(all, test_failing_memory);
    suite_add_tcase(suite, all);
    return suite;
}

int main(void)
{
    guarded = mmap(NULL, guarded_size + 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (guarded == MAP_FAILED || mprotect(guarded + guarded_size, 65536, PROT_NONE) != 0) return EXIT_FAILURE;
    packed = malloc(guarded_size);
    text = malloc(text_capacity);
    for (int i = 0; i < 2; i++) made[i] = malloc(text_capacity);
    find_engines();
    printf("backends: %s%s%s\n", backends[0]->name, engine_count > 1 ? ", " : "",
           engine_count > 1 ? backends[1]->name : "");
    int status = gws_test_main(suite);
    free(packed);
    free(text);
    for (int i = 0; i < 2; i++) free(made[i]);
    return status;
}
