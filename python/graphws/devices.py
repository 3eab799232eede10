# SPDX-License-Identifier: MIT
"""The devices of this machine."""
from __future__ import annotations

from ctypes import addressof, byref, c_char_p, c_uint32, c_void_p
from typing import Dict, List, NamedTuple, Optional

from . import _declarations as c
from ._library import lib
from .runtime import Runtime, default_runtime


class DeviceInfo(NamedTuple):
    """A device. address: the name for device=, such as 'cuda:0'; unusable: why it cannot be used, or ''; units: compute
    units; memory: bytes."""

    address: str
    name: str
    vendor: str
    driver: str
    unusable: str
    type: str
    units: int
    memory: int


def devices(runtime: Optional[Runtime] = None) -> List[DeviceInfo]:
    """The OpenCL and CUDA devices."""
    runtime, capacity = runtime or default_runtime(), 64
    found, count = (c.gws_device_info * capacity)(), c_uint32()
    lib.gws_device_list(runtime._pointer, addressof(found), capacity, byref(count))
    types = {c.GWS_DEVICE_CPU: 'cpu', c.GWS_DEVICE_GPU: 'gpu'}

    def text(raw: bytes) -> str:
        return raw.decode(errors='replace')

    return [DeviceInfo(text(one.address), text(one.name), text(one.vendor), text(one.driver), text(one.unusable),
                       types.get(one.type, 'other'), one.units, one.memory) for one in found[:min(count.value, capacity)]]


def missing_kinds() -> Dict[str, str]:
    """{kind of device: why there are none}, such as {'cuda': 'this build has no CUDA'}."""
    found: Dict[str, str] = {}
    i = 0
    while True:
        off = c_char_p()
        name = lib.gws_device_kind_at(i, None, byref(off))
        if name is None:
            return found
        if off.value is not None:
            found[name.decode()] = off.value.decode()
        i += 1
