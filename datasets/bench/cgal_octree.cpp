/* SPDX-License-Identifier: MIT */
/* Builds CGAL's octree of the points in a table, on one thread with at most 32 points a leaf, as deep as goctree's.
 *
 * usage: cgal_octree FILE.csv TIMES
 *
 * The first three columns are coordinates, below a line of names. Prints the milliseconds of each build. A build
 * includes a copy of the points, as CGAL sorts its input. The cells have equal sides only if the points' bounding box
 * has equal sides. */
#include <CGAL/Octree.h>
#include <CGAL/Point_set_3.h>
#include <CGAL/Simple_cartesian.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

using Kernel = CGAL::Simple_cartesian<double>;
using Points = std::vector<Kernel::Point_3>;
using Octree = CGAL::Octree<Kernel, Points>;

enum { LEAF = 32, DEPTH = 21, LINE = 1 << 12 };

static bool read_points(const char *path, Points &points)
{
    std::FILE *file = std::fopen(path, "r");
    static char line[LINE];
    double x, y, z;
    if (!file || !std::fgets(line, sizeof line, file)) return false;
    while (std::fgets(line, sizeof line, file))
        if (std::sscanf(line, "%lf,%lf,%lf", &x, &y, &z) == 3) points.emplace_back(x, y, z);
    std::fclose(file);
    return !points.empty();
}

int main(int argc, char **argv)
{
    Points given;
    if (argc != 3 || !read_points(argv[1], given)) {
        std::fprintf(stderr, "usage: cgal_octree FILE.csv TIMES\n");
        return 1;
    }
    for (int i = 0; i < std::atoi(argv[2]); i++) {
        auto begin = std::chrono::steady_clock::now();
        Points points = given;
        Octree octree(points);
        octree.refine(DEPTH, LEAF);
        std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - begin;
        std::printf("%.6f\n", taken.count());
    }
}
