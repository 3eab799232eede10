# SPDX-License-Identifier: MIT
"""Draws figures with gnuplot: bars, curves with guides, and lines through points. Next to each picture is its file of
commands and data, so that it can be drawn again by hand. A measured value is (median, low, high), where low and high end
its error bar (middle() makes one of the values of all rounds), or a plain number, which has no bar. A paper's own values are
circles. Under the title stands the machine and its load."""
import shutil
import statistics
import subprocess
from pathlib import Path

COLOURS = ('#0d1687', '#3b82c4', '#58b5a8', '#8cb84b', '#e6c229', '#f08c3a', '#d1495b', '#a23b8f', '#6a4c93', '#777777',
           '#b08968', '#222222')
TERMINAL = {'svg': 'svg size 900,460 dynamic background "white"', 'png': 'pngcairo size 900,460 font "sans,9"'}
PAPER = 'with points pointtype 6 pointsize 1.3 linewidth 2'
LONG = 120  # letters in a line of the title
NARROW = 64  # times the smallest value: up to here an axis has powers of two
BROAD = 24  # letters of a name that the key has below the plot


def middle(values):
    """(median, first quartile, third quartile) of the values of all rounds."""
    values = list(values)
    if len(values) < 2:
        return (values[0],) * 3
    low, half, high = statistics.quantiles(values, n=4, method='inclusive')
    return half, low, high


def machine(about):
    """Where and when the values were measured; about: the first line of a file of --json."""
    return (f'{about["cpu"]}, {about["cores"]} CPUs, load {about["load"]:.1f}, {about["date"][:10]}, {about["version"]}'
            + (f', {about["device"]}' if about.get('device') else ''))


class Bars:
    """A group of bars for each label, with a bar for each series: {name: a value or None for each label}. paper: {name of a
    series: {label: the paper's value, or the ends of its range}}. signed: values may be negative."""
    STYLE = ('set style histogram errorbars gap 1 linewidth 1',)
    HAS_ERRORS = True

    def __init__(self, name, title, axis, labels, series, paper=None, signed=False):
        self.name, self.title, self.axis, self.labels, self.series = name, title, axis, labels, series
        self.paper, self.signed = paper or {}, signed

    def place(self, label, name):
        """The middle of a bar on the horizontal axis."""
        width = 1 / (len(self.series) + 1)
        return self.labels.index(label) + (list(self.series).index(name) - (len(self.series) - 1) / 2) * width

    def paper_rows(self):
        return [f'{self.place(label, name):.6g} {bare(value)}' for name, of in self.paper.items() if name in self.series
                for label, values in of.items() if label in self.labels
                for value in (values if isinstance(values, tuple) else (values,))]

    def commands(self):
        values = 3 if self.HAS_ERRORS else 1
        rows = [' '.join([quoted(label), *(bare(part) for of in self.series.values() for part in spread(of[i])[:values])])
                for i, label in enumerate(self.labels)]
        bars = [f'$data using {":".join(str(2 + values * i + part) for part in range(values))}{":xtic(1)" if i == 0 else ""} '
                f'title {quoted(name)}' for i, name in enumerate(self.series)]
        paper = self.paper_rows()
        bars += [f'$paper using 1:2 {PAPER} linecolor rgb "black" title "the paper"'] if paper else []
        return ['$data << end', *rows, 'end', *(['$paper << end', *paper, 'end'] if paper else []), 'set style data histogram',
                *self.STYLE, 'set style fill solid 0.8 border -1', f'set yrange [{"*<0" if self.signed else 0}:*]',
                *(['set xtics rotate by -25'] if sum(len(label) + 2 for label in self.labels) > 70 else []), 'set grid ytics',
                f'plot {", ".join(bars)}']


class Stacks(Bars):
    """The same with the series of a label stacked, without error bars. The paper's values are a label of their own."""
    STYLE = ('set style histogram rowstacked', 'set boxwidth 0.6')
    HAS_ERRORS = False


class Curves:
    """A curve of values at 0, 1, 2 ... for each name, and horizontal lines at the guides {name: value}; logarithmic."""

    def __init__(self, name, title, axis, across, curves, guides):
        self.name, self.title, self.axis, self.across, self.curves, self.guides = (name, title, axis, across, curves,
                                                                                   guides)

    def commands(self):
        lines, plots = [], []
        for i, (name, values) in enumerate(self.curves.items()):
            lines += [f'$curve{i} << end', *map(str, values), 'end']
            plots.append(f'$curve{i} using 0:1 with lines title {quoted(name)}')
        plots += [f'{value} with lines dashtype 2 title {quoted(name)}' for name, value in self.guides.items()]
        return [*lines, 'set logscale y', f'set xlabel {quoted(self.across)}', 'set grid ytics',
                'plot ' + ', '.join(plots)]


