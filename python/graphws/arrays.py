# SPDX-License-Identifier: MIT
"""Arrays of the library as numpy arrays and as arrays on a device, without copies."""
from __future__ import annotations

import ctypes
import operator
import sys
from typing import TYPE_CHECKING, Any, Callable, Optional, Tuple

from ._library import lib

if TYPE_CHECKING:
    import numpy as np


class Owned:
    """A struct of the library whose arrays live as long as this object. clear: frees them."""

    __slots__ = ('struct', '_clear', '__weakref__')

    def __init__(self, struct: ctypes.Structure, clear: Callable[[Any], None]):
        self.struct, self._clear = struct, clear

    def __del__(self) -> None:
        if not sys.is_finalizing():
            self._clear(ctypes.byref(self.struct))


class _View:
    """What numpy reads to make an array over memory; the array then keeps this object, and so the owner."""

    __slots__ = ('owner', '__array_interface__')

    def __init__(self, owner: Any, pointer: int, shape: Tuple[int, ...], dtype: str, read_only: bool):
        self.owner = owner
        self.__array_interface__ = {'version': 3, 'data': (pointer, read_only), 'shape': shape, 'typestr': dtype}


def host_array(owner: Any, pointer: Optional[int], shape: Any, dtype: Any, read_only: bool = False) -> np.ndarray:
    """A numpy array over memory that owner keeps. A NULL pointer is an empty array. dtype may be structured."""
    import numpy as np
    shape = shape if isinstance(shape, tuple) else (shape,)
    if not pointer or 0 in shape:
        return np.zeros(shape, dtype)
    if isinstance(dtype, str):
        return np.asarray(_View(owner, pointer, shape, dtype, read_only))
    return np.asarray(_View(owner, pointer, (shape[0] * dtype.itemsize,), '|u1', read_only)).view(dtype)


# ---- DLPack (version 0.8 of its C structs) ----


class _DLTensor(ctypes.Structure):
    _fields_ = [('data', ctypes.c_void_p), ('device_type', ctypes.c_int32), ('device_id', ctypes.c_int32), ('ndim', ctypes.c_int32),
                ('code', ctypes.c_uint8), ('bits', ctypes.c_uint8), ('lanes', ctypes.c_uint16), ('shape', ctypes.c_void_p),
                ('strides', ctypes.c_void_p), ('byte_offset', ctypes.c_uint64)]


class _DLManagedTensor(ctypes.Structure):
    _fields_ = [('tensor', _DLTensor), ('context', ctypes.c_void_p), ('deleter', ctypes.c_void_p)]


_CODES = {'i': 0, 'u': 1, 'f': 2}
_exported: dict = {}  # address of a managed tensor: what must live until its deleter is called
_capsule = ctypes.pythonapi
_capsule.PyCapsule_New.restype = ctypes.py_object
_capsule.PyCapsule_New.argtypes = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p
_NAME = b'dltensor'


@ctypes.CFUNCTYPE(None, ctypes.c_void_p)
def _delete(tensor: int) -> None:
    _exported.pop(tensor, None)


# By address, because a destructor must not touch its capsule's count of references.
_valid = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)(('PyCapsule_IsValid', _capsule))
_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(('PyCapsule_GetPointer', _capsule))


@ctypes.CFUNCTYPE(None, ctypes.c_void_p)
def _destroy(capsule: int) -> None:
    """The destructor of a capsule: nobody has taken the tensor if the capsule still has its name."""
    if _valid(capsule, _NAME):
        _exported.pop(_pointer(capsule, _NAME), None)


_DLPACK = {'cpu': 1, 'cuda': 2, 'opencl': 4}


