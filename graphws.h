/* SPDX-License-Identifier: MIT */
/* All of libgraphws. `pkg-config --cflags --libs graphws` prints the flags to compile and link. */
#ifndef GRAPHWS_H
#define GRAPHWS_H

#include "io/graph_io.h"
#include "io/output_io.h"
#include "io/points_io.h"
#include "io/query_io.h"
#include "io/table_io.h"
#include "io/trace_io.h"
#include "lib/caching_allocator.h"
#include "lib/decisions.h"
#include "lib/device.h"
#include "lib/graph.h"
#include "lib/hetero.h"
#include "lib/parallel.h"
#include "lib/points.h"
#include "lib/poison.h"
#include "lib/random.h"
#include "lib/runtime.h"
#include "lib/status.h"
#include "lib/stream.h"
#include "lib/table.h"
#include "lib/tasks.h"
#include "lib/text.h"
#include "lib/trace.h"
#include "traversal/bfs.h"
#include "traversal/bfs_device.h"
#include "traversal/device_graph.h"
#include "traversal/label_propagation.h"
#include "traversal/madness.h"
#include "traversal/madness_device.h"
#include "traversal/octree.h"
#include "traversal/octree_device.h"
#include "traversal/octree_on_device.h"
#include "traversal/octree_query.h"

#endif
