/* SPDX-License-Identifier: MIT */
/* Fuzzes the reader and the writer of atoms. All modes of reading give the same atoms. Written atoms are read back as
 * the same atoms. */
#include "draw.h"

#include "../../io/points/atoms.h"
#include "read_points.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct box {
    double low[3], high[3];
};

static struct fuzz_cloud read_once(const uint8_t *data, size_t size, enum fuzz_mode mode, uint64_t chunk_size,
                                   struct box *box)
{
    struct fuzz_cloud result = {.status = GWS_OK};
    struct gws__input input;
    result.status = fuzz_open(&input, data, size, mode, chunk_size, &result.where);
    if (result.status == GWS_OK) result.status = gws__atoms_read_input(&input, &result.points, box->low, box->high);
    gws__input_close(&input);
    fuzz_demand((result.status == GWS_OK) == (result.points.owner != NULL), "atoms and an error, or neither");
    return result;
}

static void write_and_read(const struct gws_points *atoms, const struct box *box)
{
    char path[fuzz_path];
    struct gws_output *output = NULL;
    struct gws_points again = {0};
    struct box other;
    fuzz_begin_files();
    gws_status status = gws_output_open(fuzz_roomy_runtime(), fuzz_file("out.xyz", path), NULL, &output);
    if (status == GWS_OK) status = gws_output_close(output, gws_atoms_write(output, atoms, box->low, box->high));
    fuzz_demand(status == GWS_OK, "atoms that cannot be written");
    status = gws_atoms_read(fuzz_roomy_runtime(), path, &again, other.low, other.high, NULL);
    fuzz_demand(status == GWS_OK, "written atoms that cannot be read");
    fuzz_same_points(atoms, &again);
    gws_points_clear(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct box box = {.low = {0}}, other = {.low = {0}};
    struct fuzz_cloud whole = read_once(data, size, FUZZ_FILE, 0, &box);
    for (int mode = 0; mode < FUZZ_MODES; mode++) {
        struct fuzz_cloud again = read_once(data, size, (enum fuzz_mode)mode, 16, &other);
        fuzz_compare_points(data, size, &whole, &again);
        if (whole.status == GWS_OK && again.status == GWS_OK)
            fuzz_demand(memcmp(&box, &other, sizeof box) == 0, "two boxes");
        gws_points_clear(&again.points);
    }
    if (whole.status == GWS_OK) write_and_read(&whole.points, &box);
    gws_points_clear(&whole.points);
    return 0;
}
