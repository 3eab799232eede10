#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""gconvert: conversions between all formats and back, changes, and --info."""
import gzip
import os
import unittest

from tool import ToolTest, contents, datasets, skip

ENDINGS = ('.el', '.txt', '.csv', '.tsv', '.mtx', '.graph', '.col', '.gwsg', '.gr')


class Conversion(ToolTest):
    def convert(self, graph, name, *options):
        out = str(self.folder / name)
        self.good('gconvert', graph, out, '--quiet', *options)
        return out

    def arcs(self, graph, *options):
        """Returns the arcs of a graph with their weights, converted to an edge list."""
        text = self.good('gconvert', graph, '-', '--to=edge-list', '--quiet', *options)
        rows = [tuple(map(int, line.split())) for line in text.splitlines() if line and line[0] not in '#%']
        return sorted(rows)

    def info(self, graph, *options):
        return self.json('gconvert', '--info', graph, *options)

    def test_there_and_back(self):
        for start in ('grid:7x5', 'kron:6', 'road:200'):
            before = self.info(start)
            for suffix in ENDINGS + ('.el.gz', '.gr.gz', '.mtx.gz', '.graph.gz', '.col.gz'):
                out = self.convert(start, 'x' + suffix)
                after = self.info(out)
                self.assertEqual(after['graph']['vertices'], before['graph']['vertices'], (start, suffix))
                self.assertEqual(after['graph']['arcs'], before['graph']['arcs'], (start, suffix))
                self.assertTrue(after['symmetric'], (start, suffix))
                self.assertEqual(after['components'], before['components'], (start, suffix))

    def test_forced_formats(self):
        for name in ('dimacs', 'dimacs-edge', 'pace', 'edge-list', 'matrix-market', 'metis', 'gwsg'):
            out = self.convert('grid:4x4', 'anything', '--to', name)
            self.assertEqual(self.info(out, '--from', name)['graph']['arcs'], 48, name)

    def test_weights_and_ids_survive(self):
        start = self.write('w.el', ''.join(f'{u} {v} {w}\n' for u, v, w in [(10, 3, 7), (3, 900, -4), (10, 900, 2)]))
        for suffix in ('.el', '.gwsg'):
            out = self.convert(start, 'x' + suffix)
            self.assertEqual(self.arcs(out), [(3, 900, -4), (10, 3, 7), (10, 900, 2)], suffix)

    def test_weights_dropped_and_rounded(self):
        start = self.write('w.el', '1 2 0.6\n2 3 -1.4\n')
        self.assertEqual(self.arcs(start, '--round-weights'), [(1, 2, 1), (2, 3, -1)])
        self.assertEqual(self.arcs(start, '--drop-weights'), [(1, 2), (2, 3)])
        self.assertTrue(all(len(arc) == 2 for arc in self.arcs('road:50', '--drop-weights')))

    def test_real_weights_survive(self):
        weights = ['0.1', '-2.5', '3', '1e-20', '3.4e+38', '16777217']
        start = self.write('w.el', ''.join(f'1 {v + 2} {w}\n' for v, w in enumerate(weights)))
        written = ['0.1', '-2.5', '3', '1e-20', '3.4e+38', '16777216']
        for suffix in ('.el', '.csv', '.mtx', '.gr', '.gwsg', '.gwsg.gz'):
            out = self.convert(start, 'x' + suffix)
            text = self.good('gconvert', out, '-', '--to=edge-list', '--quiet')
            rows = [line.split() for line in text.splitlines() if line[0] != '#']
            self.assertEqual([row[2] for row in rows], written, suffix)
            self.assertEqual(self.info(out)['weights']['kind'], 'real', suffix)
        self.assertIn(' 0.5  to 1, real\n', self.good('gconvert', '--info', self.write('p.el', '1 2 0.5\n1 2 1\n')))
        both = self.convert(start, 's.gwsg', '--symmetrise')
        self.assertIn('whole weights', self.bad(1, 'gconvert', both, str(self.folder / 'x.graph')))
        for bad in ('nan', 'inf', '1e39'):
            broken = self.write('b.el', f'1 2 3\n1 3 {bad}\n')
            self.assertIn(broken + ':2:5:', self.bad(1, 'gconvert', broken, str(self.folder / 'x.el')))

    def test_direction_loops_and_duplicates(self):
        start = self.edge_list('d.el', [(1, 2), (1, 2), (2, 2), (3, 1)])
        self.assertEqual(self.arcs(start), [(1, 2), (1, 2), (2, 2), (3, 1)])
        self.assertEqual(self.arcs(start, '--remove-loops'), [(1, 2), (1, 2), (3, 1)])
        self.assertEqual(self.arcs(start, '--remove-duplicates'), [(1, 2), (2, 2), (3, 1)])
        undirected = self.info(start, '--undirected')['graph']
        self.assertEqual((undirected['arcs'], undirected['directed']), (5, False))
        out = self.convert(start, 's.gwsg', '--symmetrise')
        self.assertEqual(self.info(out)['graph'], undirected | {'name': out})

    def test_largest_component_keeps_ids(self):
        start = self.edge_list('c.el', [(100, 200), (200, 300), (7, 8)])
        out = self.convert(start, 'c.gwsg', '--largest-component')
        self.assertEqual(self.arcs(out), [(100, 200), (200, 300)])

    def test_relabel(self):
        start = self.edge_list('r.el', [(5, 1), (5, 2), (5, 3), (3, 1)])
        degree = self.info(self.convert(start, 'd.gwsg', '--relabel=degree'))
        self.assertEqual((degree['degree']['max'], degree['degree']['max_vertex']), (3, 5))
        self.assertEqual(degree['ids'], {'kind': 'permuted', 'first': 1, 'last': 5})
        self.assertEqual(self.arcs(str(self.folder / 'd.gwsg')), self.arcs(start))
        self.assertEqual(self.arcs(self.convert(start, 'd.el', '--relabel=degree')), [(0, 1), (0, 2), (0, 3), (1, 2)])
        a, b, c = (contents(self.convert('kron:8', 'r.el', '--relabel=random', '--seed', seed)) for seed in '112')
        self.assertEqual(a, b)
        self.assertNotEqual(a, c)
        self.assertEqual(contents(self.convert('kron:8', 'n.el', '--relabel=none')),
                         contents(self.convert('kron:8', 'o.el')))

    def relabel(self, graph, name, *options):
        """Converts the graph and returns its output and what --relabel reports."""
        out = str(self.folder / name)
        return out, self.json('gconvert', graph, out, *options)['relabel']

    def test_locality(self):
        shuffled, report = self.relabel('grid:60x50', 's.gwsg', '--relabel=random')
        self.assertEqual(report['order'], 'random')
        plain = self.convert(shuffled, 'p.gr')  # without positions
        for start, order, chosen in ((shuffled, 'locality', 'hilbert'), (shuffled, 'rcm', 'rcm'), (plain, 'locality', 'rcm')):
            out, report = self.relabel(start, 'o.gwsg', '--relabel', order)
            self.assertEqual(report['order'], chosen)
            for kind in ('median', 'mean', 'max'):
                self.assertLess(report['after'][kind], report['before'][kind] / (1 if kind == 'max' else 10), (order, kind))
            self.assertLess(report['after']['mean_bits'], report['before']['mean_bits'] - 4)
            self.assertEqual(self.arcs(out, '--directed'), self.arcs(start, '--directed'))
            again = self.relabel(self.convert(out, 'o.gr'), 'x.gwsg', '--relabel=none')[1]
            self.assertIsNone(again)
        self.assertEqual(self.relabel('kron:12', 'k.gwsg', '--relabel=locality')[1]['order'], 'degree')

    def test_locality_keeps_ids(self):
        edges = [(10 * (v * 7 % 30), 10 * ((v * 7 + 7) % 30), v) for v in range(30)]
        start = self.write('i.el', '# Directed\n0 0 5\n7 7 7\n' + ''.join(f'{u} {v} {w}\n' for u, v, w in edges))
        for order in ('locality', 'rcm', 'degree', 'random'):
            out = self.convert(start, 'i.gwsg', '--relabel', order)
            self.assertEqual(self.arcs(out), self.arcs(start), order)
            tables = []
            for graph in (start, out):
                table = str(self.folder / 'o.csv')
                self.good('graphws', 'bfs', graph, '--source=70', '--out', table, '--quiet')
                tables.append(sorted(contents(table).decode().splitlines()))
            self.assertEqual(tables[0], tables[1], order)
            again = self.convert(out, 'again.gwsg', '--relabel', order, '--symmetrise')
            self.assertEqual(self.info(again)['components'], self.info(start)['components'])
            self.assertIn('no vertex 71; the ids go from 0 to 290, with gaps', self.bad(1, 'gbfs', out, '--source=71'))

    def test_locality_keeps_names(self):
        start = self.write('n.csv', 'zoe,alice,1\nalice,bob,2\nbob,eve,3\neve,dan,4\n')
        out = self.convert(start, 'n.gwsg', '--relabel=locality')
        tables = []
        for graph in (start, out):
            self.good('graphws', 'bfs', graph, '--source=alice', '--out', str(self.folder / 'o.csv'), '--quiet')
            tables.append(sorted(contents(self.folder / 'o.csv').decode().splitlines()))
        self.assertEqual(tables[0], tables[1])
        self.assertIn('alice,0,alice', tables[0])

    def test_locality_by_a_file_of_positions(self):
        shuffled = self.convert('grid:20x20', 's.gwsg', '--relabel=random')
        graph, where = self.convert(shuffled, 's.gr'), self.convert(shuffled, 's.co')
        for name in ('o.gwsg', 'o.gr', 'o.el'):
            out, report = self.relabel(graph, name, '--relabel=locality', '--positions', where)
            self.assertEqual(report['order'], 'hilbert')
            self.assertEqual(self.info(out)['graph']['arcs'], 1520)
        text = contents(where).decode().splitlines()
        number = next(i for i, line in enumerate(text) if line.startswith('v 1 '))
        for wrong in ('inf', '1e999', 'nan', '0x1', '5e'):
            bad = self.write('bad.co', '\n'.join(text[:number] + [f'v 1 2 {wrong}'] + text[number + 1:]) + '\n')
            out = self.folder / 'never.gwsg'
            self.assertIn(f'{bad}:{number + 1}:7:', self.bad(1, 'gconvert', graph, out, '--relabel=locality', '--positions', bad))
            self.assertFalse(out.exists())
        huge = self.write('huge.co', '\n'.join(line.replace('v 1 ', 'v 1 1.7e308 -1.7e308 ', 1).rsplit(' ', 2)[0]
                                               if line.startswith('v 1 ') else line for line in text) + '\n')
        self.assertEqual(self.relabel(graph, 'h.gwsg', '--relabel=hilbert', '--positions', huge)[1]['order'], 'hilbert')

    def test_hilbert_without_positions(self):
        out = self.folder / 'x.gwsg'
        self.assertIn('no positions', self.bad(1, 'gconvert', 'kron:5', out, '--relabel=hilbert'))
        self.assertFalse(out.exists())

    def test_locality_of_small_graphs(self):
        for text in ('# Undirected\n# Ids: 1 to 5\n', '3 3\n', '9 2\n'):
            start = self.write('t.el', text)
            for order in ('locality', 'rcm'):
                self.assertEqual(self.arcs(self.convert(start, 't.gwsg', '--relabel', order)), self.arcs(start))

    def test_positions(self):
        start = self.write('p.gr', 'p sp 2 1\na 1 2 3\n')
        where = self.write('p.co', 'p aux sp co 2\nv 1 -73 40\nv 2 -74 41\n')
        out = self.convert(start, 'p.gwsg', '--positions', where)
        self.assertIs(self.info(out)['positions'], True)
        again = contents(self.convert(out, 'again.co')).decode().splitlines()
        self.assertEqual([line for line in again if line.startswith('v')], ['v 1 -73 40', 'v 2 -74 41'])

    def test_threads_do_not_matter(self):
        for graph, order in (('kron:9', 'degree'), ('kron:9', 'rcm'), ('road:900', 'locality')):
            files = [contents(self.convert(graph, f'{n}.gwsg', '--threads', n, '--relabel', order)) for n in '123']
            self.assertEqual(files[0], files[1])
            self.assertEqual(files[0], files[2])

    def test_standard_input_and_output(self):
        run = self.run_tool('gconvert', '-', '-', '--to=matrix-market', input=b'1 2\n2 3\n')
        self.assertEqual(run.returncode, 0)
        self.assertTrue(run.stdout.startswith(b'%%MatrixMarket'))
        self.assertIn(b'wrote', run.stderr)

    def test_summary_and_json(self):
        out = str(self.folder / 'x.gwsg')
        text = self.good('gconvert', 'grid:4x4', out, '--relabel=degree')
        self.assertEqual([line.split()[0] for line in text.splitlines()], ['read', 'changed', 'order', 'wrote'])
        self.assertRegex(text, r'order +degree, in [0-9.]+ .s; gap of arcs: median [0-9]+ to [0-9]+, mean')
        found = self.json('gconvert', 'grid:4x4', out)
        self.assertEqual(set(found), {'input', 'output', 'read_ms', 'change_ms', 'relabel', 'write_ms', 'bytes', 'version'})
        self.assertEqual(found['bytes'], os.path.getsize(out))
        self.assertEqual(found['output'], {'name': out, 'vertices': 16, 'arcs': 48, 'directed': False})


