#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""graphws distances: known values on paths and grids, sources, --hops, tables, memory, errors."""
import collections
import os
import shutil
import subprocess
import unittest

from tool import BUILD, SOURCE, ToolTest, read_npy, skip, strict_json

# Searches from a wrong vertex in one call; the second call of a run makes the rows of --out.
BROKEN_BATCH = '''
#include <stdlib.h>
#include "graphws.h"
gws_status broken_batch(struct gws_runtime *r, const struct gws_graph *g, const uint32_t *source, uint64_t count, bool wide,
                        gws_bfs_batch_visit *visit, void *context)
{
    static int call;
    uint32_t wrong[64];
    for (uint64_t i = 0; i < count; i++) wrong[i] = source[i];
    if (++call == atoi(getenv("BROKEN_CALL"))) wrong[count - 1]--;
    return gws_bfs_batch(r, g, wrong, count, wide, visit, context);
}
'''


class Distances(ToolTest):
    def rows(self, *arguments):
        """Returns the rows of the table as tuples of text, without the head."""
        lines = self.good('graphws', 'distances', *arguments, '--out=-', '--quiet', '--verify').splitlines()
        self.assertEqual(lines[0], 'source,vertex,distance')
        return [tuple(line.split(',')) for line in lines[1:]]

    def find(self, *arguments):
        found = self.json('graphws', 'distances', *arguments, '--verify')
        self.assertEqual((found['algorithm'], found['verified']), ('distances', True))
        self.assertEqual(found['reached'], sum(found['histogram']))
        self.assertEqual(found['max_distance'], max(len(found['histogram']) - 1, 0))
        return found

    # ---- known values ----

    def test_path(self):
        edges = self.edge_list('path.el', [(i, i + 1) for i in range(1, 100)])
        found = self.find(edges, '--undirected')
        self.assertEqual(found['histogram'], [100] + [2 * (100 - d) for d in range(1, 100)])
        self.assertAlmostEqual(found['mean_distance'], 101 / 3, places=3)
        found = self.find(edges, '--directed', '--repeat=2', '--warmup=1')
        self.assertEqual((found['sources'], found['histogram']), (100, [100 - d for d in range(100)]))
        self.assertEqual(len(found['runs']), 2)

    def test_grid(self):
        places = [(x, y) for x in range(30) for y in range(20)]
        wanted = collections.Counter(abs(x - u) + abs(y - v) for x, y in places for u, v in places)
        for threads in (1, 3):
            found = self.find('grid:30x20', f'--threads={threads}')
            self.assertEqual(found['histogram'], [wanted[d] for d in range(49)])
        found = self.find('grid:30x20', '--hops=7')
        self.assertEqual((found['hops'], found['histogram']), (7, [wanted[d] for d in range(8)]))

    def test_batches(self):
        """The pairs do not depend on how many sources share a batch."""
        alone = collections.Counter()
        sources = [str(7 * i % 600) for i in range(70)]
        for count in (1, 64, 65, 70):
            rows = self.rows('grid:30x20', '--sources=' + ','.join(sources[:count]))
            self.assertEqual(len(rows), 600 * count)
            order = {source: i for i, source in enumerate(sources)}
            self.assertEqual(rows, sorted(rows, key=lambda row: (order[row[0]], int(row[2]), int(row[1]))))
            for source, vertex, distance in rows:
                s, v = int(source), int(vertex)
                self.assertEqual(int(distance), abs(s % 30 - v % 30) + abs(s // 30 - v // 30))
            alone[count] = [row for row in rows if row[0] == '0']
        self.assertEqual(len({tuple(rows) for rows in alone.values()}), 1)

    def test_hops_end_every_batch(self):
        found = self.find('grid:40x40', '--hops=1')
        self.assertEqual((found['sources'], found['histogram']), (1600, [1600, 2 * 2 * 40 * 39]))
        self.assertEqual(len(self.rows('grid:40x40', '--hops=1')), 1600 + 2 * 2 * 40 * 39)

    def test_device(self):
        usable = [device['device'] for device in self.json('gdevices')['devices'] if not device['unusable']]
        if not usable:
            skip('graphws distances on a device: there is none')
            return
        edges = self.edge_list('a.el', [(1, 2), (2, 3), (8, 9), (3, 1), (3, 4)])
        for arguments in ([edges, '--directed'], ['grid:300x3', '--samples=70', '--hops=260'], ['grid:20x20', '--hops=3']):
            here = self.find(*arguments, '--repeat=2')
            there = self.find(*arguments, '--repeat=2', '--device', usable[0])
            self.assertEqual(there['devices'], [usable[0]])
            for key in ('sources', 'reached', 'max_distance', 'mean_distance', 'histogram'):
                self.assertEqual(here[key], there[key])
            self.assertEqual(self.rows(*arguments), self.rows(*arguments, '--device', usable[0]))
        none = self.write('none.el', '')
        self.assertEqual(self.find(none, '--device', usable[0])['sources'], 0)
        self.assertEqual(self.rows(none, '--device', usable[0]), [])

    # ---- sources ----

    def test_names(self):
        edges = self.write('n.csv', 'from,to\na,b\nb,c\nx,y\n')
        self.assertEqual(self.rows(edges, '--sources=x,a', '--undirected'),
                         [('x', 'x', '0'), ('x', 'y', '1'), ('a', 'a', '0'), ('a', 'b', '1'), ('a', 'c', '2')])
        self.assertIn("no vertex 'q'", self.bad(1, 'graphws', 'distances', edges, '--sources=a,q'))

    def test_ids_with_gaps(self):
        edges = self.edge_list('a.el', [(5, 9), (9, 5), (9, 100), (100, 9)])
        self.assertEqual(self.rows(edges, '--sources=100'), [('100', '100', '0'), ('100', '9', '1'), ('100', '5', '2')])
        sources = self.write('s.ss', 'p aux sp ss 2\ns 9\ns 9\n')
        self.assertEqual(self.rows(edges, '--sources', sources), 2 * [('9', '9', '0'), ('9', '5', '1'), ('9', '100', '1')])

    def test_samples(self):
        found = self.find('kron:10', '--samples=20', '--seed=3')
        self.assertEqual((found['sources'], found['samples'], found['histogram'][0]), (20, 20, 20))
        rows = self.rows('kron:10', '--samples=20', '--seed=3')
        self.assertEqual((len(rows), len({row[0] for row in rows})), (found['reached'], 20))
        self.assertNotEqual(rows, self.rows('kron:10', '--samples=20', '--seed=4'))
        self.assertEqual(self.find('grid:5x5', '--samples=1000')['sources'], 25)

    def test_wrong_sources(self):
        empty = self.write('none.ss', 'p aux sp ss 0\n')
        for status, sources, said in ((1, '3,99', "no vertex '99'"), (2, '3,,4', "got ''"), (2, 'a', "got 'a'"),
                                      (2, '3,99999999999999999999999', "got '9999"), (2, '-1', "got '-1'"),
                                      (1, 'missing.ss', 'missing.ss: cannot open'), (1, empty, 'empty')):
            self.assertIn(said, self.bad(status, 'graphws', 'distances', 'grid:3x3', f'--sources={sources}'), sources)
        self.assertIn(':2:', self.bad(1, 'graphws', 'distances', 'grid:3x3', '--sources',
                                      self.write('s.ss', 'p aux sp ss 1\ns 77\n')))
        self.assertIn('--samples', self.bad(2, 'graphws', 'distances', 'grid:3x3', '--sources=1', '--samples=2'))
        self.assertIn('--seed', self.bad(2, 'graphws', 'distances', 'grid:3x3', '--seed=2', '--policy=static'))
        self.assertIn('same file', self.bad(2, 'graphws', 'distances', 'grid:3x3', '--sources', empty, '--trace', empty))

    # ---- output ----

    def test_text(self):
        text = self.good('graphws', 'distances', 'grid:5x4', '--verify')
        self.assertIn('reached   400 pairs from 20 sources, distances up to 7, mean 3\n', text)
        self.assertRegex(text, r'\n +distance +pairs\n +0 +20\n +1 +62\n')
        self.assertRegex(self.good('graphws', 'distances', 'grid:300x1', '--sources=0'), r'\n +0-14 +15\n +15-29 +15\n')

    def test_top_and_plot(self):
        found = self.find('grid:5x1', '--sources=2,1,0', '--top=2')
        self.assertEqual(found['top'], [{'id': 0, 'value': 4}, {'id': 1, 'value': 3}])
        for graph in ('grid:5x4', 'grid:200x2'):
            self.good('graphws', 'distances', graph, '--plot', str(self.folder / 'x.svg'), '--quiet')
            self.assertIn('pairs', (self.folder / 'x.svg').read_text())

    def test_tables(self):
        edges = self.edge_list('a.el', [(1, 2), (2, 1)])
        out = self.folder / 'x.npy'
        self.good('graphws', 'distances', edges, '--out', str(out), '--quiet', '--repeat=3', '--verify')
        names, rows = read_npy(out.read_bytes())
        self.assertEqual((names, rows), (['source', 'vertex', 'distance'], [(1, 1, 0), (1, 2, 1), (2, 2, 0), (2, 1, 1)]))

    def test_memory(self):
        """Only --out needs memory for each pair."""
        arguments = ['distances', 'kron:12', '--samples=2000', '--max-memory=8M']
        self.good('graphws', *arguments, '--quiet')
        out = self.folder / 'x.csv'
        self.assertRegex(self.bad(1, 'graphws', *arguments, '--out', str(out)), 'rows of --out need [0-9.]+ MB')
        self.assertFalse(out.exists())

    def test_empty(self):
        none = self.write('none.el', '')
        found = self.find(none)
        self.assertEqual((found['sources'], found['reached'], found['mean_distance']), (0, 0, None))
        self.assertEqual(self.rows(none, '--samples=3', '--hops=1'), [])
        self.assertEqual(self.find('grid:1x1')['histogram'], [1])


class Wrong(ToolTest):
    def build(self):
        compiler = shutil.which('cc') or shutil.which('gcc')
        if os.environ.get('GRAPHWS_SAN') or compiler is None:
            skip('distances that fail their check: needs a C compiler and a plain build')
            return None
        broken, tool = self.write('broken.c', BROKEN_BATCH), self.folder / 'graphws'
        sources = [SOURCE / 'tools/graphws.c', *sorted((SOURCE / 'tools/common').glob('*.c')),
                   SOURCE / 'tools/common/adapter/none.c', *sorted((SOURCE / 'tools/gbfs').glob('*.c')),
                   *(path for path in sorted((SOURCE / 'tools/graphws').glob('*.c')) if path.name != 'distances.c')]
        flags = ['-std=c11', '-I', SOURCE]
        part = self.folder / 'distances.o'
        subprocess.run([compiler, *flags, '-Dgws_bfs_batch=broken_batch', '-c', SOURCE / 'tools/graphws/distances.c', '-o', part], check=True, timeout=100)
        subprocess.run([compiler, *flags, *sources, part, broken, BUILD / 'lib/libgraphws.so',
                        f'-Wl,-rpath,{BUILD.resolve() / "lib"}', '-lz', '-lm', '-o', tool], check=True, timeout=100)
        return tool

    def test_status_3(self):
        tool, out = self.build(), self.folder / 'x.csv'
        for call, said in ((1, b'a search finds other distances'), (2, b'a row has a wrong distance'), (3, b'')) if tool else ():
            run = subprocess.run([tool, 'distances', 'grid:9x1', '--sources=0,4,8', '--verify', '--json', '--out', out],
                                 capture_output=True, check=False, timeout=60, env={**os.environ, 'BROKEN_CALL': str(call)})
            self.assertEqual((run.returncode, said in run.stderr), (3 if said else 0, True), run.stderr)
            self.assertEqual((strict_json(run.stdout.decode())['verified'], out.exists()), (not said, not said))


if __name__ == '__main__':
    unittest.main()