class DeviceArray:
    """An array in a device's memory, which the object owns until it is dropped.

    `__cuda_array_interface__` and `__dlpack__` give it to CuPy, PyTorch and others without a copy. As a numpy array
    (numpy(), indices, operators, methods of arrays) it is copied to the host once, when it is first needed."""

    __array_priority__ = 100

    def __init__(self, owner: Any, pointer: int, shape: Tuple[int, ...], dtype: str, address: str, fetch: Callable[[], np.ndarray]):
        self._owner, self._fetch = owner, fetch
        self._host: Any = None
        self.pointer, self.shape, self.typestr, self.address = pointer, shape, dtype, address
        kind, _, number = address.partition(':')
        self.kind, self.number = kind, int(number or 0)

    @property
    def dtype(self) -> np.dtype:
        """The type of an entry, of numpy."""
        import numpy as np
        return np.dtype(self.typestr)

    def numpy(self) -> np.ndarray:
        """A copy on the host; every call returns the same one."""
        if self._host is None:
            self._host = self._fetch()
        return self._host

    @property
    def __cuda_array_interface__(self) -> dict:
        if self.kind != 'cuda':
            raise AttributeError(f'the array is on {self.address}, which is no CUDA device')
        return {'version': 3, 'data': (self.pointer, False), 'shape': self.shape, 'typestr': self.typestr, 'stream': None}

    def __dlpack_device__(self) -> Tuple[int, int]:
        return _DLPACK[self.kind], self.number

    def __dlpack__(self, *, stream: Any = None, max_version: Any = None, dl_device: Any = None, copy: Any = None) -> Any:
        if copy or (dl_device is not None and tuple(dl_device) != self.__dlpack_device__()):
            raise BufferError('the array is given as it is, without a copy')
        shape = (ctypes.c_int64 * len(self.shape))(*self.shape)
        tensor = _DLManagedTensor(
            _DLTensor(self.pointer, *self.__dlpack_device__(), len(self.shape), _CODES[self.typestr[1]], 8 * int(self.typestr[2:]),
                      1, ctypes.addressof(shape), None, 0), None, ctypes.cast(_delete, ctypes.c_void_p))
        address = ctypes.addressof(tensor)
        _exported[address] = tensor, shape, self
        return _capsule.PyCapsule_New(address, _NAME, ctypes.cast(_destroy, ctypes.c_void_p))

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        host = self.numpy()
        return host.astype(dtype) if (dtype is not None and dtype != host.dtype) or copy else host

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, index: Any) -> Any:
        return self.numpy()[index]

    def __iter__(self) -> Any:
        return iter(self.numpy())

    def __getattr__(self, name: str) -> Any:
        if name.startswith('_'):
            raise AttributeError(name)
        return getattr(self.numpy(), name)

    def __repr__(self) -> str:
        return f'<graphws.DeviceArray on {self.address}: {self.shape}, {self.typestr}>'


def _delegate(name: str) -> Callable:
    function = getattr(operator, name)
    return lambda self, other: function(self.numpy(), other)


for _operator in ('eq', 'ne', 'lt', 'le', 'gt', 'ge', 'add', 'sub', 'mul', 'truediv', 'floordiv', 'mod', 'and_', 'or_', 'xor'):
    setattr(DeviceArray, f'__{_operator.rstrip("_")}__', _delegate(_operator))
DeviceArray.__hash__ = None  # type: ignore[assignment]


def buffer_array(owner: Any, buffer: int, shape: Any, dtype: str, address: str, fetch: Callable[[], np.ndarray]) -> DeviceArray:
    """The array of a buffer of the library."""
    shape = shape if isinstance(shape, tuple) else (shape,)
    return DeviceArray(owner, lib.gws_device_buffer_native(buffer), shape, dtype, address, fetch)


# ---- arrays of the caller ----


def pointer_of(array: Optional[np.ndarray]) -> Optional[int]:
    return None if array is None else array.ctypes.data


def integers(values: Any, name: str, wide: Optional[bool] = None) -> np.ndarray:
    """Whole numbers from 0 as a contiguous array of unsigned integers, of 64 bits if wide; None: if they do not fit in 32.
    Arrays of that size are not copied."""
    import numpy as np
    array = np.asarray(values)
    if array.size == 0:
        array = array.astype(np.uint32)
    if array.dtype.kind not in 'iu':
        raise TypeError(f'{name}: expected integers, got {array.dtype}')
    if array.dtype.kind == 'i' and array.size and array.min() < 0:
        raise ValueError(f'{name}: {array.min()} is negative')
    if wide is None:
        wide = bool(array.dtype.itemsize == 8 and array.size and int(array.max()) >= 2**32)
    kind = np.dtype(np.uint64 if wide else np.uint32)
    if array.dtype.kind == 'i' and array.dtype.itemsize == kind.itemsize and array.flags.c_contiguous:
        return array.view(kind)
    return np.ascontiguousarray(array, kind)


def weights_of(values: Any) -> np.ndarray:
    """Weights as int32 if all are 32-bit integers, otherwise as float32. Arrays of these types are not copied."""
    import numpy as np
    array = np.asarray(values)
    if array.dtype.kind not in 'iufb':
        raise TypeError(f'weight: expected numbers, got {array.dtype}')
    if array.dtype in (np.int32, np.float32):
        return np.ascontiguousarray(array)
    if array.dtype.kind == 'f' and not np.isfinite(array).all():
        raise ValueError('weight: expected finite numbers')
    low, high = (array.min(), array.max()) if array.size else (0, 0)
    if -2**31 <= low and high < 2**31 and (array.dtype.kind != 'f' or (np.floor(array) == array).all()):
        return array.astype(np.int32)
    return array.astype(np.float32)
