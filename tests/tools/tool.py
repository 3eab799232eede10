# SPDX-License-Identifier: MIT
"""Shared code of the tools' tests: runs the tools, reads their outputs, and has a serial search as an oracle."""
import ast
import collections
import csv
import gzip
import json
import os
import pty
import signal
import struct
import subprocess
import tempfile
import unittest
from pathlib import Path

import schema

SOURCE = Path(os.environ.get('GRAPHWS_SOURCE', Path(__file__).resolve().parents[2]))
BUILD = Path(os.environ.get('GRAPHWS_BUILD', SOURCE / 'build'))
LIMIT = 120  # seconds for one call, far more than needed
# A shell without job control starts `tests/run &` with SIGINT ignored, and the tools would ignore it, too.
signal.signal(signal.SIGINT, signal.default_int_handler)
# For tests that would take long with sanitizers and run no C code that other tests do not run with them.
without_sanitizers = unittest.skipIf(os.environ.get('GRAPHWS_SAN'), 'tested without sanitizers')


def some(cases):
    """The cases; with sanitizers, every third one."""
    return list(cases)[::3] if os.environ.get('GRAPHWS_SAN') else list(cases)


def datasets():
    """Returns the folder of real data sets, or None."""
    path = Path(os.environ.get('GRAPHWS_DATASETS', SOURCE.parent / 'shared' / 'datasets'))
    return path if path.is_dir() else None


def skip(what):
    """Prints, at the start of a line, the part of a test that is skipped."""
    print(f'\nskipped: {what}', flush=True)


def on_terminal(words, **options):
    """Runs a command that succeeds, and returns what it writes to standard error, which is a terminal."""
    try:
        reader, writer = pty.openpty()
    except OSError as why:
        raise unittest.SkipTest(f'no terminal to be had: {why}') from why
    with os.fdopen(reader, 'rb', buffering=0) as screen:
        with os.fdopen(writer, 'wb') as error:
            subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=error, timeout=LIMIT, **options)
            error.write(b'end')
        shown = b''
        while not shown.endswith(b'end'):
            shown += screen.read(4096)
    return shown[:-3]


class ToolTest(unittest.TestCase):
    """Each test has an empty folder, self.folder."""

    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)

    def write(self, name, content):
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    def edge_list(self, name, edges, head=''):
        return self.write(name, head + ''.join(f'{u} {v}\n' for u, v in edges))

    def run_tool(self, tool, *arguments, **options):
        if 'input' not in options:
            options.setdefault('stdin', subprocess.DEVNULL)
        return subprocess.run([BUILD / 'bin' / tool, *arguments], capture_output=True, timeout=LIMIT, check=False,
                              **options)

    def good(self, tool, *arguments, **options):
        """Returns the standard output of the tool, which must succeed without messages."""
        run = self.run_tool(tool, *arguments, **options)
        self.assertEqual((run.returncode, run.stderr.decode()), (0, ''), arguments)
        return run.stdout.decode()

    def bad(self, status, tool, *arguments, **options):
        """Returns the error message of the tool, which must be one line, with empty standard output."""
        run = self.run_tool(tool, *arguments, **options)
        complaint = run.stderr.decode(errors='replace')
        self.assertEqual((run.returncode, run.stdout), (status, b''), (arguments, complaint))
        self.assertTrue(complaint.startswith(tool + ': '), complaint)
        self.assertEqual(complaint.count('\n'), 1, complaint)
        return complaint

    def json(self, tool, *arguments, **options):
        """Returns the JSON output of the tool, which must conform to its schema in docs/schemas."""
        found = strict_json(self.good(tool, *arguments, '--json', **options))
        self.assertEqual(schema.problems(found, tool), [], arguments)
        return found

    def check_times(self, times):
        """Checks that the parts of a device run's time add up and that none is negative."""
        parts = [times[part] for part in ('upload_ms', 'prepare_ms', 'ms', 'fetch_ms')]
        self.assertTrue(min(parts) >= 0 and times['ms'] > 0 and times['translate_ms'] > 0, times)
        self.assertAlmostEqual(sum(parts), times['total_ms'], delta=1e-4 * sum(parts))

    def search(self, graph, *arguments):
        """Returns the table of `gbfs --out` as {vertex: (depth, parent)}; both are None for an unreached vertex."""
        out = self.folder / 'search.csv'
        self.good('gbfs', graph, '--quiet', '--out', out, *arguments)
        return read_rows(out.read_text(), ',')


