#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""gbfs: pictures of levels and maps, and their errors. The tests parse the PNG and SVG files."""
import gzip
import math
import os
import re
import resource
import shutil
import struct
import unittest
import zlib
from xml.etree import ElementTree

from tool import ToolTest, skip

SHADES = 48
MARGIN, SIDE, BELOW = 12, 1200, 3 * 12 + 12  # cells around the map, along its longer side, and below it for the bar
FIRST, LAST, MARK = 3, 255, 4
WHITE, GREY, BLACK = (255, 255, 255), (205, 205, 205), (0, 0, 0)
HAVE_GNUPLOT = shutil.which('gnuplot') is not None
SVG = '{http://www.w3.org/2000/svg}'


def read_png(data):
    """Reads a PNG with a palette and without filters, and verifies its checksums. Returns (palette, rows of indices)."""
    if data[:8] != b'\x89PNG\r\n\x1a\n':
        raise ValueError('no PNG')
    at, chunks = 8, []
    while at < len(data):
        size, name = struct.unpack('>I4s', data[at:at + 8])
        body, (check,) = data[at + 8:at + 8 + size], struct.unpack('>I', data[at + 8 + size:at + 12 + size])
        if zlib.crc32(name + body) != check:
            raise ValueError(f'{name}: wrong checksum')
        chunks.append((name, body))
        at += 12 + size
    names = [name for name, _ in chunks]
    if names != [b'IHDR', b'PLTE', b'IDAT', b'IEND']:
        raise ValueError(names)
    width, height, bits, kind, *rest = struct.unpack('>IIBBBBB', chunks[0][1])
    if (bits, kind, rest) != (8, 3, [0, 0, 0]):
        raise ValueError(chunks[0])
    raw, palette = zlib.decompress(chunks[2][1]), chunks[1][1]
    if len(raw) != (width + 1) * height or any(raw[::width + 1]):
        raise ValueError('rows')
    return ([tuple(palette[i:i + 3]) for i in range(0, len(palette), 3)],
            [raw[y * (width + 1) + 1:(y + 1) * (width + 1)] for y in range(height)])


def colours_of_png(path):
    palette, rows = read_png(path.read_bytes())
    return [[palette[index] for index in row] for row in rows]


class Svg:
    """The tool's SVG: strokes are (colour, ends of a line), in the order of drawing and in the page's units; a dot is a line
    whose ends are equal. words: all texts; stops: the colours of the legend's bar; wide: the width of lines."""

    def __init__(self, path):
        root = ElementTree.fromstring(path.read_text())
        self.size, self.strokes = (int(root.get('width')), int(root.get('height'))), []
        self.words = [text.text for text in root.iter(SVG + 'text')]
        self.stops = [self.colour(stop.get('stop-color')) for stop in root.iter(SVG + 'stop')]
        self.discs = [(float(disc.get('cx')), float(disc.get('cy'))) for disc in root.iter(SVG + 'circle')]
        group = root.find(SVG + 'g')
        shift, scale = re.match(r'translate\((\d+ \d+)\) scale\(([\d.]+)\)$', group.get('transform')).groups()
        self.shift, self.scale = [float(word) for word in shift.split()], float(scale)
        self.wide = float(group.get('stroke-width')) * self.scale
        for path_of_colour in group.iter(SVG + 'path'):
            self.read(self.colour(path_of_colour.get('stroke')), path_of_colour.get('d'))

    @staticmethod
    def colour(text):
        return tuple(bytes.fromhex(text[1:]))

    def read(self, colour, data):
        x = y = 0
        for command, rest in re.findall('([MLmlhv])([^MLmlhv]*)', data):
            numbers = [int(word) for word in re.findall(r'-?\d+', rest)]
            pairs = ([(n, 0) for n in numbers] if command == 'h' else [(0, n) for n in numbers] if command == 'v'
                     else list(zip(numbers[::2], numbers[1::2])))
            for i, (right, down) in enumerate(pairs):
                before = (x, y)
                x, y = (right, down) if command in 'ML' else (x + right, y + down)
                if command in 'Llhv' or i > 0:
                    self.strokes.append((colour, self.place(*before), self.place(x, y)))

    def place(self, x, y):
        return self.shift[0] + x * self.scale, self.shift[1] + y * self.scale

    def at(self, place):
        """The colour of the last stroke over a place, or white."""
        seen = WHITE
        for colour, one, other in self.strokes:
            length = math.dist(one, other)
            if math.dist(one, place) + math.dist(other, place) <= length + 0.5:
                seen = colour
        return seen

    def shade(self, depth, deepest):
        """The colour of a depth, by the legend."""
        if depth is None:
            return GREY
        at = depth * (SHADES - 1) // max(deepest, 1) * (len(self.stops) - 1) / (SHADES - 1)
        low = min(int(at), len(self.stops) - 2)
        return tuple(math.floor(a + (at - low) * (b - a) + 0.5) for a, b in zip(self.stops[low], self.stops[low + 1]))


