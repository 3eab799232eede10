# SPDX-License-Identifier: MIT
"""Shared code of the tests of the Python package: finds the built package, and says why its tests are skipped."""
import os
import random
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(os.environ.get('GRAPHWS_SOURCE', Path(__file__).resolve().parents[2]))
BUILD = Path(os.environ.get('GRAPHWS_BUILD', SOURCE / 'build')).resolve()
FOLDER = BUILD / 'python'
sys.path.insert(0, str(FOLDER))
sys.path.insert(0, str(SOURCE / 'site_scons'))

try:
    import numpy as np
except ImportError:
    np = None
    # SCons may run under a Python without numpy where the system's Python has it.
    SYSTEM = '/usr/bin/python3'
    if 'GRAPHWS_TEST_PYTHON' not in os.environ and os.access(SYSTEM, os.X_OK) and subprocess.run(
            [SYSTEM, '-c', 'import numpy'], stderr=subprocess.DEVNULL, check=False).returncode == 0:
        os.execve(SYSTEM, [SYSTEM, '-B', *sys.argv], {**os.environ, 'GRAPHWS_TEST_PYTHON': SYSTEM})


def why_not():
    """The reason to skip the tests, or None."""
    if not (FOLDER / 'graphws' / '_declarations.py').is_file():
        return 'the build has no Python package'
    return None if np else 'numpy is not installed'


gw = None
if not why_not():
    import graphws as gw


def library(name):
    """A library to compare with, or None."""
    try:
        return __import__(name)
    except ImportError:
        return None


if why_not():
    print(f'skipped: the tests of the Python package: {why_not()}', flush=True)


@unittest.skipIf(why_not(), why_not())
class PackageTest(unittest.TestCase):
    """Each test has an empty folder, self.folder."""

    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return str(self.folder / name)

    def same(self, found, wanted):
        self.assertEqual(np.asarray(found).tolist(), np.asarray(wanted).tolist())


def random_edges(seed, vertices=30, edges=60):
    """(vertices, [(u, v, weight)]), every edge once."""
    draw = random.Random(seed)
    found = {}
    for _ in range(edges):
        u, v = draw.randrange(vertices), draw.randrange(vertices)
        if (v, u) not in found:
            found[u, v] = draw.randrange(1, 9)
    return vertices, [(u, v, weight) for (u, v), weight in sorted(found.items())]


def neighbours_of(vertices, edges, directed):
    """{vertex: {neighbour: weight}}."""
    rows = {v: {} for v in range(vertices)}
    for u, v, weight in edges:
        rows[u][v] = weight
        if not directed:
            rows[v][u] = weight
    return rows


def shortest(rows, source, hops=False):
    """{vertex: distance}, by Bellman and Ford."""
    found = {source: 0}
    changed = True
    while changed:
        changed = False
        for u in list(found):
            for v, weight in rows[u].items():
                if found[u] + (1 if hops else weight) < found.get(v, float('inf')):
                    found[v] = found[u] + (1 if hops else weight)
                    changed = True
    return found
