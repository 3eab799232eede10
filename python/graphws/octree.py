# SPDX-License-Identifier: MIT
"""Points, octrees, and their queries."""
from __future__ import annotations

import ctypes
import os
import sys
from ctypes import byref
from typing import TYPE_CHECKING, Any, Dict, Optional, Tuple

from . import _declarations as c
from ._library import lib
from .arrays import Owned, host_array, pointer_of
from .graph import _named
from .progress import Progress
from .runtime import Runtime, default_runtime

if TYPE_CHECKING:
    import numpy as np

_KINDS = {c.GWS_NUMBER_I8: '|i1', c.GWS_NUMBER_U8: '|u1', c.GWS_NUMBER_I16: '<i2', c.GWS_NUMBER_U16: '<u2', c.GWS_NUMBER_I32: '<i4',
          c.GWS_NUMBER_U32: '<u4', c.GWS_NUMBER_I64: '<i8', c.GWS_NUMBER_U64: '<u8', c.GWS_NUMBER_F32: '<f4', c.GWS_NUMBER_F64: '<f8'}


class Points:
    """A set of points: coordinates x, y and z, and further columns by name. Arrays are not copied."""

    def __init__(self, owned: Any, struct: Any):
        self._owned, self._struct = owned, struct

    def __len__(self) -> int:
        return self._struct.count

    def __repr__(self) -> str:
        return f'<graphws.Points: {len(self):,} in {"doubles" if self._struct.is_double else "floats"}, columns {list(self.columns)}>'

    def _axis(self, pointer: int) -> np.ndarray:
        return host_array(self._owned, pointer, len(self), '<f8' if self._struct.is_double else '<f4')

    @property
    def x(self) -> np.ndarray:
        """The first coordinates."""
        return self._axis(self._struct.x)

    @property
    def y(self) -> np.ndarray:
        """The second coordinates."""
        return self._axis(self._struct.y)

    @property
    def z(self) -> np.ndarray:
        """The third coordinates."""
        return self._axis(self._struct.z)

    @property
    def columns(self) -> Dict[str, np.ndarray]:
        """The further columns, such as an intensity."""
        at = (c.gws_points_column * self._struct.columns).from_address(self._struct.column) if self._struct.columns else []
        return {one.name.decode(): host_array(self._owned, one.data, len(self), _KINDS[one.kind]) for one in at}

    def save(self, path: Any, runtime: Optional[Runtime] = None, progress: Progress = None) -> None:
        """Writes the points; the suffix names the format: .ply, .csv, .xyz, .npy, .gwsp or .vtp, also with .gz."""
        runtime, where = runtime or default_runtime(), c.gws_diagnostic()
        runtime.call(lib.gws_points_write, runtime._pointer, byref(self._struct), os.fsencode(path), c.GWS_POINTS_AUTO, byref(where),
                     where=where, progress=progress, file=os.fspath(path))


def load_points(path: Any, columns: Optional[str] = None, runtime: Optional[Runtime] = None, progress: Progress = None) -> Points:
    """Reads points from a file (PLY, PCD, LAS, LAZ, HDF5 snapshots, .npy, .csv, .xyz, .bin, .gwsp; also .gz), or generates them from a
    description such as 'plummer:1M' or 'uniform:1000'. columns: names for the columns of a file without names."""
    runtime, where, owned = runtime or default_runtime(), c.gws_diagnostic(), Owned(c.gws_points(), lib.gws_points_clear)
    options = c.gws_points_read_options(columns=None if columns is None else columns.encode())
    runtime.call(lib.gws_points_load, runtime._pointer, os.fsencode(path), byref(options), byref(owned.struct), byref(where), where=where,
                 progress=progress, file=os.fspath(path))
    return Points(owned, owned.struct)


def as_points(points: Any, runtime: Optional[Runtime] = None) -> Points:
    """Points as they are; otherwise from a path, from three arrays x, y, z (float32 or float64, not copied), or from an
    array with a row for each point."""
    import numpy as np
    if isinstance(points, Points):
        return points
    if isinstance(points, (str, os.PathLike)):
        return load_points(points, runtime=runtime)
    axes = points if isinstance(points, tuple) else np.asarray(points).reshape(-1, 3).T if np.size(points) == 0 else np.asarray(points).T
    if len(axes) != 3 or any(np.ndim(axis) != 1 or np.shape(axis) != np.shape(axes[0]) for axis in axes):
        raise ValueError('points: expected three arrays x, y, z of one length, or an array of shape (n, 3)')
    kind = np.float32 if all(np.asarray(axis).dtype == np.float32 for axis in axes) else np.float64
    x, y, z = (np.ascontiguousarray(axis, kind) for axis in axes)
    struct = c.gws_points(count=len(x), is_double=kind is np.float64, x=pointer_of(x), y=pointer_of(y), z=pointer_of(z))
    return Points((x, y, z), struct)