def strict_json(text):
    """Parses the one object in text; refuses NaN, infinities and duplicate keys."""

    def refuse(constant):
        raise ValueError(constant)

    def unique(pairs):
        if len(dict(pairs)) != len(pairs):
            raise ValueError('a key comes twice')
        return dict(pairs)

    return json.loads(text, parse_constant=refuse, object_pairs_hook=unique)


def read_rows(text, separator):
    rows = list(csv.reader(text.splitlines(), delimiter=separator))
    if rows[0] != ['vertex', 'depth', 'parent']:
        raise ValueError(rows[0])
    table = {int(v): (int(d) if d else None, int(p) if p else None) for v, d, p in rows[1:]}
    if len(table) != len(rows) - 1:
        raise ValueError('a vertex comes twice')
    return table


def read_npy(data):
    """Reads a structured .npy array of int64. Returns the names and the rows."""
    if data[:6] != b'\x93NUMPY':
        raise ValueError('no .npy')
    start = 10 if data[6] == 1 else 12
    length = int.from_bytes(data[8:start], 'little')
    head = ast.literal_eval(data[start:start + length].decode())
    if head['fortran_order'] or (start + length) % 64 or any(kind != '<i8' for _, kind in head['descr']):
        raise ValueError(head)
    rows = list(struct.iter_unpack('<' + 'q' * len(head['descr']), data[start + length:]))
    if head['shape'] != (len(rows),):
        raise ValueError(head)
    return [name for name, _ in head['descr']], rows


def contents(path):
    data = Path(path).read_bytes()
    return gzip.decompress(data) if str(path).endswith('.gz') else data


def read_trace(test, path):
    """Reads and checks a file of --trace. Returns {'policy', 'lost', 'tracks': {name of the thread: its slices in order}}."""
    found = strict_json(contents(path).decode())
    names, tracks = {}, {}
    for event in found['traceEvents']:
        test.assertEqual(event['pid'], 1)
        if event['name'] == 'thread_name':
            names[event['tid']] = event['args']['name']
            tracks[event['args']['name']] = []
        elif event['ph'] == 'X':
            test.assertIn(event['name'], ('busy', 'idle', 'steal'))
            tracks[names[event['tid']]].append(event)
    for track in tracks.values():
        for before, after in zip(track, track[1:]):
            test.assertGreaterEqual(after['ts'] + 0.002, before['ts'] + before['dur'])
    test.assertEqual(len(tracks), found['otherData']['workers'])
    return {'policy': found['otherData']['policy'], 'lost': found['otherData']['slices_lost'], 'tracks': tracks}


def neighbours(edges, undirected):
    table = collections.defaultdict(set)
    for u, v in edges:
        table[u].add(v)
        table[v].update([u] if undirected else [])
    return table


def depths(table, source):
    """Searches serially breadth first. Returns {vertex: depth} of the reached vertices."""
    depth, queue = {source: 0}, collections.deque([source])
    while queue:
        u = queue.popleft()
        for v in table[u]:
            if v not in depth:
                depth[v] = depth[u] + 1
                queue.append(v)
    return depth


def check_search(test, found, table, source):
    """Checks that found, from ToolTest.search(), is a correct search of the neighbours in table."""
    expected = depths(table, source)
    test.assertEqual({v: depth for v, (depth, _) in found.items() if depth is not None}, expected)
    for v, (depth, parent) in found.items():
        if depth is None:
            test.assertIsNone(parent)
        elif v == source:
            test.assertEqual((depth, parent), (0, source))
        else:
            test.assertIn(v, table[parent])
            test.assertEqual(expected[parent], depth - 1)
