/* SPDX-License-Identifier: MIT */
/* libgraphws for C++20. The classes own what the C library returns, views are std::span, and a status other than GWS_OK
 * becomes a gws::error. The C headers remain the manual: each member names the call that it wraps, and get() and ->
 * lead to the C structs for everything else. Only the constructor of a runtime, and errors, allocate memory of their
 * own.
 *
 * A graph or a result may outlive its runtime. A moved-from object can only be destroyed or assigned to. Spans point
 * into their object and end with it. */
#ifndef GRAPHWS_HPP
#define GRAPHWS_HPP

#include "cpp/algorithms.hpp"
#include "cpp/graph.hpp"
#include "cpp/octree.hpp"
#include "cpp/runtime.hpp"

#endif
