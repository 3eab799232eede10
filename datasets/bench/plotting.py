# SPDX-License-Identifier: MIT
"""Draws figures with gnuplot: bars, curves with guides, and lines through points. Next to each picture is its file of
commands and data, so that it can be drawn again by hand."""
import shutil
import subprocess
from pathlib import Path

COLOURS = ('#0d1687', '#3b82c4', '#58b5a8', '#8cb84b', '#e6c229', '#f08c3a', '#d1495b', '#a23b8f', '#6a4c93', '#777777',
           '#b08968', '#222222')
TERMINAL = {'svg': 'svg size 900,420 dynamic background "white"', 'png': 'pngcairo size 900,420'}


class Bars:
    """A group of bars for each label, with a bar for each series: {name: a value or None for each label}."""
    STYLE = ('set style histogram clustered gap 1',)

    def __init__(self, name, title, axis, labels, series):
        self.name, self.title, self.axis, self.labels, self.series = name, title, axis, labels, series

    def commands(self):
        rows = [' '.join([quoted(label), *(bare(values[i]) for values in self.series.values())])
                for i, label in enumerate(self.labels)]
        bars = ', '.join(f'$data using {i + 2}{":xtic(1)" if i == 0 else ""} title {quoted(name)}'
                         for i, name in enumerate(self.series))
        return ['$data << end', *rows, 'end', 'set style data histogram', *self.STYLE,
                'set style fill solid 0.8 border -1', 'set yrange [0:*]',
                *(['set xtics rotate by -25'] if sum(len(label) + 2 for label in self.labels) > 70 else []), 'set grid ytics', f'plot {bars}']


class Stacks(Bars):
    """The same with the series of a label stacked."""
    STYLE = ('set style histogram rowstacked', 'set boxwidth 0.6')


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
    """A line through the points of each name, {name: [(x, y), ...]}, both axes logarithmic to base 2; ideal: y = x."""

    def __init__(self, name, title, axis, across, lines, ideal=False):
        self.name, self.title, self.axis, self.across, self.lines, self.ideal = name, title, axis, across, lines, ideal

    def commands(self):
        texts, plots, places = [], [], set()
        for i, (name, points) in enumerate(self.lines.items()):
            texts += [f'$line{i} << end', *(f'{x} {bare(y)}' for x, y in points), 'end']
            plots.append(f'$line{i} using 1:2 with linespoints title {quoted(name)}')
            places |= {x for x, _ in points}
        if self.ideal:
            plots.append('x with lines dashtype 2 linecolor rgb "gray" title "ideal"')
        return [*texts, 'set logscale xy 2', f'set xlabel {quoted(self.across)}', 'set grid',
                f'set xtics ({", ".join(map(str, sorted(places)))})',
                f'set xrange [{min(places, default=1) / 1.2:.3g}:{max(places, default=2) * 1.2:.3g}]',
                'plot ' + ', '.join(plots)]


def quoted(text):
    """A string of gnuplot in double quotes; a plain underscore would make a subscript."""
    return '"' + str(text).replace('\\', '').replace('"', '').replace('_', '\\\\_') + '"'


def bare(value):
    return '?' if value is None else f'{value:.6g}'


def draw(plot, folder, kind):
    """Writes NAME.gp and, if gnuplot is installed, NAME.svg or NAME.png to folder. Returns what is missing, or None."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    picture, script = folder / f'{plot.name}.{kind}', folder / f'{plot.name}.gp'
    script.write_text('\n'.join([
        f'set terminal {TERMINAL[kind]}', f'set output "{picture.name}"', 'set datafile missing "?"',
        *(f'set linetype {i + 1} linecolor rgb "{colour}"' for i, colour in enumerate(COLOURS)),
        f'set linetype cycle {len(COLOURS)}',
        f'set title {quoted(plot.title)}', f'set ylabel {quoted(plot.axis)}', 'set key outside right',
        *plot.commands(), '']), encoding='utf-8')
    if not shutil.which('gnuplot'):
        return f'{picture.name}: no gnuplot here; `gnuplot {script.name}` draws it elsewhere'
    drawn = subprocess.run(['gnuplot', script.name], cwd=folder, capture_output=True, text=True, check=False)
    if drawn.returncode or not picture.exists():
        return f'{picture.name}: gnuplot: {(drawn.stderr.split(chr(10)) + ["nothing"])[0].strip()}'
    return None


def draw_all(plots, folder, kind):
    """Draws every plot that is not empty. Returns what is missing."""
    return [why for why in (draw(plot, folder, kind) for plot in plots) if why]


def add_options(add):
    """Adds the options of programs that draw; add is a parser's add_argument."""
    add('--figures', metavar='DIR', help='draw figures in this folder')
    add('--kind', choices=TERMINAL, default='svg', help='picture format (svg)')
