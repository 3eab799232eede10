# SPDX-License-Identifier: MIT
"""Irregular work on threads and devices: graph algorithms, octrees and trees of tasks.

    import graphws
    g = graphws.load('roads.gr')
    graphws.bfs(g, source=1).depth

docs/python.md has more."""
from ._declarations import VERSION as __version__
from .algorithms import (BetweennessResult, BfsResult, ClosenessResult, CommunitiesResult, ComponentsResult, CoresResult,
                         PagerankResult, SsspResult, TrianglesResult, betweenness, bfs, closeness, communities, components,
                         connected_components, kcore, pagerank, sssp, strong_components, triangles)
from .arrays import DeviceArray
from .devices import DeviceInfo, devices, missing_kinds
from .errors import (GraphwsDeviceError, GraphwsError, GraphwsFileNotFoundError, GraphwsMemoryError, GraphwsOSError,
                     GraphwsOverflowError, GraphwsUnsupportedError, GraphwsValueError)
from .graph import NO_VERTEX, Graph
from .octree import Hits, Octree, Points, load_points
from .paths import DiameterResult, PathResult, diameter, distances, label_propagation, path
from .read import load
from .runtime import Runtime, default_runtime
from .simulation import MadnessTree, MdResult, MolecularDynamics, madness, md_start
from .tasks import BpcResult, UtsResult, bpc, uts, uts_trees

NO_DISTANCE = 2**64 - 1
"""An integer distance of an unreached vertex."""

__all__ = [
    'BetweennessResult', 'BfsResult', 'BpcResult', 'ClosenessResult', 'CommunitiesResult', 'ComponentsResult',
    'CoresResult', 'DeviceArray', 'DeviceInfo', 'DiameterResult', 'Graph', 'GraphwsDeviceError', 'GraphwsError',
    'GraphwsFileNotFoundError', 'GraphwsMemoryError', 'GraphwsOSError', 'GraphwsOverflowError', 'GraphwsUnsupportedError',
    'GraphwsValueError', 'Hits', 'MadnessTree', 'MdResult', 'MolecularDynamics', 'NO_DISTANCE', 'NO_VERTEX', 'Octree', 'PagerankResult', 'PathResult', 'Points', 'Runtime',
    'SsspResult', 'TrianglesResult', 'UtsResult', 'betweenness', 'bfs', 'bpc', 'closeness', 'communities', 'components',
    'connected_components', 'default_runtime', 'devices', 'diameter', 'distances', 'kcore', 'label_propagation', 'load',
    'load_points', 'madness', 'md_start', 'missing_kinds', 'pagerank', 'path', 'sssp', 'strong_components', 'triangles', 'uts', 'uts_trees']
