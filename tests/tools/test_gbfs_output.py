#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""gbfs: output on the terminal and in files."""
import os
import re
import unittest

from tool import BUILD, ToolTest, check_search, contents, depths, neighbours, on_terminal, read_npy, read_rows, read_trace

# Two components and sparse ids; in the directed graph no arc leaves 900.
EDGES = [(7, 10), (10, 500), (500, 7), (500, 900), (7, 5_000_000_000), (20, 30), (30, 20), (10, 7)]
VERTICES = sorted({v for edge in EDGES for v in edge})

MEMBERS = {'graph': dict, 'algorithm': str, 'load_ms': float, 'reverse_ms': float, 'policy': str, 'victim': (str, type(None)),
           'amount': (str, type(None)), 'threads': int, 'devices': list, 'chunk': int, 'direction': str, 'runs': list, 'ms': dict, 'gteps': float, 'verified': (bool, type(None)),
           'workers': list, 'level_sizes': list, 'version': str, 'seed': int}
WORKER = {'device': str, 'worker': int, 'tasks': int, 'stolen': int, 'steals': int, 'failed_steals': int,
          'aborted_steals': int, 'queue_high_water': int, 'efficiency': float, 'idle_ms': float, 'busy_ms': float}
RUN = {'source': int, 'reached': int, 'levels': int, 'ms': float}
GRAPH = {'name': str, 'vertices': int, 'arcs': int, 'directed': bool}


class Json(ToolTest):
    def has(self, value, members):
        self.assertEqual(set(value), set(members))
        for name, kind in members.items():
            self.assertIsInstance(value[name], (int, float) if kind is float else kind, name)

    def test_members(self):
        found = self.json('gbfs', 'grid:10x7', '--source=0', '--repeat=3', '--threads=2', '--chunk=4', '--verify',
                          '--policy=split', '--direction=top-down', '--seed=5')
        self.has(found, MEMBERS)
        self.has(found['graph'], GRAPH)
        self.assertEqual(found['graph'], {'name': 'grid:10x7', 'vertices': 70, 'arcs': 246, 'directed': False})
        self.assertEqual((found['policy'], found['threads'], found['chunk'], found['devices'], found['direction'],
                          found['seed'], found['verified']), ('split', 2, 4, ['cpu'], 'top-down', 5, True))
        self.assertEqual(len(found['runs']), 3)
        for run in found['runs']:
            self.has(run, RUN)
            self.assertEqual((run['source'], run['reached'], run['levels']), (0, 70, 16))
        self.assertEqual((found['victim'], found['amount']), (None, None))
        self.assertEqual([worker['worker'] for worker in found['workers']], [0, 1])
        for worker in found['workers']:
            self.has(worker, WORKER)
        self.assertEqual(sum(found['level_sizes']), 70)
        self.assertEqual(len(found['level_sizes']), 16)

    def test_times(self):
        found = self.json('gbfs', 'kron:10', '--repeat=6')
        times = sorted(run['ms'] for run in found['runs'])
        self.assertAlmostEqual(found['ms']['min'], times[0], delta=1e-4 * times[0])
        self.assertAlmostEqual(found['ms']['median'], (times[2] + times[3]) / 2, delta=1e-4 * times[3])
        self.assertAlmostEqual(found['ms']['mean'], sum(times) / 6, delta=1e-4 * times[5])
        self.assertAlmostEqual(found['ms']['max'], times[5], delta=1e-4 * times[5])

    def test_edges_a_second_count_undirected_edges_once(self):
        for options, edges in (([], 6), (['--undirected'], 6)):
            path = self.edge_list('path.el', [(i, i + 1) for i in range(6)])
            found = self.json('gbfs', path, '--source=0', *options)
            self.assertAlmostEqual(found['gteps'] * found['ms']['mean'] * 1e6, edges, delta=1e-3 * edges)

    def test_only_what_is_reached_counts(self):
        path = self.edge_list('two.el', [(0, 1), (5, 6), (6, 7)])
        found = self.json('gbfs', path, '--source=0', '--direction=top-down')
        self.assertAlmostEqual(found['gteps'] * found['ms']['mean'] * 1e6, 1, delta=1e-3)

    def test_verified_is_null_without_the_option(self):
        self.assertIsNone(self.json('gbfs', 'grid:3x3')['verified'])

    def test_levels(self):
        found = self.json('gbfs', 'grid:4x4', '--source=0', '--levels', '--direction=bottom-up')
        self.assertEqual([level['size'] for level in found['levels']], found['level_sizes'])
        self.assertEqual({level['direction'] for level in found['levels']}, {'bottom-up'})
        self.has(found['levels'][0], {'size': int, 'direction': str, 'workers': int, 'ms': float})

    def test_names_are_escaped(self):
        folder = os.fsencode(self.folder)
        for name, shown in ((b'a"b\\c.el', 'a"b\\c.el'), (b'tab\tnew\nline\x01.el', 'tab\tnew\nline\x01.el'),
                            (b'bad\xff\xc0\xaf\xed\xa0\x80.el', 'bad' + '\ufffd' * 6 + '.el'),
                            ('Zürich–東京😀.el'.encode(), 'Zürich–東京😀.el'), (b'cut\xe6\x9d.el', 'cut\ufffd\ufffd.el')):
            path = os.path.join(folder, name)
            with open(path, 'wb') as file:
                file.write(b'1 2\n')
            found = self.json('gbfs', path)
            self.assertEqual(found['graph']['name'], os.fsdecode(folder) + '/' + shown)

    def test_victim_and_amount(self):
        found = self.json('gbfs', 'grid:40x40', '--threads=2', '--policy=split', '--victim=round', '--amount=two',
                          '--verify')
        self.assertEqual((found['victim'], found['amount'], found['verified']), ('round', 'two', True))

    def test_no_table_beside_it(self):
        text = self.good('gbfs', 'grid:3x3', '--json', '--levels')
        self.assertTrue(text.startswith('{') and text.count('\n') == 1)


