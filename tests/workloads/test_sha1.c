/* SPDX-License-Identifier: MIT */
/* The tests compare every SHA-1 implementation with a plain one, written from FIPS 180-4. The examples of the standard
 * check the plain implementation. */
#include "../harness.h"

#include "../../lib/random.h"
#include "../../workloads/sha1.h"

static uint32_t rotate(uint32_t x, int bits)
{
    return x << bits | x >> (32 - bits);
}

/* Adds one block to the state. */
static void add_block(uint32_t *state, const uint8_t *block)
{
    uint32_t w[80], h[5];
    for (int t = 0; t < 16; t++)
        w[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 | (uint32_t)block[4 * t + 2] << 8 |
               block[4 * t + 3];
    for (int t = 16; t < 80; t++) w[t] = rotate(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
    memcpy(h, state, sizeof h);
    for (int t = 0; t < 80; t++) {
        uint32_t f = t < 20   ? ((h[1] & h[2]) ^ (~h[1] & h[3])) + 0x5a827999
                     : t < 40 ? (h[1] ^ h[2] ^ h[3]) + 0x6ed9eba1
                     : t < 60 ? ((h[1] & h[2]) ^ (h[1] & h[3]) ^ (h[2] & h[3])) + 0x8f1bbcdc
                              : (h[1] ^ h[2] ^ h[3]) + 0xca62c1d6;
        uint32_t first = rotate(h[0], 5) + f + h[4] + w[t];
        memmove(h + 1, h, 4 * sizeof *h);
        h[2] = rotate(h[2], 30);
        h[0] = first;
    }
    for (int k = 0; k < 5; k++) state[k] += h[k];
}

/* Computes the hash of fewer than 120 bytes. */
static void plain(const uint8_t *message, size_t bytes, uint32_t *state)
{
    static const uint32_t begin[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    uint8_t block[128] = {0};
    size_t magazines = bytes < 56 ? 1 : 2;
    memcpy(block, message, bytes);
    block[bytes] = 0x80;
    block[64 * magazines - 2] = (uint8_t)(bytes * 8 >> 8);
    block[64 * magazines - 1] = (uint8_t)(bytes * 8);
    memcpy(state, begin, sizeof begin);
    for (size_t i = 0; i < magazines; i++) add_block(state, block + 64 * i);
}

static void put(uint8_t *bytes, uint32_t word)
{
    for (int i = 0; i < 4; i++) bytes[i] = (uint8_t)(word >> (24 - 8 * i));
}

/* The examples of FIPS 180, and the empty message. */
START_TEST(test_published)
{
    static const struct {
        const char *message;
        uint32_t hash[5];
    } known[] = {
        {"abc", {0xa9993e36, 0x4706816a, 0xba3e2571, 0x7850c26c, 0x9cd0d89d}},
        {"", {0xda39a3ee, 0x5e6b4b0d, 0x3255bfef, 0x95601890, 0xafd80709}},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         {0x84983e44, 0x1c3bd26e, 0xbaae4aa1, 0xf95129e5, 0xe54670f1}},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        uint32_t hash[5];
        plain((const uint8_t *)known[i].message, strlen(known[i].message), hash);
        ck_assert_mem_eq(hash, known[i].hash, sizeof hash);
    }
}
END_TEST

START_TEST(test_root)
{
    for (uint32_t seed = 0; seed < 600; seed += 19) {
        uint8_t message[20] = {0};
        uint32_t hash[5], state[5];
        put(message + 16, seed);
        plain(message, sizeof message, hash);
        gws__sha1_root(seed, state);
        ck_assert_mem_eq(state, hash, sizeof hash);
    }
}
END_TEST

static struct gws__sha1_batch batch;

/* Fills the batch: count children of random parents, 1 .. max children per parent. All other words are garbage. */
static void fill(uint64_t *random, uint32_t count, uint32_t max)
{
    memset(&batch, 0x5a, sizeof batch);
    uint32_t parent = 0, left = 0;
    for (uint32_t i = 0; i < gws__sha1_row; i++, left--) {
        if (i == 0 || (left == 0 && i < count)) {
            parent += i > 0;
            left = 1 + (uint32_t)(gws_random_next(random) % max);
            for (int k = 0; k < 5; k++) batch.parent[k][parent] = (uint32_t)gws_random_next(random);
            batch.low[parent] = (uint32_t)gws_random_next(random) >> (1 + gws_random_next(random) % 31);
            batch.width[parent] = (uint32_t)(gws_random_next(random) % ((1U << 31) - batch.low[parent] + 1));
            if (gws_random_next(random) % 4 == 0) batch.width[parent] = 0;
        }
        batch.from[i] = parent;
        batch.number[i] = (uint32_t)gws_random_next(random) >> (gws_random_next(random) % 32);
    }
}

static void see(uint32_t count, uint32_t listed)
{
    uint32_t expected = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint8_t message[24];
        uint32_t hash[5], p = batch.from[i];
        for (int k = 0; k < 5; k++) put(message + 4 * k, batch.parent[k][p]);
        put(message + 20, batch.number[i]);
        plain(message, sizeof message, hash);
        for (int k = 0; k < 5; k++)
            if (batch.child[k][i] != hash[k]) ck_abort_msg("word %d of child %u of %u is wrong", k, i, count);
        uint64_t draw = hash[4] & 0x7fffffff, low = batch.low[p];
        if (draw < low || draw >= low + batch.width[p]) continue;
        if (expected >= listed || batch.listed[expected] != i) ck_abort_msg("child %u of %u is not listed", i, count);
        expected++;
    }
    ck_assert_uint_eq(listed, expected);
}

/* Tests all numbers of children up to a few vectors, and then some up to the capacity. */
START_TEST(test_children)
{
    const struct gws__sha1 *hash = gws__sha1_at((uint32_t)_i);
    if (!hash) return;
    uint64_t random = 7;
    for (uint32_t count = 1; count <= gws__sha1_capacity; count += count < 70 ? 1 : 17) {
        fill(&random, count, count % 3 == 0 ? 1 : count % 3 * 9);
        see(count, hash->children(&batch, count));
    }
    fill(&random, gws__sha1_capacity, 7);
    see(gws__sha1_capacity, hash->children(&batch, gws__sha1_capacity));
}
END_TEST

START_TEST(test_table)
{
    uint32_t i = 0;
    bool has_scalar = false;
    for (; gws__sha1_at(i); i++) has_scalar |= strcmp(gws__sha1_at(i)->name, "scalar") == 0;
    ck_assert(has_scalar && i <= 3);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{test_published, 1}, {test_root, 1}, {test_children, 3}, {test_table, 1}, {0}};
    return gws_test_run("sha1", test);
}