class Hits:
    """Answers to queries. Those to query q are `point[offset[q]:offset[q + 1]]`, numbers of points, and `distance`
    likewise (None for boxes)."""

    def __init__(self, owned: Owned):
        self._owned, struct = owned, owned.struct
        self.offset: np.ndarray = host_array(owned, struct.offset, struct.queries + 1, '<u8')
        count = int(self.offset[-1])
        self.point: np.ndarray = host_array(owned, struct.point, count, '<u8')
        self.distance: Optional[np.ndarray] = host_array(owned, struct.distance, count, '<f8') if struct.distance else None

    def __len__(self) -> int:
        return self._owned.struct.queries

    def __getitem__(self, query: int) -> np.ndarray:
        """The points that answer a query."""
        if not -len(self) <= query < len(self):
            raise IndexError(query)
        query %= len(self)
        return self.point[int(self.offset[query]):int(self.offset[query + 1])]


class _OnDevice:
    """A tree on a device, for queries."""

    def __init__(self, tree: Octree, device: str):
        self.device, self.owner, self.pointer = tree._runtime.device(device), tree._owner, None
        where, pointer = c.gws_diagnostic(), ctypes.c_void_p()
        tree._runtime.call(lib.gws_octree_on_device_open, tree._runtime._pointer, self.device.pointer, tree._owner.pointer,
                           byref(pointer), byref(where), where=where)
        self.pointer = pointer.value

    def __del__(self) -> None:
        if self.pointer and not sys.is_finalizing():
            self.device.runtime.discard(lib.gws_octree_on_device_close, self.pointer, self.device, self.owner)


class _Owner:
    """A tree of the library."""

    def __init__(self, pointer: Any):
        self.pointer, self.struct = pointer, c.gws_octree.from_address(pointer)

    def __del__(self) -> None:
        if not sys.is_finalizing():
            lib.gws_octree_destroy(self.pointer)


