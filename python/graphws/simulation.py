# SPDX-License-Identifier: MIT
"""Molecular dynamics, and the adaptive trees of polynomials of MADNESS."""
from __future__ import annotations

import ctypes
import sys
from ctypes import byref
from typing import TYPE_CHECKING, Any, Callable, List, NamedTuple, Optional, Tuple, Union

from . import _declarations as c
from ._library import lib
from .arrays import Owned, host_array, pointer_of
from .octree import Points, as_points
from .runtime import Runtime, default_runtime, inside

if TYPE_CHECKING:
    import numpy as np

Box = Tuple[Tuple[float, ...], Tuple[float, ...]]


class MdResult(NamedTuple):
    """What some steps did: the energies at their end, the largest change of the total energy since the beginning, an atom's
    share of it (`drift`), the sum of the velocities, and the time in milliseconds."""

    steps: int
    potential: float
    kinetic: float
    drift: float
    momentum: Tuple[float, ...]
    rebuilds: int
    ms: float


def md_start(atoms: int, density: float = 0.84, temperature: float = 1, charge: float = 0, gauss: bool = False, seed: int = 1,
             runtime: Optional[Runtime] = None) -> Tuple[Points, Optional[Box]]:
    """Atoms on a lattice with random velocities, and their periodic box. gauss: the density falls with the distance from
    the centre, without a box. Units are reduced (traversal/md.h)."""
    runtime, owned = runtime or default_runtime(), Owned(c.gws_points(), lib.gws_points_clear)
    low, high = (ctypes.c_double * 3)(), (ctypes.c_double * 3)()
    start = c.gws_md_start(atoms=atoms, density=density, temperature=temperature, charge=charge, gauss=gauss, seed=seed)
    runtime.call(lib.gws_md_begin, runtime._pointer, byref(start), byref(owned.struct), low, high)
    return Points(owned, owned.struct), None if gauss else (tuple(low), tuple(high))


class MolecularDynamics:
    """A simulation of atoms with Lennard-Jones and electrostatic forces, which run() continues.

    atoms: points as of as_points(), with the columns vx, vy, vz and charge if they have such. box: a periodic box (low,
    high); None: open space. The defaults of cutoff, skin and step are 2.5, 0.3 and 0.004."""

    def __init__(self, atoms: Any, box: Optional[Box] = None, cutoff: float = 0, skin: float = 0, step: float = 0, device: str = 'cpu',
                 runtime: Optional[Runtime] = None):
        self._runtime = runtime = runtime or default_runtime()
        self._pointer: Optional[int] = None
        self._device: Any = None if device == 'cpu' else runtime.device(device)
        points, pointer, where = as_points(atoms, runtime), ctypes.c_void_p(), c.gws_diagnostic()
        options = c.gws_md_options(cutoff=cutoff, skin=skin, step=step)
        if box is not None:
            options.low[:], options.high[:] = map(tuple, box)
        given = byref(points._struct), byref(options)
        if self._device is None:
            runtime.call(lib.gws_md_open, runtime._pointer, *given, byref(pointer), byref(where), where=where)
        else:
            runtime.call(lib.gws_md_device_open, runtime._pointer, self._device.pointer, *given, c.GWS_MD_STEAL, byref(pointer),
                         byref(where), where=where)
        self._pointer = pointer.value

    def __del__(self) -> None:
        if self._pointer and not sys.is_finalizing():
            close = lib.gws_md_close if self._device is None else lib.gws_md_device_close
            self._runtime.discard(close, self._pointer, self._device, self._runtime)

    def run(self, steps: int) -> MdResult:
        """Runs some steps."""
        result, where = c.gws_md_result(), c.gws_diagnostic()
        function = lib.gws_md_run if self._device is None else lib.gws_md_device_run
        self._runtime.call(function, self._pointer, steps, byref(result), byref(where), where=where)
        return MdResult(result.steps, result.potential, result.kinetic, result.drift, tuple(result.momentum), result.rebuilds, result.ms)

    @property
    def atoms(self) -> Points:
        """A copy of the atoms now, with the columns vx, vy, vz, charge, fx, fy and fz."""
        owned, where = Owned(c.gws_points(), lib.gws_points_clear), c.gws_diagnostic()
        if self._device is None:
            self._runtime.call(lib.gws_md_fetch, self._pointer, byref(owned.struct))
        else:
            self._runtime.call(lib.gws_md_device_fetch, self._pointer, byref(owned.struct), byref(where), where=where)
        return Points(owned, owned.struct)


