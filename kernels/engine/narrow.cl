/* SPDX-License-Identifier: MIT */
/* Words in fewer bytes, on devices and by the CPU. */

/* Word number `word` of the entries in `bytes` bytes each, 1 or 2, as a little-endian machine has them: what does not
 * fit becomes all ones, as NO_VERTEX does. */
device_inline u32 narrow_word(global_mem const u32 *from, u64 count, u64 word, u32 bytes)
{
    u32 entries = 4 / bytes, bits = 8 * bytes, most = (1u << bits) - 1, packed = 0;
    for (u32 i = 0; i < entries; i++) {
        u64 at = word * entries + i;
        u32 value = at < count ? from[at] : 0;
        packed |= (value < most ? value : most) << i * bits;
    }
    return packed;
}
