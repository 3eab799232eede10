# SPDX-License-Identifier: MIT
"""The search of bfs_on_my_edges.c in Python. docs/python.md is the manual of the package."""
import graphws

graph = graphws.Graph.from_edges([0, 1, 2, 0, 4], [1, 2, 3, 4, 3], vertices=6)
for v, depth in enumerate(graphws.bfs(graph, source=0).depth):
    if depth != graphws.NO_VERTEX:
        print(f'{v} is {depth} away')
