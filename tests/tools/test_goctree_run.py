#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""goctree: trees, queries and files against a reference octree."""
import csv
import math
import os
import random
import re
import resource
import struct
import unittest
import xml.etree.ElementTree

from points import octree, read_ply, read_vtk
from tool import ToolTest, contents, datasets, read_trace, skip

KEYS = {'input', 'load_ms', 'input_points', 'dropped', 'points', 'double', 'columns', 'box', 'leaf', 'max_depth', 'nodes',
        'leaves', 'empty', 'large', 'depth', 'max_leaf', 'levels', 'ms', 'mpoints_per_s', 'builder', 'policy', 'victim', 'amount',
        'threads', 'chunk', 'wait', 'termination', 'sample', 'devices', 'form', 'device_memory', 'groups', 'by_device',
        'launches', 'handed_off', 'tasks', 'stolen', 'steals', 'failed_steals', 'aborted_steals', 'queue_high_water',
        'efficiency', 'queue_spread', 'verified', 'query', 'runs', 'workers', 'pin', 'seed', 'version'}


def some_points(count, seed=1):
    """Returns points of a cluster in a cube, some of them twice. Coordinates are multiples of 2^-10, exact in text and floats."""
    draw = random.Random(seed)
    points = [tuple(draw.randrange(1024) / 1024 for _ in range(3)) for _ in range(count // 2)]
    points += [tuple(draw.randrange(32) / 1024 for _ in range(3)) for _ in range(count - len(points))]
    return points


def as_text(points, head=''):
    return head + ''.join(' '.join(map(repr, point)) + '\n' for point in points)


def distance(a, b):
    return math.sqrt(sum((x - y) ** 2 for x, y in zip(a, b)))


def histogram(leaves):
    """The leaves of each level and their points."""
    depth = max(level for level, _ in leaves)
    sizes = [[len(numbers) for level, numbers in leaves if level == which] for which in range(depth + 1)]
    return [(len(level), sum(level)) for level in sizes]


class Tree(ToolTest):
    def test_the_tree_is_that_of_the_rules(self):
        for count, arguments in ((1, []), (32, []), (33, []), (3000, []), (3000, ['--leaf=1', '--max-depth=5']),
                                 (500, ['--box=-1,-1,-1,1,1.5,2']), (3000, ['--leaf=7', '--float'])):
            points = some_points(count)
            path = self.write('points.xyz', as_text(points))
            options = dict(argument.lstrip('-').split('=') for argument in arguments if '=' in argument)
            box = list(map(float, options['box'].split(','))) if 'box' in options else None
            leaves, nodes = octree(points, int(options.get('leaf', 32)), int(options.get('max-depth', 21)),
                                   (box[:3], box[3:]) if box else None)
            for builder in ('sort', 'task'):
                found = self.json('goctree', path, '--builder', builder, '--verify', '--threads=3', *arguments)
                self.assertEqual(set(found), KEYS)
                self.assertEqual((found['points'], found['nodes'], found['leaves'], found['verified']),
                                 (count, nodes, len(leaves), True))
                self.assertEqual((found['depth'], found['max_leaf']),
                                 (max(level for level, _ in leaves), max(len(numbers) for _, numbers in leaves)))
                self.assertEqual([(row['leaves'], row['points']) for row in found['levels']], histogram(leaves))
                self.assertEqual(sum(row['nodes'] for row in found['levels']), nodes)
                self.assertEqual((found['builder'], found['double']), (builder, '--float' not in arguments))

    def test_every_policy_builds_the_same_file(self):
        first = None
        for policy in [line.split()[0] for line in self.good('goctree', '--policy=help').splitlines()]:
            for builder in ('sort', 'task'):
                out = self.folder / 'tree.npy'
                self.good('goctree', 'plummer:20k', '--quiet', '--policy', policy, '--builder', builder, '--threads=4',
                          '--nodes', out)
                first = first or out.read_bytes()
                self.assertEqual(out.read_bytes(), first, (policy, builder))

    def test_points_that_do_not_belong(self):
        path = self.write('bad.csv', 'x,y,z\n0,0,0\n1,1,1\nnan,0,0\n0.5,0.5,inf\n')
        complaint = self.bad(1, 'goctree', path)
        self.assertIn('point 2', complaint)
        self.assertIn('--drop', complaint)
        complaint = self.bad(1, 'goctree', '-', input=b'0 0 nan\n')
        self.assertIn('point 0: z is nan, which is not a number', complaint)

    def test_points_dropped(self):
        path = self.write('bad.csv', 'x,y,z\n0,0,0\n1,1,1\nnan,0,0\n0.5,0.5,inf\n')
        found = self.json('goctree', path, '--drop', '--verify')
        self.assertEqual((found['input_points'], found['dropped'], found['points']), (4, 2, 2))
        found = self.json('goctree', path, '--drop', '--box', '0,0,0,0.5,1,1')
        self.assertEqual((found['dropped'], found['points']), (3, 1))
        rows = list(csv.reader(self.out(path, 'a.csv', '--drop')))
        self.assertEqual([row[-1] for row in rows], ['point', '0', '1'])

    def test_no_points(self):
        found = self.json('goctree', 'uniform:0', '--verify')
        self.assertEqual((found['points'], found['nodes'], found['leaves'], found['verified']), (0, 1, 1, True))
        self.good('goctree', 'uniform:0', '--quiet', '--out', self.folder / 'a.ply', '--picture',
                  self.folder / 'a.svg')

    def test_text_and_table(self):
        text = self.good('goctree', 'shell:5k', '--repeat=3', '--warmup=1', '--verify', '--stats', '--threads=2')
        for word in ('shell:5k, generated in', '5,000, in floats', 'median of 3 runs', 'points/s', 'every tree is correct',
                     'worker', 'cpu 1'):
            self.assertIn(word, text)
        self.assertEqual(self.good('goctree', 'shell:5k', '--quiet'), '')

    def test_box_and_levels(self):
        points = self.write('points.xyz', '0.1 0.2 0.30000000000000004\n0.9 0.8 0.7\n' * 20)
        box = ['--box=0.1,0.1,0.1,0.9000000000000001,0.9,1']
        text = self.good('goctree', points, *box, '--stats')
        self.assertIn('box       0.1, 0.1, 0.1 to 0.9000000000000001, 0.9, 1\n', text)
        self.assertEqual(self.json('goctree', points, *box)['box'], [0.1, 0.1, 0.1, 0.9000000000000001, 0.9, 1])
        self.assertRegex(text, r'level +nodes +leaves +points   share of the points\n    0 +1 +0 +0 +0\.0 %\n'
                               r'    1 +2 +2 +40 100\.0 % #{25}\n')
        self.assertIn('box       0.1, 0.2, 0.3 to 0.9, 1, 1.1\n', self.good('goctree', points, '--float'))

    def test_memory_serves_the_next_run(self):
        def faults(runs):
            before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt
            self.good('goctree', '--quiet', f'--repeat={runs}', '--warmup=1', '--threads=1', 'uniform:1M')
            return resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt - before

        if os.environ.get('GRAPHWS_SAN'):
            return  # sanitizers delay the release of memory
        few = faults(1)
        self.assertLess(faults(9) - few, 8 * 200)  # page faults per further run: 80 with the caching allocator, 420 without

    def test_trace(self):
        out = self.folder / 'trace.json.gz'
        self.good('goctree', 'uniform:200k', '--builder=task', '--quiet', '--trace', out, '--threads=2')
        trace = read_trace(self, out)
        self.assertEqual(trace['policy'], 'chaselev')

    def out(self, points, name, *arguments):
        path = self.folder / name
        self.good('goctree', points, '--quiet', '--out', path, *arguments)
        return contents(path).decode().splitlines()


class Files(ToolTest):
    def setUp(self):
        super().setUp()
        self.points = some_points(2000)
        self.leaves, self.nodes = octree(self.points)
        rows = [(*point, i % 200) for i, point in enumerate(self.points)]
        self.path = self.write('points.csv', as_text(rows, 'x y z shade\n'))
        self.order = [i for _, numbers in self.leaves for i in numbers]

    def out(self, name, *arguments):
        path = self.folder / name
        self.good('goctree', self.path, '--quiet', '--out', path, *arguments)
        return contents(path)

    def test_csv_has_all_columns_leaf_by_leaf(self):
        for name in ('a.csv', 'a.tsv.gz'):
            rows = list(csv.reader(self.out(name).decode().splitlines(), delimiter='\t' if 'tsv' in name else ','))
            self.assertEqual(rows[0], ['x', 'y', 'z', 'shade', 'leaf', 'level', 'point'])
            self.assertEqual([int(row[6]) for row in rows[1:]], self.order)
            expected = [(leaf, level) for leaf, (level, numbers) in enumerate(self.leaves) for _ in numbers]
            self.assertEqual([(int(row[4]), int(row[5])) for row in rows[1:]], expected)
            for row in rows[1:]:
                point = int(row[6])
                self.assertEqual((tuple(map(float, row[:3])), int(row[3])), (self.points[point], point % 200))

    def test_ply_is_coloured_by_leaf(self):
        names, rows = read_ply(self.out('a.ply'))
        self.assertEqual(names, ['x', 'y', 'z', 'shade', 'red', 'green', 'blue', 'leaf', 'level', 'point'])
        self.assertEqual([row[9] for row in rows], self.order)
        colours = {}
        for row in rows:
            colours.setdefault(row[7], set()).add(row[4:7])
        self.assertEqual({len(colour) for colour in colours.values()}, {1})
        self.assertGreater(len({next(iter(colour)) for colour in colours.values()}), len(self.leaves) * 0.9)

    def test_own_colours_do_not_change(self):
        path = self.write('coloured.csv', 'x,y,z,red,green,blue\n0,0,0,1,2,3\n')
        out = self.folder / 'b.ply'
        self.good('goctree', path, '--columns=x,y,z,red:u8,green:u8,blue:u8', '--quiet', '--out', out)
        names, rows = read_ply(out.read_bytes())
        self.assertEqual((names[3:6], rows[0][3:6], len(names)), (['red', 'green', 'blue'], (1, 2, 3), 9))

    def test_gwsp_and_npy_are_read_back(self):
        expected = self.out('a.csv')
        for name in ('a.gwsp', 'a.npy', 'a.gwsp.gz'):
            self.out(name)
            path = self.folder / ('again-' + name + '.csv')
            self.good('goctree', self.folder / name, '--quiet', '--out', path)
            again = [','.join(row.split(',')[:7]) for row in path.read_text().splitlines()]
            self.assertEqual('\n'.join(again) + '\n', expected.decode())

    def test_vtk_points(self):
        kind, piece, arrays = read_vtk(self.out('a.vtp'))
        self.assertEqual((kind, piece['NumberOfPoints'], piece['NumberOfVerts']), ('PolyData', '2000', '1'))
        self.assertEqual(arrays['points'], [self.points[i] for i in self.order])
        self.assertEqual((arrays['connectivity'], arrays['offsets']), (list(range(2000)), [2000]))
        self.assertEqual(arrays['point'], self.order)
        self.assertEqual(arrays['shade'], [i % 200 for i in self.order])

    def test_vtk_boxes(self):
        kind, piece, arrays = read_vtk(self.out('a.vtu'))
        count = len(self.leaves)
        self.assertEqual((kind, piece['NumberOfCells']), ('UnstructuredGrid', str(count)))
        self.assertEqual(arrays['connectivity'], list(range(8 * count)))
        self.assertEqual((arrays['offsets'], set(arrays['types'])), (list(range(8, 8 * count + 8, 8)), {12}))
        self.assertEqual(arrays['level'], [level for level, _ in self.leaves])
        self.assertEqual(arrays['count'],
                         [len(numbers) for _, numbers in self.leaves])
        for leaf, (_, numbers) in enumerate(self.leaves):
            corner = arrays['points'][8 * leaf:8 * leaf + 8]
            for i in numbers:
                for axis in range(3):
                    self.assertLessEqual(corner[0][axis] - 1e-12, self.points[i][axis])
                    self.assertGreaterEqual(corner[6][axis] + 1e-12, self.points[i][axis])
            low, high = corner[0], corner[6]
            lower = [(low[0], low[1]), (high[0], low[1]), (high[0], high[1]), (low[0], high[1])]
            self.assertEqual(corner, [(x, y, z) for z in (low[2], high[2]) for x, y in lower])

    def test_nodes(self):
        rows = list(csv.DictReader(self.good('goctree', self.path, '--quiet', '--nodes', '-').splitlines()))
        table = [{name: int(value) for name, value in row.items()} for row in rows]
        self.assertEqual([row['node'] for row in table], list(range(self.nodes)))
        self.assertEqual((table[0]['parent'], table[0]['begin'], table[0]['end']), (-1, 0, 2000))
        for row in table[1:]:
            parent = table[row['parent']]
            self.assertEqual(parent['level'] + 1, row['level'])
            self.assertEqual(parent['key'], row['key'] >> 3)
            self.assertTrue(parent['child_mask'] >> (row['key'] & 7) & 1)
        found = sorted((row['begin'], row['level'], row['end'] - row['begin']) for row in table if not row['child_mask'])
        self.assertEqual([part[1:] for part in found], [(level, len(numbers)) for level, numbers in self.leaves])

    def test_picture(self):
        out = self.folder / 'tree.svg'
        for axis in 'xyz':
            self.good('goctree', self.path, '--quiet', '--picture', out, '--axis', axis)
            root = xml.etree.ElementTree.fromstring(out.read_text())
            self.assertTrue(root.tag.endswith('svg'))
            words = [text.text for text in root.iter('{http://www.w3.org/2000/svg}text')]
            across, up = [name for name in 'xyz' if name != axis]
            self.assertLessEqual({f"{across} (in the points' unit)", up, '0', '0.4', 'level of the deepest leaf'}, set(words))
            self.assertLess(out.stat().st_size, 100000)

    def test_picture_of_the_used_box(self):
        out = self.folder / 'tree.svg'
        points = self.write('corner.xyz', as_text([(1, 1, 0), (1.5, 1.25, 0)]))
        self.good('goctree', points, '--quiet', '--leaf=1', '--box=0,0,0,8,8,8', '--picture', out)
        text = out.read_text()
        self.assertEqual(re.findall(r'<path fill="#08306b" d="(.*)"/>', text), ['M0 0H512V256H0z'])
        self.assertEqual(re.findall(r'stroke="#ffffff" stroke-width=".5" d="(.*)"', text), ['M256 0v256'])
        self.assertNotIn('-0<', text)

        self.assertEqual([path.name for path in self.folder.iterdir() if 'draft' in path.name], [])

    def test_nothing_is_left_of_a_file_that_failed(self):
        (self.folder / 'a.ply').write_text('old')
        wide = self.write('wide.csv', '0 0 0 1\n')
        complaint = self.bad(1, 'goctree', wide, '--columns=x,y,z,n:u64', '--out', self.folder / 'a.ply')
        self.assertIn('64-bit integers', complaint)
        self.assertEqual((self.folder / 'a.ply').read_text(), 'old')


class Queries(ToolTest):
    def test_counts_and_sums(self):
        points = some_points(3000)
        path = self.write('points.csv', 'x,y,z,weight\n' + ''.join(f'{x},{y},{z},{i % 7}\n' for i, (x, y, z) in enumerate(points)))
        queries = self.write('queries', 'ball 0.5 0.5 0.5 0.25\nbox 0 0 0 0.5 0.5 0.5\n\nbox 2 2 2 3 3 3\nball 0 0 0 9\n')
        inside = [lambda p: distance(p, (.5, .5, .5)) <= .25, lambda p: max(p) <= .5, lambda p: False, lambda p: True]
        counts = [sum(map(test, points)) for test in inside]
        sums = [sum(i % 7 for i, point in enumerate(points) if test(point)) for test in inside]
        text = self.good('goctree', path, '--quiet', '--query', queries, '--answers=-', '--count')
        self.assertEqual(text.splitlines(), ['query,count'] + [f'{q},{count}' for q, count in enumerate(counts)])
        text = self.good('goctree', path, '--quiet', '--query', queries, '--answers=-', '--sum=weight')
        self.assertEqual(text.splitlines(), ['query,count,weight'] + [f'{q},{counts[q]},{sums[q]}' for q in range(4)])
        self.assertIn(f'answers   {sum(counts):,} to 4 queries', self.good('goctree', path, '--query', queries, '--count'))
        self.assertIn("no column called 'size'", self.bad(1, 'goctree', path, '--query', queries, '--sum=size'))
        self.assertIn('--count requires --query', self.bad(2, 'goctree', path, '--count'))
        self.assertIn('--sum requires --query', self.bad(2, 'goctree', path, '--sum=weight'))
        wrong = self.write('wrong', 'box 0 0 0 1 1 1\nnearest 0 0 0 3\n')
        self.assertIn(f'{wrong}:2: --count answers boxes and balls only',
                      self.bad(1, 'goctree', path, '--query', wrong, '--count'))

    def query(self, points, queries, *arguments):
        """Returns the answers as {query: [(point, distance)]}."""
        path = self.write('points.xyz', as_text(points))
        text = self.good('goctree', path, '--quiet', '--query', self.write('queries', queries), '--answers=-',
                         *arguments)
        rows = list(csv.reader(text.splitlines()))
        self.assertEqual(rows[0], ['query', 'point', 'distance'])
        found = {}
        for number, point, far in rows[1:]:
            found.setdefault(int(number), []).append((int(point), float(far) if far else None))
        self.assertEqual([int(row[0]) for row in rows[1:]], sorted(int(row[0]) for row in rows[1:]))
        return found

    def test_all_kinds_mixed(self):
        points = some_points(1500, seed=4)
        draw = random.Random(9)
        queries, expected = ['# comment', ''], {}
        for q in range(60):
            place = tuple(draw.random() for _ in range(3))
            far = [(distance(point, place), i) for i, point in enumerate(points)]
            if q % 3 == 0:
                size = draw.random() * 0.3
                high = tuple(x + size for x in place)
                queries.append('box ' + ' '.join(map(repr, place + high)))
                expected[q] = {i for i, point in enumerate(points)
                               if all(a <= x <= b for a, x, b in zip(place, point, high))}
            elif q % 3 == 1:
                radius = draw.random() * 0.2
                queries.append('Ball ' + ','.join(map(repr, (*place, radius))))
                expected[q] = {i for d, i in far if d <= radius}
            else:
                k = draw.choice((1, 3, 8))
                queries.append(f'nearest {place[0]!r} , {place[1]!r}  {place[2]!r} {k}')
                expected[q] = [i for _, i in sorted(far)[:k]]
        found = self.query(points, '\n'.join(queries), '--threads=2')
        for q, answer in expected.items():
            have = [point for point, _ in found.get(q, [])]
            self.assertEqual(have if isinstance(answer, list) else set(have), answer, queries[q + 2])
            self.assertEqual(len(have), len(answer))

    def test_rays(self):
        points = [(0, 0, 0), (0, 0, 5), (3, 0, 5)]
        found = self.query(points, 'ray 0 0 -2 0 0 2 0.5\nray 3 9 5 0 -1 0 1\nray 9 9 9 1 0 0 0.5\n')
        self.assertEqual(found, {0: [(0, 0.75)], 1: [(2, 8.0)]})

    def test_what_is_said_of_them(self):
        points = self.write('p.xyz', '0 0 0\n1 1 1\n')
        queries = self.write('q', 'nearest 0 0 0 2\nbox 0 0 0 1 1 1\n')
        found = self.json('goctree', points, '--query', queries)['query']
        self.assertEqual((found['queries'], found['answers'], set(found)), 
                         (2, 4, {'queries', 'answers', 'ms', 'on_device', 'device_ms', 'upload_ms'}))
        self.assertIn('4 to 2 queries', self.good('goctree', points, '--query', queries))
        self.assertIn('0 to 0 queries', self.good('goctree', points, '--query', self.write('none', '')))
        out = self.good('goctree', points, '--quiet', '--query=-', '--answers=-', input=b'nearest 1 1 1 1')
        self.assertEqual(out, 'query,point,distance\n0,1,0\n')

    def test_mistakes(self):
        points = self.write('p.xyz', '0 0 0\n')
        for text, complaint in (('box 0 0 0 1 1\n', ':1:14: expected a number of box X0 Y0 Z0 X1 Y1 Z1'),
                                ('\ncube 0\n', ':2:1: expected box, ball, nearest or ray'),
                                ('ball 0 0 0 x\n', ":1:12: expected a number of ball X Y Z RADIUS, found 'x'"),
                                ('ball 0 0 0 1 2\n', ":1:14: expected the end of ball X Y Z RADIUS, found '2'"),
                                ('ball 0 0 nan 1\n', ':1:10: expected a number'),
                                ('ball 0 0 0 -1\n', ':1: negative radius'),
                                ('ray 0 0 0 1 1 1 -1\n', ':1: negative radius'),
                                ('box 0 0 0 1 1 -1\n', ':1: invalid box: the low corner'),
                                ('nearest 0 0 0 0\n', ':1: K must be a whole number'),
                                ('nearest 0 0 0 1.5\n', ':1: K must be a whole number')):
            self.assertIn(complaint, self.bad(1, 'goctree', points, '--query', self.write('q', text)))


class RealData(ToolTest):
    FILES = {'armadillo-38k.ply.gz': (38294, 0, 3), 'kitti-000000.bin.gz': (115384, 0, 1),
             'pcl-bun0.pcd.gz': (397, 0, 4), 'pcl-cturtle.pcd.gz': (167198, 0, 0),
             'pcl-milk_cartoon_all_small_clorox.pcd.gz': (307200, 65793, 0), 'stanford-bunny.xyz.gz': (35947, 0, 0)}

    def test_real_points(self):
        folder = datasets()
        if folder is None or not (folder / 'points').is_dir():
            skip('no real points (GRAPHWS_DATASETS names their folder)')
            return
        for name, (given, dropped, columns) in self.FILES.items():
            found = self.json('goctree', folder / 'points' / name, '--drop', '--verify')
            self.assertEqual((found['input_points'], found['dropped'], found['columns'], found['verified']),
                             (given, dropped, columns, True), name)

    def test_kitti_as_it_lies(self):
        folder = datasets()
        if folder is None or not (folder / 'points').is_dir():
            return
        data = contents(folder / 'points' / 'kitti-000000.bin.gz')
        rows = list(struct.iter_unpack('<4f', data))
        out = self.folder / 'kitti.ply'
        self.good('goctree', self.write('kitti.bin', data), '--quiet', '--out', out)
        names, found = read_ply(out.read_bytes())
        self.assertEqual(names[:4], ['x', 'y', 'z', 'intensity'])
        self.assertEqual(sorted(row[-1] for row in found), list(range(len(rows))))
        for row in found:
            self.assertEqual(row[:4], rows[row[-1]])


if __name__ == '__main__':
    unittest.main()