class Trace(ToolTest):
    def test_a_track_for_each_worker(self):
        for name in ('trace.json', 'trace.json.gz'):
            path = self.folder / name
            found = self.json('gbfs', 'kron:12', '--repeat=3', '--threads=2', '--verify', '--trace', path)
            trace = read_trace(self, path)
            self.assertEqual((trace['policy'], trace['lost']), ('chunked', 0))
            self.assertEqual(list(trace['tracks']), ['worker 0', 'worker 1'])
            # Only of the last run, without the check after it.
            slices = [one for track in trace['tracks'].values() for one in track]
            first, last = min(one['ts'] for one in slices), max(one['ts'] + one['dur'] for one in slices)
            self.assertLessEqual(last - first, 1000 * found['runs'][-1]['ms'])


class Person(ToolTest):
    def test_summary(self):
        text = self.good('gbfs', 'grid:20x10', '--source=0', '--repeat=3', '--threads=2', '--verify')
        lines = dict(line.split(None, 1) for line in text.splitlines())
        self.assertEqual(set(lines), {'graph', 'search', 'time', 'reached', 'stolen', 'verified'})
        self.assertIn('200 vertices, 740 arcs, undirected', lines['graph'])
        self.assertIn('2 threads', lines['search'])
        self.assertIn('3 runs', lines['time'])
        self.assertIn('200 vertices (100 %) in 29 levels from 0', lines['reached'])

    def test_stats_have_a_row_for_each_worker_and_one_for_all(self):
        lines = self.good('gbfs', 'kron:12', '--threads=2', '--stats', '--quiet').splitlines()
        self.assertEqual([line.split()[0] for line in lines], ['worker', 'cpu', 'cpu', 'all'])
        self.assertEqual(len({len(line) for line in lines}), 1)

    def test_levels_have_a_row_each(self):
        lines = self.good('gbfs', 'grid:6x1', '--source=0', '--levels', '--quiet').splitlines()
        self.assertEqual([line.split()[:2] for line in lines[1:]], [[str(i), '1'] for i in range(6)])

    def test_quiet_says_nothing(self):
        self.assertEqual(self.good('gbfs', 'grid:3x3', '--quiet'), '')
        self.assertEqual(self.terminal('grid:3x3', '--quiet'), b'')

    def terminal(self, *arguments):
        """Returns the output on standard error if it is a terminal."""
        return on_terminal([BUILD / 'bin/gbfs', *arguments])

    def test_progress_on_a_terminal_is_wiped_away(self):
        path = self.edge_list('path.el', [(1, 2)])
        shown = self.terminal(path, '--out', str(self.folder / 'x.csv'))
        self.assertIn(b'reading ' + path.encode(), shown)
        self.assertIn(b'writing ', shown)
        self.assertTrue(shown.endswith(b'\r\x1b[K'), shown)
        self.assertNotIn(b'\n', shown)

    def test_long_work_has_a_bar(self):
        """Repeats with longer runs until there is a line."""
        shown = self.terminal('grid:200x200', '--repeat=40', '--direction=bottom-up')
        self.assertIn(b'searching grid:200x200', shown)
        self.assertRegex(shown, rb'\rsearching \[#*\.*\] +[0-9]+ %')
        self.assertTrue(all(len(bar) == 20 for bar in re.findall(rb'\[([#.]+)\]', shown)))
        self.assertTrue(shown.endswith(b'\r\x1b[K'), shown)
        self.assertNotIn(b'\n', shown)