class Info(ToolTest):
    def test_members(self):
        graph = self.write('i.el', '10 20 5\n20 10 5\n20 20 -1\n20 10 6\n40 50 3\n')
        found = self.json('gconvert', '--info', graph)
        self.assertEqual(found['graph'], {'name': graph, 'vertices': 4, 'arcs': 5, 'directed': True})
        self.assertEqual(found['ids'], {'kind': 'sparse', 'first': 10, 'last': 50})
        self.assertEqual(found['degree'] | {'median': None},
                         {'min': 0, 'median': None, 'mean': 1.25, 'max': 3, 'max_vertex': 20, 'isolated': 0})
        self.assertEqual((found['loops'], found['duplicates'], found['symmetric']), (1, 1, False))
        self.assertEqual(found['components'], {'count': 2, 'largest': 2})
        self.assertEqual(found['weights'], {'kind': 'integer', 'min': -1, 'max': 6})
        self.assertIs(found['positions'], False)

    def test_text(self):
        text = self.good('gconvert', '--info', 'grid:4x4')
        rows = dict(line.split(None, 1) for line in text.splitlines()[1:])
        self.assertEqual((rows['vertices'], rows['arcs'], rows['components']), ('16', '48', '1'))

    def test_symmetric_though_directed(self):
        graph = self.edge_list('s.el', [(0, 1), (1, 0)])
        found = self.json('gconvert', '--info', graph)
        self.assertEqual((found['graph']['directed'], found['symmetric']), (True, True))

    def test_published_components(self):
        if datasets() is None:
            skip('components as SNAP and LAGraph publish them: no data sets')
            return
        for name, vertices, largest in (('snap/p2p-Gnutella31.txt.gz', 62586, 62561),
                                        ('mtx/LFAT5_hypersparse.mtx.gz', 2000, None)):
            found = self.json('gconvert', '--info', datasets() / name, '--round-weights')
            self.assertEqual(found['graph']['vertices'], vertices)
            if largest:
                self.assertEqual(found['components']['largest'], largest)
            else:
                self.assertEqual(found['components']['count'], 1989)