class Octree:
    """An octree of points, in which a leaf holds at most `leaf` points, and queries of the points.

    points: see as_points(). box: (low, high), three numbers each; by default the bounding cube. drop: leave out points
    outside the box and points that are not finite. device: where the tree is built; queries take a device of their own.
    Arrays are read-only and not copied."""

    def __init__(self, points: Any, leaf: int = 32, max_depth: int = 0, box: Any = None, drop: bool = False, builder: str = 'auto',
                 device: str = 'cpu', runtime: Optional[Runtime] = None, progress: Progress = None):
        self._runtime = runtime = runtime or default_runtime()
        points, pointer, where = as_points(points, runtime), ctypes.c_void_p(), c.gws_diagnostic()
        builders = {'auto': c.GWS_OCTREE_AUTO, 'sort': c.GWS_OCTREE_SORT, 'task': c.GWS_OCTREE_BY_TASK}
        if builder not in builders:
            raise ValueError(f'builder: expected one of {", ".join(builders)}; got {builder!r}')
        options = c.gws_octree_options(leaf=leaf, max_depth=max_depth, builder=builders[builder], drop=drop, has_box=box is not None)
        if box is not None:
            options.low[:], options.high[:] = map(tuple, box)
        given = byref(points._struct)
        if device == 'cpu':
            runtime.call(lib.gws_octree_build, runtime._pointer, given, byref(options), byref(pointer), byref(where), where=where,
                         progress=progress)
        else:
            self._build_on(device, options, given, pointer)
        self._owner = _Owner(pointer.value)
        self._devices: Dict[str, _OnDevice] = {}
        self._struct = self._owner.struct
        runtime.call(lib.gws_octree_copy_points, runtime._pointer, pointer, given)

    def _build_on(self, device: str, options: c.gws_octree_options, points: Any, pointer: Any) -> None:
        runtime, builder, where = self._runtime, ctypes.c_void_p(), c.gws_diagnostic()
        sides = device.replace(' ', '').split(',')
        address = next((side for side in sides if side != 'cpu'), '')
        of_device = c.gws_octree_device_options(tree=options, cpu='cpu' in sides)
        runtime.call(lib.gws_octree_device_open, runtime._pointer, runtime.device(address).pointer, byref(of_device), byref(builder),
                     byref(where), where=where)
        try:
            runtime.call(lib.gws_octree_device_build, builder, points, byref(pointer), byref(where), where=where)
        finally:
            runtime.call(lambda: lib.gws_octree_device_close(builder) or 0)

    def __repr__(self) -> str:
        s = self._struct
        return f'<graphws.Octree: {s.points:,} points, {s.nodes:,} nodes, {s.leaves:,} leaves, depth {s.depth}>'

    def __getattr__(self, name: str) -> Any:
        if name in ('points', 'dropped', 'leaves', 'depth', 'max_leaf', 'leaf_size'):
            return getattr(self._struct, name)
        raise AttributeError(f'Octree has no attribute {name!r}')

    @property
    def box(self) -> Tuple[Tuple[float, ...], Tuple[float, ...]]:
        """The box of the tree: (low, high)."""
        return tuple(self._struct.low), tuple(self._struct.high)

    @property
    def nodes(self) -> np.ndarray:
        """The nodes by level: a structured array with key, begin, end, parent, first_child, child_mask, level and large."""
        import numpy as np
        kinds: Any = {ctypes.c_uint64: '<u8', ctypes.c_uint8: '|u1', ctypes.c_bool: '?'}
        node: Any = c.gws_octree_node
        dtype = np.dtype({'names': [name for name, _ in node._fields_], 'formats': [kinds[kind] for _, kind in node._fields_],
                          'offsets': [getattr(node, name).offset for name, _ in node._fields_], 'itemsize': ctypes.sizeof(node)})
        return host_array(self._owner, self._struct.node, self._struct.nodes, dtype, read_only=True)

    @property
    def index(self) -> np.ndarray:
        """The number of the point at each position of the leaf order."""
        pointer, kind = (self._struct.index64, '<u8') if self._struct.index64 else (self._struct.index32, '<u4')
        return host_array(self._owner, pointer, self._struct.points, kind, read_only=True)

    @property
    def leaf_nodes(self) -> np.ndarray:
        """The nodes that are leaves, in the order of their points."""
        return host_array(self._owner, self._struct.leaf, self._struct.leaves, '<u8', read_only=True)

    # ---- queries ----

    def _ask(self, what: str, device: str, queries: np.ndarray, *more: int) -> Hits:
        where, owned = c.gws_diagnostic(), Owned(c.gws_octree_hits(), lib.gws_octree_hits_clear)
        if device == 'cpu':
            function, first = getattr(lib, f'gws_octree_{what}'), [self._runtime._pointer, self._owner.pointer]
        else:
            if device not in self._devices:
                self._devices[device] = _OnDevice(self, device)
            function, first = getattr(lib, f'gws_octree_on_device_{what}'), [self._devices[device].pointer]
        self._runtime.call(function, *first, pointer_of(queries), len(queries), *more, byref(owned.struct), byref(where), where=where)
        return Hits(owned)

    def in_boxes(self, low: Any, high: Any, device: str = 'cpu') -> Hits:
        """The points in each box low .. high, both ends included."""
        return self._ask('in_boxes', device, _rows((low, 3), (high, 3)))

    def in_balls(self, centre: Any, radius: Any, device: str = 'cpu') -> Hits:
        """The points in each ball. radius: a number, or one for each centre."""
        return self._ask('in_balls', device, _rows((centre, 3), (radius, 1)))

    def _total(self, what: str, queries: np.ndarray, value: Any) -> Any:
        import numpy as np
        where, count = c.gws_diagnostic(), np.empty(len(queries), np.uint64)
        given = None if value is None else np.ascontiguousarray(value, np.float64)
        if given is not None and given.shape != (self._struct.given,):
            raise ValueError(f'value: expected {self._struct.given} numbers, one for each point')
        total = None if given is None else np.empty(len(queries))
        totals = c.gws_octree_totals(count=pointer_of(count), value=pointer_of(given), sum=pointer_of(total))
        self._runtime.call(getattr(lib, f'gws_octree_count_{what}'), self._runtime._pointer, self._owner.pointer, pointer_of(queries),
                           len(queries), byref(totals), byref(where), where=where)
        return count if total is None else (count, total)

    def count_in_boxes(self, low: Any, high: Any, value: Any = None) -> Any:
        """The number of points in each box. value: a number for each point; then also their sums, as (counts, sums)."""
        return self._total('in_boxes', _rows((low, 3), (high, 3)), value)

    def count_in_balls(self, centre: Any, radius: Any, value: Any = None) -> Any:
        """The number of points in each ball, and sums as in count_in_boxes()."""
        return self._total('in_balls', _rows((centre, 3), (radius, 1)), value)

    def nearest(self, position: Any, k: int = 1, device: str = 'cpu') -> Hits:
        """The k points nearest to each position, nearest first."""
        return self._ask('nearest', device, _rows((position, 3)), k)

    def first_on_rays(self, origin: Any, direction: Any, radius: Any, device: str = 'cpu') -> Hits:
        """The first point, a ball of that radius, that each ray hits, if any."""
        return self._ask('first_on_rays', device, _rows((origin, 3), (direction, 3), (radius, 1)))


def _rows(*columns: Tuple[Any, int]) -> np.ndarray:
    """A row of doubles for each query. The first argument has the number of queries; the others may have only one."""
    import numpy as np
    parts = [np.asarray(values, np.float64) for values, _ in columns]
    count = parts[0].size // columns[0][1]
    if parts[0].shape not in ((3,), (count, 3)):
        raise ValueError(f'expected rows of three coordinates, got an array of shape {parts[0].shape}')
    rows = np.empty((count, sum(width for _, width in columns)))
    at = 0
    for part, (_, width) in zip(parts, columns):
        rows[:, at:at + width] = part.reshape(-1, width) if part.size in (width, count * width) else part  # or numpy's error
        at += width
    return rows
