/* SPDX-License-Identifier: MIT */
/* Atoms from XYZ files: every form of a line, each error. */
#include "molecule.h"

/* Compares an atom with its species and its numbers x, y, z, vx, vy, vz, charge. */
static void check_atom(uint64_t i, const char *species, const float number[7])
{
    const float *found[] = {atoms.x, atoms.y, atoms.z};
    char name[GWS_SPECIES_BYTES + 1] = "";
    ck_assert_uint_eq(atoms.columns, 5);
    ck_assert(!atoms.is_double);
    for (int n = 0; n < 3; n++) ck_assert(found[n][i] == number[n]);
    for (int n = 3; n < 7; n++) ck_assert(((const float *)atoms.column[n - 3].data)[i] == number[n]);
    memcpy(name, (const uint64_t *)gws_points_find(&atoms, "species")->data + i, GWS_SPECIES_BYTES);
    ck_assert_str_eq(name, species);
}

static const double open_space[3];

START_TEST(reads_each_form)
{
    read_text("2\n\nO 1 2 3\n  h2\t-0.5 +1e-3 4.\n");
    ck_assert_uint_eq(atoms.count, 2);
    check_atom(0, "O", (float[7]){1, 2, 3});
    check_atom(1, "h2", (float[7]){-0.5F, 1e-3F, 4});
    check_box(0, 0, 0, open_space);
    read_text(" 1 \na comment = with 'signs' = \r\nAr40+abc 1 2 3 4 5 6\n\n");
    check_atom(0, "Ar40+abc", (float[7]){1, 2, 3, 4, 5, 6});
    read_text("\xef\xbb\xbf"
              "1\ntime=3.5\n18 1 2 3 4 5 6 -7\n2\nthe next\nframe 1\n");
    ck_assert_uint_eq(atoms.count, 1);
    check_atom(0, "18", (float[7]){1, 2, 3, 4, 5, 6, -7});
    read_text("0\n\n");
    ck_assert_uint_eq(atoms.count, 0);
}
END_TEST

START_TEST(reads_extended_comments)
{
    read_text("1\nLattice=\"8 0 0 0 9.5 0 0 0 10\" Properties=pos:R:3:q:R:1:species:S:1:forces:R:3:vel:R:3\n"
              "1 2 3 .5 He 9 9 9 4 5 6\n");
    check_atom(0, "He", (float[7]){1, 2, 3, 4, 5, 6, 0.5F});
    check_box(0, 0, 0, (double[]){8, 9.5, 10});
    read_text("1\nstep=7 PBC=\"T T T\" origin=\"-4 0 1\" lattice=\"8 0 0 0 8 0 0 0 8\"\r\nX 1 2 3\r\n");
    check_box(-4, 0, 1, (double[]){8, 8, 8});
    read_text("1\npbc=\"F F F\" Lattice=\"8 0 0 0 8 0 0 0 8\"\nX 1 2 3\n");
    check_box(0, 0, 0, open_space);
}
END_TEST