class Map(ToolTest):
    def draw(self, *arguments, name='map.png'):
        path = self.folder / name
        self.good('gbfs', *arguments, '--quiet', '--map', path)
        return path

    def check_places(self, rows, places, depths, edges, source):
        """Checks that every vertex that no mark hides has its colour, and that the middle of every edge has the colour of
        its nearer end. Positions are (x, y) from (0, 0) on."""
        max_coordinate = max(max(place) for place in places)
        wide, high = (max(place[i] for place in places) * (SIDE - 1) / max_coordinate for i in (0, 1))
        self.assertEqual(len(rows), int(high) + 1 + BELOW)
        self.assertGreaterEqual(len(rows[0]), int(wide) + 1 + 2 * MARGIN)
        palette, _ = read_png((self.folder / 'map.png').read_bytes())
        deepest = max(depth for depth in depths if depth is not None)

        def colour(depth):
            return GREY if depth is None else palette[FIRST + depth * (LAST - FIRST) // max(deepest, 1)]

        def cell(place):
            x, y = (int(coordinate * (SIDE - 1) / max_coordinate + 1e-9) for coordinate in place)
            return MARGIN + x, MARGIN + int(high) - y

        def near(place):
            x, y = cell(place)
            return {rows[y + j][x + i] for i in (-1, 0, 1) for j in (-1, 0, 1)}

        for vertex, place in enumerate(places):
            x, y = cell(place)
            self.assertEqual(rows[y][x], BLACK if vertex == source else colour(depths[vertex]), vertex)
        for one, other in edges:
            middle = tuple((a + b) / 2 for a, b in zip(places[one], places[other]))
            min_depth = min((depths[v] for v in (one, other) if depths[v] is not None), default=None)
            self.assertIn(colour(min_depth), near(middle), (one, other))

    def check_lines(self, svg, places, depths, edges, source):
        """The same for lines: each end of an edge has its vertex's colour, and so has a vertex without edges."""
        max_coordinate = max(1, *(max(place) for place in places))
        deepest = max(depth for depth in depths if depth is not None)
        high = max(y for _, y in places) * (SIDE - 1) / max_coordinate

        def page(place):
            x, y = (coordinate * (SIDE - 1) / max_coordinate for coordinate in place)
            return MARGIN + x, MARGIN + int(high) + 1 - y

        for vertex, place in enumerate(places):
            self.assertIn(svg.at(page(place)), [svg.shade(depth, deepest) for depth in depths], vertex)
        for one, other in edges:
            for end, far in ((one, other), (other, one)):
                place = tuple((3 * a + b) / 4 for a, b in zip(places[end], places[far]))
                self.assertEqual(svg.at(page(place)), svg.shade(depths[end], deepest), (end, far))
        self.assertLessEqual(math.dist(svg.discs[0], page(places[source])), 1)

    def test_grid(self):
        places = [(x, y) for y in range(4) for x in range(6)]
        edges = [(v, w) for v in range(24) for w in range(24) if sum(abs(a - b) for a, b in zip(places[v], places[w])) == 1]
        rows = colours_of_png(self.draw('grid:6x4', '--source=8'))
        self.check_places(rows, places, [abs(x - 2) + abs(y - 1) for x, y in places], edges, 8)
        fields = [(MARGIN + int((x + 0.5) * (SIDE - 1) / 5), len(rows) - BELOW + MARGIN - 1 - int((y + 0.5) * (SIDE - 1) / 5))
                  for x in range(5) for y in range(3)]
        self.assertEqual({rows[y][x] for x, y in [*fields, (0, 0), (len(rows[0]) - 1, len(rows) - 1)]}, {WHITE})

    def road(self, co='road.co', gr='road.gr'):
        """Writes two components, 1 - 2 - 3 (upwards from the source) and the distant 4 - 5, with a file of coordinates."""
        arcs = [(1, 2), (2, 3), (4, 5)]
        places = [(-70, 40), (-70, 41), (-69, 42), (-60, 40), (-60, 43)]
        text = 'p sp 5 6\n' + ''.join(f'a {u} {v} 1\na {v} {u} 1\n' for u, v in arcs)
        where = 'p aux sp co 5\n' + ''.join(f'v {i + 1} {x}000000 {y}000000\n' for i, (x, y) in enumerate(places))
        self.write(co, gzip.compress(where.encode()) if co.endswith('.gz') else where)
        return self.write(gr, gzip.compress(text.encode()) if gr.endswith('.gz') else text), places

    def check_road(self, path, places):
        self.check_places(colours_of_png(path), [(x + 70, y - 40) for x, y in places], [0, 1, 2, None, None],
                          [(0, 1), (1, 2), (3, 4)], 0)

    def test_what_is_not_reached_is_grey_and_coordinates_lie_beside(self):
        for co, gr in (('road.co', 'road.gr'), ('other.co.gz', 'other.gr.gz'), ('third.co', 'third.gr.gz')):
            graph, places = self.road(co, gr)
            self.check_road(self.draw(graph, '--source=1'), places)

    def test_coordinates_by_name(self):
        graph, places = self.road('elsewhere.co')
        self.assertIn('has none; --positions', self.bad(1, 'gbfs', graph, '--map', self.folder / 'no.svg'))
        self.check_road(self.draw(graph, '--source=1', '--positions', self.folder / 'elsewhere.co'), places)
        self.write('road.co', 'nothing that could be read')
        self.check_road(self.draw(graph, '--source=1', '--positions', self.folder / 'elsewhere.co'), places)
        self.assertFalse((self.folder / 'no.svg').exists())

    def test_coordinates_of_a_binary_file(self):
        graph, places = self.road()
        self.good('gconvert', graph, self.folder / 'road.gwsg', '--quiet', '--positions', self.folder / 'road.co')
        self.check_road(self.draw(self.folder / 'road.gwsg', '--source=1'), places)

    def test_lines(self):
        places = [(x, y) for y in range(4) for x in range(6)]
        edges = [(v, w) for v in range(24) for w in range(v) if sum(abs(a - b) for a, b in zip(places[v], places[w])) == 1]
        svg = Svg(self.draw('grid:6x4', '--source=8', name='map.svg'))
        self.check_lines(svg, places, [abs(x - 2) + abs(y - 1) for x, y in places], edges, 8)
        graph, places = self.road()
        svg = Svg(self.draw(graph, '--source=1', name='map.svg'))
        self.check_lines(svg, [(x + 70, y - 40) for x, y in places], [0, 1, 2, None, None], [(0, 1), (1, 2), (3, 4)], 0)

    def test_legend(self):
        graph, _ = self.road()
        for name, words in (('grid:300x1', ['depth 0', '299 edges from the source', 'source']),
                            (graph, ['depth 0', '2 edges from the source', 'source', 'not reached'])):
            svg = Svg(self.draw(name, '--source=1' if name == graph else '--source=0', name='map.svg'))
            self.assertEqual(svg.words, words)
            self.assertEqual(len(svg.discs), 2)
        directed = self.write('one.gr', 'p sp 2 1\na 1 2 1\n')
        self.write('one.co', 'p aux sp co 2\nv 1 0 0\nv 2 5 5\n')
        self.assertIn('1 arcs from the source', Svg(self.draw(directed, '--source=1', name='map.svg')).words)

    def test_lines_have_no_gaps(self):
        """Each row and column of a grid is covered from end to end by lines that are at least a unit wide."""
        svg = Svg(self.draw('grid:40x30', '--source=615', name='map.svg'))
        self.assertGreaterEqual(svg.wide, 1)
        for axis, count in ((0, 30), (1, 40)):
            lines = {}
            for _, one, other in svg.strokes:
                if one[1 - axis] == other[1 - axis]:
                    lines.setdefault(one[1 - axis], []).append(sorted((one[axis], other[axis])))
            self.assertEqual(len(lines), count)
            for spans in lines.values():
                end = MARGIN + (axis == 1)
                for low, high in sorted(spans):
                    self.assertLessEqual(low, end)
                    end = max(end, high)
                self.assertGreaterEqual(end, MARGIN + (SIDE - 1) * (1 if axis == 0 else 29 / 39) - 1)

    def test_size(self):
        """A scalable map of 60,000 vertices is small, wherever the source is."""
        for source in (0, 30150):
            path = self.draw('grid:300x200', f'--source={source}', name='map.svg')
            self.assertLess(path.stat().st_size, 200_000)
            self.assertTrue(ElementTree.parse(path).getroot().get('viewBox'))

    def test_each_line_is_drawn_once(self):
        svg = Svg(self.draw('grid:9x9', '--source=40', name='map.svg'))
        length = sum(math.dist(one, other) for _, one, other in svg.strokes)
        self.assertAlmostEqual(length, 2 * 9 * (SIDE - 1), delta=SIDE / 100)

    def test_dots(self):
        """Vertices without edges, and vertices in one place."""
        for name, dots in (('grid:1x1', 1), (self.alone(), 3)):
            svg = Svg(self.draw(name, '--source=' + ('0' if name == 'grid:1x1' else '1'), name='map.svg'))
            self.assertEqual(len(svg.strokes), dots)
            self.assertTrue(all(one == other for _, one, other in svg.strokes))

    def alone(self):
        """Vertices 1 and 2, which an arc joins, are in one place; 3 and 4 have no arcs."""
        self.write('alone.co', 'p aux sp co 4\nv 1 5 5\nv 2 5 5\nv 3 0 9\nv 4 9 0\n')
        return self.write('alone.gr', 'p sp 4 1\na 1 2 1\n')

    def test_letters_of_the_legend(self):
        """Checks the words before the bar, and the digits of the maximum depth: 10 for a path of 11 vertices."""
        rows = colours_of_png(self.draw('grid:11x1', '--source=0'))
        top = len(rows) - 2 * MARGIN

        def dots(x, width):
            return [''.join('#' if rows[top + 2 * y][x + 2 * i] == BLACK else '.' for i in range(width)) for y in range(5)]

        self.assertEqual(dots(MARGIN, 19), ['##..###.##..###.#.#', '#.#.#...#.#..#..#.#', '#.#.##..##...#..###', '#.#.#...#....#..#.#',
                                            '##..###.#....#..#.#'])
        after = MARGIN + 7 * 8 + MARGIN + (SIDE // 3) + MARGIN
        self.assertEqual(dots(after, 7), ['.#..###', '##..#.#', '.#..#.#', '.#..#.#', '###.###'])

    def test_malformed_coordinates(self):
        graph, _ = self.road()
        for text, words in (('p aux sp co 4\n', 'road.co: vertex 1 has no position'), ('p aux sp co 5\nv 1 x 2\n', 'road.co:2:'),
                            ('p aux sp co 5\nv 1 1 2\n', 'road.co'), ('', 'road.co')):
            self.write('road.co', text)
            self.assertIn(words, self.bad(1, 'gbfs', graph, '--map', self.folder / 'map.svg'))
        self.assertIn('nowhere.co', self.bad(1, 'gbfs', graph, '--positions', self.folder / 'nowhere.co', '--map',
                                             self.folder / 'map.svg'))
        self.assertEqual(sorted(os.listdir(self.folder)), ['road.co', 'road.gr'])

    def test_without_coordinates(self):
        complaint = self.bad(1, 'gbfs', 'kron:5', '--map', self.folder / 'map.svg')
        self.assertTrue(complaint.endswith('this graph has none\n'), complaint)

    def test_wrong_usage(self):
        graph, _ = self.road()
        for arguments, words in ((['--map=map.gif', graph], '.svg or .png'), (['--map=.svg', graph], '.svg or .png'),
                                 (['--plot=levels', graph], '.svg or .png'), (['--map', '-', graph], '.svg or .png'),
                                 (['--positions=road.co', graph], 'requires --map'),
                                 (['--positions=road.co', '--map=map.svg', 'grid:4x4'], 'cannot have coordinates from a file')):
            self.assertIn(words, self.bad(2, 'gbfs', *arguments, cwd=self.folder))

    def test_what_was_found_first_is_seen(self):
        """A path that returns: 2 and 4 have the same position, and so do 1 and 5, which has no outgoing arcs."""
        places = [(0, 0), (5, 0), (10, 0), (5, 0), (0, 0)]
        graph = self.write('back.gr', 'p sp 5 6\n' + ''.join(f'a {u} {v} 1\na {v} {u} 1\n' for u, v in ((1, 2), (2, 3), (3, 4))))
        self.write('back.co', 'p aux sp co 5\n' + ''.join(f'v {i + 1} {x} {y}\n' for i, (x, y) in enumerate(places)))
        path = self.draw(graph, '--source=1')
        palette, rows = read_png(path.read_bytes())
        line = rows[MARGIN]
        depth = {3: FIRST + (LAST - FIRST) // 3, 2: FIRST + 2 * (LAST - FIRST) // 3}
        self.assertEqual(line[MARGIN + (SIDE - 1) // 2], depth[3])
        self.assertEqual(line[MARGIN + SIDE - 1], depth[2])
        self.assertNotIn(GREY, {palette[colour] for colour in line})

    def test_places_that_are_equal(self):
        graph = self.write('one.gr', 'p sp 2 1\na 1 2 1\n')
        self.write('one.co', 'p aux sp co 2\nv 1 5 5\nv 2 5 5\n')
        rows = colours_of_png(self.draw(graph, '--source=1'))
        self.assertEqual(rows[MARGIN][MARGIN], BLACK)


class Unwritable(ToolTest):
    def check(self, *arguments, **options):
        before = sorted(os.listdir(self.folder))
        complaint = self.bad(1, 'gbfs', 'road:2000', '--source=0', *arguments, **options)
        self.assertEqual(sorted(os.listdir(self.folder)), before)
        return complaint

    def each(self):
        return ('--map', '--plot') if HAVE_GNUPLOT else ('--map',)

    def test_no_such_folder(self):
        for option in self.each():
            self.assertIn('cannot write', self.check(option, self.folder / 'nowhere' / 'a.svg'))

    def test_a_folder_in_its_place(self):
        (self.folder / 'taken.svg').mkdir()
        for option in self.each():
            self.assertIn('taken.svg: cannot write', self.check(option, self.folder / 'taken.svg'))

    def test_a_full_disk(self):
        """Simulates a full disk by a limit on file sizes; the existing picture does not change."""
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 13, 1 << 13))

        self.write('a.svg', 'old')
        for option in self.each():
            self.assertIn('a.svg: cannot write: File too large',
                          self.check(option, self.folder / 'a.svg', preexec_fn=limit))
            self.assertEqual((self.folder / 'a.svg').read_text(), 'old')


class Plot(ToolTest):
    def fake(self, script):
        """Returns an environment whose PATH has this script as gnuplot."""
        path = self.folder / 'bin' / 'gnuplot'
        path.parent.mkdir(exist_ok=True)
        path.write_text('#!/bin/sh\n' + script)
        path.chmod(0o755)
        return dict(os.environ, PATH=f'{path.parent}:{os.environ["PATH"]}')

    def test_without_gnuplot(self):
        out = self.folder / 'a.svg'
        complaint = self.bad(1, 'gbfs', '/nowhere', '--plot', out, env=dict(os.environ, PATH='/nowhere'))
        self.assertIn('this picture needs gnuplot, which is not installed', complaint)
        self.assertFalse(out.exists())

    def test_gnuplot_that_fails(self):
        out = self.write('a.svg', 'old')
        ask = '[ "$1" = --version ] && exit 0\n'
        for script, words in ((ask + 'echo >&2; echo "   ^" >&2; echo "line 3: no such thing" >&2; exit 1',
                               'gnuplot failed: line 3: no such thing'),
                              (ask + 'exit 0', 'no message and no picture'), (ask + 'exit 3', 'no message and no picture'),
                              ('exit 1', 'cannot run gnuplot'), (ask + 'kill -9 $$', 'signal 9 ended gnuplot: Killed'),
                              (ask + 'echo part; kill -15 $$', 'signal 15 ended gnuplot: Terminated'),
                              ('kill -6 $$', 'signal 6 ended gnuplot: Aborted')):
            complaint = self.bad(1, 'gbfs', 'grid:4x4', '--plot', out, env=self.fake(script))
            self.assertIn(words, complaint)
            self.assertEqual((self.folder / 'a.svg').read_text(), 'old')
        self.assertEqual(sorted(os.listdir(self.folder)), ['a.svg', 'bin'])

    def script(self, *arguments):
        """Returns the script that gnuplot receives."""
        out = self.folder / 'script.svg'
        self.good('gbfs', *arguments, '--quiet', '--plot', out, env=self.fake('cat'))
        return out.read_text()

    def test_what_is_drawn(self):
        script = self.script('grid:10x7', '--source=0', '--threads=2')
        rows = [line.split() for line in re.search(r'\$levels << end\n(.*?)\nend', script, re.S).group(1).split('\n')]
        found = self.json('gbfs', 'grid:10x7', '--source=0')
        self.assertEqual([[int(row[0]), int(row[1])] for row in rows], [list(x) for x in enumerate(found['level_sizes'])])
        self.assertTrue(all(float(row[2]) > 0 for row in rows), rows)
        self.assertIn("set title 'grid:10x7 from 0' . \"\\n\" . '70 vertices in 16 levels, chunked policy, 2 threads'", script)
        self.assertNotIn("border linecolor", script)
        self.assertIn('set terminal svg size 900,660', script)

    def test_units_of_time(self):
        # gnuplot omits the axis label beside long tick labels, such as 0.00035 milliseconds.
        script = self.script('grid:1x1')
        taken = float(re.search(r'\n0 1 (.*)\nend', script).group(1))
        unit, scale = ('microseconds', '1e3') if taken < 0.5 else ('milliseconds', '1')
        self.assertIn(f"unset logscale y\nset yrange [0:*]\nset ylabel '{unit}'\n", script)
        self.assertIn(f'plot $levels using 1:($3*{scale})', script)

    def test_axis_of_times(self):
        """The axis is logarithmic if one level takes 50 times the median level; the times are those of the data."""
        for graph in ('grid:10x7', 'grid:3000x2', 'kron:14'):
            script = self.script(graph, '--source=0', '--threads=2')
            times = sorted(float(ms) for ms in re.findall(r'\n\d+ \d+ (\S+)', script.partition('\nend')[0]))
            positive = [ms for ms in times if ms > 0] or [0]
            is_logarithmic = positive[0] > 0 and times[-1] > 50 * times[len(times) // 2]
            self.assertEqual('seconds, logarithmic' in script, is_logarithmic, times)
            self.assertEqual('unset logscale y' in script, not is_logarithmic)

    def test_many_levels_have_no_seams(self):
        script = self.script('grid:200x1', '--source=0')
        self.assertEqual(script.count('set boxwidth 1\nset style fill solid 1 border linecolor rgb'), 2)
        self.assertNotIn('set xtics 1', script)
        self.assertIn('set xtics 1\n', self.script('grid:3x3', '--source=0'))

    def test_long_names_fit_the_page(self):
        name = self.edge_list('long' * 40 + '.el', [(0, 1)])
        line = re.search("set title '(.*?)' ", self.script(name, '--source=0'))[1]
        self.assertLess(len(line), 100)
        self.assertIn('...', line)

    def test_names_that_are_commands(self):
        name = "a'b`touch x`\"\n\\.el"
        self.edge_list(name, [(0, 1)])
        script = self.script(str(self.folder / name), '--source=0')
        self.assertIn("a''b`touch x`\"\\x0a\\.el from 0' .", script)
        if HAVE_GNUPLOT:
            self.good('gbfs', str(self.folder / name), '--source=0', '--quiet', '--plot', self.folder / 'b.svg')
            self.assertIn("a'b`touch x`\"\\x0a\\.el", ''.join(ElementTree.parse(self.folder / 'b.svg').getroot().itertext()))
            self.assertFalse((self.folder / 'x').exists())

    @unittest.skipUnless(HAVE_GNUPLOT, 'there is no gnuplot')
    def test_files(self):
        for graph in ('grid:40x40', 'kron:8', 'grid:1x1'):
            self.good('gbfs', graph, '--source=maxdegree', '--quiet', '--plot', self.folder / 'a.svg')
            text = ''.join(ElementTree.parse(self.folder / 'a.svg').getroot().itertext())
            for word in (graph, 'vertices', 'level'):
                self.assertIn(word, text)
            self.assertRegex(text, 'm(icro|illi)seconds')
        self.good('gbfs', 'grid:9x9', '--quiet', '--plot', self.folder / 'a.png')
        self.assertEqual((self.folder / 'a.png').read_bytes()[:8], b'\x89PNG\r\n\x1a\n')

    def test_a_device_is_not_timed(self):
        if self.run_tool('gbfs', 'grid:4x4', '--device=opencl', '--quiet').returncode:
            skip('plots of a device: there is no OpenCL device')
            return
        script = self.script('grid:4x4', '--source=0', '--device=opencl')
        self.assertNotIn('milliseconds', script)
        self.assertRegex(script, 'set title .*chunked policy, opencl:0')
        both = self.script('grid:4x4', '--source=0', '--device=cpu,opencl', '--threads=2')
        self.assertRegex(both, 'set title .*chunked policy, 2 threads and opencl:0')
        self.assertIn('set terminal svg size 900,360', script)


if __name__ == '__main__':
    unittest.main()