class Table(ToolTest):
    def setUp(self):
        super().setUp()
        self.graph = self.edge_list('sparse.el', EDGES)

    def test_every_suffix_has_the_same_rows(self):
        table = neighbours(EDGES, False)
        expected = depths(table, 7)
        for suffix in ('.csv', '.tsv', '.csv.gz', '.tsv.gz'):
            out = self.folder / ('depths' + suffix)
            self.good('gbfs', self.graph, '--source=7', '--quiet', '--out', out)
            found = read_rows(contents(out).decode(), '\t' if '.tsv' in suffix else ',')
            self.assertEqual(list(found), VERTICES)
            check_search(self, found, table, 7)
        for suffix in ('.npy', '.npy.gz'):
            out = self.folder / ('depths' + suffix)
            self.good('gbfs', self.graph, '--source=7', '--quiet', '--out', out)
            names, rows = read_npy(contents(out))
            self.assertEqual(names, ['vertex', 'depth', 'parent'])
            self.assertEqual([row[0] for row in rows], VERTICES)
            self.assertEqual([row[1] for row in rows], [expected.get(v, -1) for v in VERTICES])
            self.assertEqual([row[2] for row in rows if row[1] == -1], [-1, -1])

    def test_lines_as_published(self):
        out = self.folder / 'x.csv'
        self.good('gbfs', self.graph, '--source=20', '--quiet', '--out', out)
        self.assertEqual(out.read_bytes(), b'vertex,depth,parent\n7,,\n10,,\n20,0,20\n30,1,20\n500,,\n900,,\n'
                                           b'5000000000,,\n')

    def test_standard_output(self):
        run = self.run_tool('gbfs', self.graph, '--source=20', '--out=-')
        self.assertEqual((run.returncode, run.stdout.count(b'\n')), (0, 8))
        self.assertIn(b'reached', run.stderr)
        self.assertEqual(self.good('gbfs', self.graph, '--source=20', '--out=-', '--quiet'), run.stdout.decode())

    def test_directed_and_undirected(self):
        for option, undirected in (('--directed', False), ('--undirected', True)):
            for direction in ('auto', 'top-down', 'bottom-up'):
                found = self.search(self.graph, '--source=900', option, '--direction', direction)
                check_search(self, found, neighbours(EDGES, undirected), 900)

    def test_the_table_is_of_the_last_run(self):
        sources = self.write('two.ss', 'p aux sp ss 2\ns 7\ns 20\n')
        found = self.search(self.graph, '--source', sources)
        self.assertEqual(found[20], (0, 20))


if __name__ == '__main__':
    unittest.main()