#define LATTICE(x) "1\nLattice=\"" x "\"\nX 1 2 3\n"
#define PROPERTIES(x) "1\nProperties=" x "\nX 1 2 3\n"
static const struct {
    const char *text, *message;
    gws_status status;
    uint64_t line, column;
} bad[] = {
    {"", "expected the number of atoms, found the end of the input", GWS_TRUNCATED, 1, 1},
    {"x\n\n", "expected the number of atoms, found 'x'", GWS_SYNTAX, 1, 1},
    {"-1\n\n", "expected the number of atoms, found '-1'", GWS_SYNTAX, 1, 1},
    {"1.5\n\n", "expected the number of atoms, found '1.5'", GWS_SYNTAX, 1, 1},
    {"1 2\n\n", "expected the end of the line, found '2'", GWS_SYNTAX, 1, 3},
    {"1", "expected a comment, found the end of the input", GWS_TRUNCATED, 2, 1},
    {"2\n\nX 1 2 3\n", "expected 2 atoms, found 1", GWS_TRUNCATED, 4, 1},
    {"18446744073709551615\n\nX 1 2 3\n", "expected 18446744073709551615 atoms, found 1", GWS_TRUNCATED, 4, 1},
    {"18446744073709551616\n\nX 1 2 3\n", "the number of atoms does not fit in 64 bits", GWS_TOO_LARGE, 1, 1},
    {"1\n\nX 1 2 3\n\n X 1 2 3\n", "expected the end of 1 atoms or another frame, found 'X'", GWS_SYNTAX, 5, 2},
    {"1\n\nX 1 nan 3\n", "expected y, a finite number, found 'nan'", GWS_SYNTAX, 3, 5},
    {"1\n\nX 1 2 inf\n", "expected z, a finite number, found 'inf'", GWS_SYNTAX, 3, 7},
    {"1\n\nX 1e39 2 3\n", "expected x, a finite number, found '1e39'", GWS_SYNTAX, 3, 3},
    {"1\n\nX 1 2 3 4 5 6 q\n", "expected charge, a finite number, found 'q'", GWS_SYNTAX, 3, 15},
    {"1\n\nX 1 2 3 4 NaN 6 7\n", "expected vy, a finite number, found 'NaN'", GWS_SYNTAX, 3, 11},
    {"2\n\nX 1 2 3\n\n", "expected a species of at most 8 characters, found the end of the line", GWS_SYNTAX, 4, 1},
    {"2\n\nX 1 2 3\nX 1 2\n", "expected z, a finite number, found the end of the line", GWS_SYNTAX, 4, 6},
    {"2\n\nX 1 2 3\nX 1 2 3 4\n", "expected the end of the atom's line, found '4'", GWS_SYNTAX, 4, 9},
    {"1\n\nX 1 2\n", "expected 4, 7 or 8 columns (species, position, velocity, charge), found 3", GWS_SYNTAX, 3, 1},
    {"1\n\n1.5 1 2 3\n", "expected a species of at most 8 characters, found '1.5'", GWS_SYNTAX, 3, 1},
    {"1\n\nHydrogen1 1 2 3\n", "expected a species of at most 8 characters, found 'Hydrogen1'", GWS_SYNTAX, 3, 1},
    {"1\n\n?X 1 2 3\n", "expected a species of at most 8 characters, found '?X'", GWS_SYNTAX, 3, 1},
    {LATTICE("8 0 0 0 8 0 0 0"), "expected nine numbers, found the end of the line", GWS_SYNTAX, 2, 25},
    {LATTICE("8 0 0 0 8 0 0 0 nan"), "expected nine numbers, found 'nan'", GWS_SYNTAX, 2, 26},
    {LATTICE("8 0 0 0 8 0 0 0 8 1"), "expected the end of the value", GWS_SYNTAX, 2, 28},
    {LATTICE("8 0 0 0 0 0 0 0 8"), "expected a box with edges above 0", GWS_SYNTAX, 2, 10},
    {LATTICE("8 0 0 0 -8 0 0 0 8"), "expected a box with edges above 0", GWS_SYNTAX, 2, 10},
    {LATTICE("8 1 0 0 8 0 0 0 8"), "an oblique box; its edges must be along x, y and z", GWS_UNSUPPORTED, 2, 10},
    {LATTICE("1 0 0 0 1 0 0 0 1\" Origin=\"1e30 0 0"), "an edge of the box is too short or too long for its origin",
     GWS_SYNTAX, 2, 1},
    {"1\nLattice=\"8 0 0\nX 1 2 3\n", "a quotation mark without its partner", GWS_SYNTAX, 2, 9},
    {"1\n Origin=\"1 2\"\nX 1 2 3\n", "expected three numbers, found the end of the line", GWS_SYNTAX, 2, 13},
    {"1\npbc=\"T T T\"\nX 1 2 3\n", "pbc=\"T T T\" requires a Lattice", GWS_SYNTAX, 2, 1},
    {"1\npbc=\"T T\"\nX 1 2 3\n", "expected three letters, T or F", GWS_SYNTAX, 2, 6},
    {"1\npbc=\"T T 1\"\nX 1 2 3\n", "expected T or F, found '1'", GWS_SYNTAX, 2, 10},
    {"1\npbc=\"T F T\"\nX 1 2 3\n", "a box with open and closed faces; expected T T T or F F F", GWS_UNSUPPORTED, 2, 6},
    {PROPERTIES("species:S:1:mass:R:1"), "unknown property 'mass'; known: species, pos, velo, charge, forces",
     GWS_UNSUPPORTED, 2, 24},
    {PROPERTIES("species:R:1"), "expected the type S, found 'R'", GWS_SYNTAX, 2, 20},
    {PROPERTIES("pos:R:2"), "expected 3 columns, found '2'", GWS_SYNTAX, 2, 18},
    {PROPERTIES("charge:R"), "expected 1 column, found the end of the line", GWS_SYNTAX, 2, 20},
    {PROPERTIES("species:S:1"), "expected the properties species and pos among others", GWS_SYNTAX, 2, 12},
    {PROPERTIES("pos:R:3:pos:R:3"), "this property stands twice", GWS_SYNTAX, 2, 20},
    {PROPERTIES("species:S:1:pos:R:3 Properties=a"), "this key stands twice", GWS_SYNTAX, 2, 32},
};

START_TEST(says_what_is_wrong)
{
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const char *path = gws_test_file("bad.xyz", bad[i].text, strlen(bad[i].text));
        low[0] = 5;
        ck_assert_int_eq(gws_atoms_read(runtime, path, &atoms, low, high, &where), bad[i].status);
        ck_assert_str_eq(where.message, bad[i].message);
        ck_assert_str_eq(where.file, path);
        ck_assert_msg(where.line == bad[i].line && where.column == bad[i].column, "%s: %llu:%llu", bad[i].message,
                      (unsigned long long)where.line, (unsigned long long)where.column);
        ck_assert(atoms.owner == NULL && low[0] == 5);
    }
    ck_assert_int_eq(gws_atoms_read(runtime, gws_test_temp("none.xyz"), &atoms, low, high, NULL), GWS_SYSTEM);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{reads_each_form, 1}, {reads_extended_comments, 1}, {says_what_is_wrong, 1}, {0}};
    return gws_test_run_between("atoms", test, setup, teardown);
}
