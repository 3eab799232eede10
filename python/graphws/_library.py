# SPDX-License-Identifier: MIT
"""Loads the library, and binds a function when it is first called.

The library is, in this order: the path in GRAPHWS_LIBRARY; a copy in this folder, as in a wheel; the one that was built
or installed with this package; the one that the system's linker finds."""
from __future__ import annotations

import ctypes
import os
from pathlib import Path
from typing import Any, Optional

from . import _declarations as c

FOLDER = Path(__file__).resolve().parent
SONAME = f'libgraphws.so.{c.VERSION.partition(".")[0]}'


def _path() -> str:
    if 'GRAPHWS_LIBRARY' in os.environ:
        return os.environ['GRAPHWS_LIBRARY']
    for path in (FOLDER / 'lib' / SONAME, Path(c.LIBRARY)):
        if path.is_file():
            return str(path)
    return SONAME


class _Library:
    """Functions of the library as attributes, with the types of the headers."""

    def __init__(self) -> None:
        self._main: Optional[ctypes.CDLL] = None
        self._workloads: Optional[ctypes.CDLL] = None

    def _load(self) -> None:
        path = _path()
        try:
            main = ctypes.CDLL(path)
        except OSError as error:
            raise ImportError(f'graphws: the library does not load: {error}') from error
        main.gws_version.restype = ctypes.c_char_p
        version = main.gws_version().decode()
        if version != c.VERSION:
            raise ImportError(f'graphws: the package is of version {c.VERSION}, and {path} of version {version}')
        self._main = main

    def __getattr__(self, name: str) -> Any:
        try:
            result, arguments = c.FUNCTIONS[name]
        except KeyError:
            raise AttributeError(name) from None
        if self._main is None:
            self._load()
        of = self._main
        if name.startswith(('gws_bpc', 'gws_uts')):
            # The workloads need the library, which is already loaded.
            of = self._workloads = self._workloads or ctypes.CDLL(str(FOLDER / 'lib' / 'workloads.so'))
        function = getattr(of, name)
        function.restype, function.argtypes = result, arguments
        setattr(self, name, function)
        return function


lib = _Library()