class Lines:
    """A line through the points of each name, {name: [(x, value), ...]}, both axes logarithmic, or a share from 0 to 1; ideal:
    y = x. paper: {name of a line, or another: the paper's [(x, y), ...]}, circles in the line's colour."""

    def __init__(self, name, title, axis, across, lines, ideal=False, share=False, paper=None):
        self.name, self.title, self.axis, self.across, self.lines, self.ideal = name, title, axis, across, lines, ideal
        self.share = share
        self.paper = {name: points for name, points in (paper or {}).items() if points}

    def base(self):
        """Of the vertical axis: whole decades would flatten a narrow range."""
        heights = [spread(y)[0] for points in self.lines.values() for _, y in points]
        heights += [y for points in self.paper.values() for _, y in points]
        heights = [y for y in heights if y]
        return 10 if heights and max(heights) > NARROW * min(heights) else 2

    def commands(self):
        texts, plots, places = [], [], set()
        for i, (name, points) in enumerate(self.lines.items()):
            texts += [f'$line{i} << end', *(f'{x} {" ".join(map(bare, spread(y)))}' for x, y in points), 'end']
            plots.append(f'$line{i} using 1:2:3:4 with yerrorlines linetype {i + 1} title {quoted(name)}')
            places |= {x for x, _ in points}
        for i, (name, points) in enumerate(self.paper.items()):
            texts += [f'$paper{i} << end', *(f'{x} {bare(y)}' for x, y in points), 'end']
            kind = list(self.lines).index(name) + 1 if name in self.lines else len(self.lines) + 1 + i
            plots.append(f'$paper{i} using 1:2 {PAPER} linetype {kind} title {quoted("paper: " + name)}')
            places |= {x for x, _ in points}
        if self.ideal:
            plots.append('x with lines dashtype 2 linecolor rgb "gray" title "ideal"')
        return [*texts, 'set logscale x 2', *(['set yrange [0:1.05]'] if self.share else [f'set logscale y {self.base()}', 'set format y "%g"']),
                f'set xlabel {quoted(self.across)}', 'set grid',
                f'set xtics ({", ".join(map(str, sorted(places)))})',
                f'set xrange [{min(places, default=1) / 1.2:.3g}:{max(places, default=2) * 1.2:.3g}]',
                'plot ' + ', '.join(plots)]


def spread(value):
    """(median, low, high) of a value."""
    return value if isinstance(value, tuple) else (value, value, value)


def quoted(text):
    """A string of gnuplot in double quotes; a plain underscore would make a subscript."""
    return '"' + str(text).replace('\\', '').replace('"', '').replace('_', '\\\\_') + '"'


def bare(value):
    return '?' if value is None else f'{value:.6g}'


def shortened(text):
    return text if len(text) <= LONG else text[:LONG // 2 - 2] + '...' + text[-LONG // 2 + 2:]


def names_of(plot):
    """The names in the key."""
    return [*getattr(plot, 'series', ()), *getattr(plot, 'curves', ()), *getattr(plot, 'lines', ()), *getattr(plot, 'paper', ())]


def draw(plot, folder, kind, subtitle):
    """Writes NAME.gp and, if gnuplot is installed, NAME.svg or NAME.png to folder. subtitle: the second line of the title. Returns
    what is missing, or None."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    picture, script = folder / f'{plot.name}.{kind}', folder / f'{plot.name}.gp'
    script.write_text('\n'.join([
        f'set terminal {TERMINAL[kind]}', f'set output "{picture.name}"', 'set datafile missing "?"',
        *(f'set linetype {i + 1} linecolor rgb "{colour}"' for i, colour in enumerate(COLOURS)),
        f'set linetype cycle {len(COLOURS)}',
        f'set title {quoted(shortened(plot.title))} . "\\n" . {quoted(shortened(subtitle))}', f'set ylabel {quoted(plot.axis)}',
        f'set key outside {"below" if max(map(len, names_of(plot)), default=0) > BROAD else "right"}', *plot.commands(), '']),
        encoding='utf-8')
    if not shutil.which('gnuplot'):
        return f'{picture.name}: no gnuplot here; `gnuplot {script.name}` draws it elsewhere'
    drawn = subprocess.run(['gnuplot', script.name], cwd=folder, capture_output=True, text=True, check=False)
    if drawn.returncode or not picture.exists():
        return f'{picture.name}: gnuplot: {(drawn.stderr.split(chr(10)) + ["nothing"])[0].strip()}'
    return None


def draw_all(plots, options, about):
    """Draws every plot into the folder of --figures. about: the first line of the file of --json. Returns what is missing."""
    return [why for why in (draw(plot, options.figures, options.kind, machine(about)) for plot in plots) if why]


def add_options(add):
    """Adds the options of programs that draw; add is a parser's add_argument."""
    add('--figures', metavar='DIR', help='draw figures in this folder')
    add('--kind', choices=TERMINAL, default='svg', help='picture format (svg)')