class Refusals(ToolTest):
    def test_usage(self):
        for arguments in ([], ['grid:3x3'], ['grid:3x3', 'a.el', 'b.el'], ['--info'], ['--info', 'grid:3x3', 'x.el'],
                          ['grid:3x3', 'x.el', '--to=xls'], ['grid:3x3', 'x.el', '--from=xls'],
                          ['grid:3x3', 'x.el', '--relabel=size'], ['grid:3x3', 'x.el', '--seed=5'],
                          ['grid:3x3', 'x.el', '--seed=5', '--relabel=degree'], ['grid:3x3', '-', '--json'],
                          ['--info', 'grid:3x3', '--symmetrise'], ['grid:3x3', 'x.el', '--seed=-1'],
                          ['grid:3x3', 'x.el', '--threads=0'], ['grid:3x3', 'x.el', '--policy=static']):
            self.bad(2, 'gconvert', *arguments)

    def test_options_that_would_do_nothing(self):
        self.edge_list('a.el', [(0, 1)])
        for option, words in (('--remove-loops', ['kron:5', 'x.gwsg']), ('--remove-duplicates', ['kron:5', 'x.gwsg']),
                              ('--round-weights', ['road:9', 'x.gwsg']), ('--positions=a.co', ['grid:3x3', 'x.gwsg']),
                              ('--undirected', ['grid:3x3', 'x.gwsg']), ('--positions=a.co', ['--info', 'grid:3x3']),
                              ('--positions=a.co', ['a.graphml', 'x.gwsg']), ('--positions=a.co', ['a.el', 'x.gr']),
                              ('--positions=a.co', ['a.el', 'x.gwsg', '--to=edge-list']),
                              ('--remove-duplicates', ['a.el', 'x.gwsg', '--undirected']),
                              ('--remove-duplicates', ['a.el', 'x.gwsg', '--symmetrise']),
                              ('--remove-duplicates', ['--info', 'a.el', '--undirected']),
                              ('--symmetrise', ['a.el', 'x.gwsg', '--undirected']),
                              ('--round-weights', ['a.el', 'x.col']), ('--round-weights', ['a.el', 'x.CO.gz']),
                              ('--round-weights', ['a.el', '--to=pace', 'x.gr'])):
            self.assertIn(option.split('=')[0], self.bad(2, 'gconvert', option, *words, cwd=self.folder))
        self.assertEqual(os.listdir(self.folder), ['a.el'])

    def test_help_version_and_lists(self):
        self.assertIn('--largest-component', self.good('gconvert', '--help'))
        self.assertRegex(self.good('gconvert', '--version'), r'^gconvert \d+\.\d+\.\d+\n$')
        self.assertTrue(self.good('gconvert', '--from=help').startswith(self.good('gconvert', '--to=help')))

    def test_formats_that_cannot_hold_the_graph(self):
        graph = self.edge_list('d.el', [(0, 1), (1, 2)])
        for name in ('x.graph', 'x.col', 'x.co'):
            out = self.folder / name
            self.assertIn(name, self.bad(1, 'gconvert', graph, str(out)))
            self.assertFalse(out.exists())

    def test_unknown_suffix_and_missing_files(self):
        out = self.folder / 'x.xls'
        self.bad(1, 'gconvert', 'grid:3x3', str(out))
        self.bad(1, 'gconvert', str(self.folder / 'missing.el'), str(self.folder / 'x.el'))
        self.bad(1, 'gconvert', 'grid:3x3', str(self.folder / 'no/x.el'))
        self.assertEqual(os.listdir(self.folder), [])

    def test_a_file_in_place_outlives_failures(self):
        out = self.write('x.el', 'precious')
        bad = self.write('bad.gr.gz', gzip.compress(b'p sp 2 2\na 1 2 3\n'))
        self.assertIn(bad, self.bad(1, 'gconvert', bad, out))
        with open(out, encoding='ascii') as file:
            self.assertEqual(file.read(), 'precious')


if __name__ == '__main__':
    unittest.main()
