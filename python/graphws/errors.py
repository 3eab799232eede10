# SPDX-License-Identifier: MIT
"""Exceptions. Every failure of the library is a GraphwsError. Each class is also the built-in exception of its meaning."""
from __future__ import annotations

import os
from typing import Optional

from . import _declarations as c


class GraphwsError(Exception):
    """A failure of the library.

    status: its name in lib/status.h, such as 'SYNTAX'. file, line, column: the place in an input; line and column count
    from 1, and are None where there is none. message: what was found and expected."""

    def __init__(self, status: str, message: str, file: Optional[str] = None, line: Optional[int] = None,
                 column: Optional[int] = None):
        place = ':'.join(str(part) for part in (file, line, column) if part is not None)
        super().__init__(f'{place}: {message}' if place else message)
        self.status, self.message, self.file, self.line, self.column = status, message, file, line, column

    def __str__(self) -> str:
        return self.args[0]  # OSError would add its own parts


class GraphwsValueError(GraphwsError, ValueError):
    """An invalid argument, or malformed input."""


class GraphwsOverflowError(GraphwsError, OverflowError):
    """A size that overflows, or exceeds a limit."""


class GraphwsMemoryError(GraphwsError, MemoryError):
    """Not enough memory."""


class GraphwsOSError(GraphwsError, OSError):
    """An error of the operating system."""


class GraphwsFileNotFoundError(GraphwsOSError, FileNotFoundError):
    """There is no such file."""


class GraphwsUnsupportedError(GraphwsError, NotImplementedError):
    """This build, device or format does not support the operation."""


class GraphwsDeviceError(GraphwsError, RuntimeError):
    """A device failed or did not answer in time."""


CLASSES = {'INVALID': GraphwsValueError, 'OUT_OF_RANGE': GraphwsValueError, 'SYNTAX': GraphwsValueError,
           'TRUNCATED': GraphwsValueError, 'CORRUPT': GraphwsValueError, 'UNKNOWN_FORMAT': GraphwsValueError,
           'TOO_LARGE': GraphwsOverflowError, 'NO_MEMORY': GraphwsMemoryError, 'SYSTEM': GraphwsOSError,
           'UNSUPPORTED': GraphwsUnsupportedError, 'DEVICE': GraphwsDeviceError}
NAMES = {getattr(c, f'GWS_{name}'): name for name in (*CLASSES, 'OK', 'NEEDS_REVERSE', 'WRONG_RESULT', 'BUSY', 'CANCELLED')}


def of_status(status: int, text: str, where: Optional[c.gws_diagnostic], file: Optional[str] = None) -> GraphwsError:
    """The exception for a status. text: the status's own text; where: the library's details, or None."""
    name = NAMES.get(status, str(status))
    message = where.message.decode(errors='replace') if where is not None else ''
    if where is not None and where.file:
        file = where.file.decode(errors='replace')
    kind = CLASSES.get(name, GraphwsError)
    if kind is GraphwsOSError and file is not None and not os.path.exists(file):
        kind = GraphwsFileNotFoundError
    return kind(name, message or text, file, (where.line or None) if where else None, (where.column or None) if where else None)