class _Values:
    """A function of Python on the grid of a box. Workers call it, one after the other, since each needs the GIL."""

    def __init__(self, function: Callable[..., Any], runtime: Runtime):
        self.function, self.state = function, runtime._state
        self.failure: Optional[BaseException] = None

    def __call__(self, context: Any, number: int, grid: int, value: int) -> None:
        import numpy as np
        given = c.gws_madness_grid.from_address(grid)
        k = given.order
        x, y, z = (host_array(given, at, 2 * k, '<f8', read_only=True) for at in (given.x, given.y, given.z))
        out = host_array(given, value, (k, k, k, 2, 2, 2), '<f8')
        try:
            with inside(self.state):
                whole = np.broadcast_to(self.function(x[:, None, None], y[None, :, None], z[None, None, :]), (2 * k,) * 3)
            out[:] = whole.reshape(k, 2, k, 2, k, 2).transpose(0, 2, 4, 1, 3, 5)
        except BaseException as failure:
            self.failure, out[:] = failure, np.nan  # which ends the call


class MadnessTree:
    """Functions in space as piecewise polynomials. boxes, leaves, depth and norm are numbers of the tree."""

    def __init__(self, pointer: Any):
        self._pointer, self._struct = pointer, c.gws_madness_tree.from_address(pointer)

    def __del__(self) -> None:
        if not sys.is_finalizing():
            lib.gws_madness_destroy(self._pointer)

    def __repr__(self) -> str:
        return f'<graphws.MadnessTree: {self.leaves:,} leaves, depth {self.depth}, norm {self.norm:.6g}>'

    def __getattr__(self, name: str) -> Any:
        if name in ('order', 'functions', 'boxes', 'leaves', 'depth', 'norm', 'rough'):
            return getattr(self._struct, name)
        raise AttributeError(f'MadnessTree has no attribute {name!r}')

    def value(self, points: Any, function: int = 0) -> np.ndarray:
        """The values of a function at points, rows of three coordinates."""
        import numpy as np
        points = np.ascontiguousarray(points, np.float64).reshape(-1, 3)
        values, address = np.empty(len(points)), ctypes.c_double()
        for i in range(len(points)):
            if lib.gws_madness_value(self._pointer, function, points.ctypes.data + 24 * i, byref(address)):
                raise ValueError(f'there is no function {function}, or {points[i].tolist()} lies outside the cell')
            values[i] = address.value
        return values


def madness(function: Union[str, Callable[..., Any]], bodies: Any = None, low: Any = (0, 0, 0), high: Any = (1, 1, 1), order: int = 7,
            threshold: float = 1e-5, device: str = 'cpu', runtime: Optional[Runtime] = None) -> MadnessTree:
    """The tree of functions in the cell low .. high, divided until polynomials of that order meet the threshold.

    function: 'gaussian' or 'potential' of `bodies`, rows x, y, z, factor, sharpness, each a function of its own; or
    f(x, y, z), which takes arrays that broadcast against each other and returns an array."""
    import numpy as np
    runtime, problem, where, pointer = runtime or default_runtime(), c.gws_madness_problem(), c.gws_diagnostic(), ctypes.c_void_p()
    lib.gws_madness_defaults(byref(problem))
    problem.order, problem.threshold, problem.functions = order, threshold, 1
    problem.low[:], problem.high[:] = tuple(low), tuple(high)
    own: Optional[_Values] = None
    keep: List[Any] = []
    if callable(function):
        own = _Values(function, runtime)
        keep.append(c.gws_madness_values(own))
        problem.values = ctypes.cast(keep[0], ctypes.c_void_p)
    else:
        if function not in ('gaussian', 'potential'):
            raise ValueError(f"function: expected 'gaussian', 'potential' or a function; got {function!r}")
        rows = np.ascontiguousarray(bodies, np.float64).reshape(-1, 5)
        keep.append(rows)
        problem.functions, problem.context = len(rows), pointer_of(rows)
        problem.values = ctypes.cast(getattr(lib, f'gws_madness_{function}'), ctypes.c_void_p)
    if device == 'cpu':
        status = runtime.status_of(lib.gws_madness_build, runtime._pointer, byref(problem), byref(pointer), byref(where))
    else:
        status = _on_device(runtime, device, problem, pointer, where)
    if own is not None and own.failure is not None:
        raise own.failure
    if status:
        runtime.call(lambda: status, where=where)
    return MadnessTree(pointer.value)


def _on_device(runtime: Runtime, device: str, problem: Any, pointer: Any, where: Any) -> int:
    builder = ctypes.c_void_p()
    runtime.call(lib.gws_madness_device_open, runtime._pointer, runtime.device(device).pointer, problem.order, None, byref(builder),
                 byref(where), where=where)
    try:
        return runtime.status_of(lib.gws_madness_device_build, builder, byref(problem), byref(pointer), byref(where))
    finally:
        runtime.call(lambda: lib.gws_madness_device_close(builder) or 0)
