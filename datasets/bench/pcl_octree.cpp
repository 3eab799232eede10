/* SPDX-License-Identifier: MIT */
/* Builds PCL's octree of the points in a table, on one thread with at most 32 points a leaf.
 *
 * usage: pcl_octree FILE.csv TIMES
 *
 * The first three columns are coordinates, below a line of names. Prints the milliseconds of each build. PCL divides
 * leaves down to its required resolution, here 2^-16 of the longest side. */
#include <pcl/octree/octree_search.h>
#include <pcl/point_cloud.h>
#include <pcl/point_types.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

using Cloud = pcl::PointCloud<pcl::PointXYZ>;

enum { LEAF = 32, LEVELS = 1 << 16, LINE = 1 << 12 };

static bool read_points(const char *path, Cloud &cloud)
{
    std::FILE *file = std::fopen(path, "r");
    static char line[LINE];
    float x, y, z;
    if (!file || !std::fgets(line, sizeof line, file)) return false;
    while (std::fgets(line, sizeof line, file))
        if (std::sscanf(line, "%f,%f,%f", &x, &y, &z) == 3) cloud.push_back(pcl::PointXYZ(x, y, z));
    std::fclose(file);
    return !cloud.empty();
}

static float longest_side(const Cloud &cloud)
{
    float low[3] = {cloud[0].x, cloud[0].y, cloud[0].z}, high[3] = {cloud[0].x, cloud[0].y, cloud[0].z};
    for (const auto &point : cloud) {
        for (int i = 0; i < 3; i++) {
            low[i] = std::min(low[i], point.data[i]);
            high[i] = std::max(high[i], point.data[i]);
        }
    }
    return std::max({high[0] - low[0], high[1] - low[1], high[2] - low[2], 1e-30f});
}

int main(int argc, char **argv)
{
    Cloud::Ptr cloud(new Cloud);
    if (argc != 3 || !read_points(argv[1], *cloud)) {
        std::fprintf(stderr, "usage: pcl_octree FILE.csv TIMES\n");
        return 1;
    }
    double resolution = longest_side(*cloud) / LEVELS;
    for (int i = 0; i < std::atoi(argv[2]); i++) {
        auto begin = std::chrono::steady_clock::now();
        pcl::octree::OctreePointCloudSearch<pcl::PointXYZ> octree(resolution);
        octree.enableDynamicDepth(LEAF);
        octree.setInputCloud(cloud);
        octree.addPointsFromInputCloud();
        std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - begin;
        std::printf("%.6f\n", taken.count());
    }
}
