# SPDX-License-Identifier: MIT
"""The seven experiments of chapter 4 of Abdelmageed's thesis (University of Mississippi, 2017): which ways to search
each of them compares, and what it makes of their times. Nothing here measures: see datasets/bench/thesis. An
improvement of 16 % is a time 1.16 times as long without."""
from statistics import mean

from claims import Part, percent, said
from measuring import number
from plotting import Bars, Curves, Stacks
from thesis_ways import BEST, CPU, SIZES, Way

ALONE = (8, 16, 32)
STEALING = {(1, 8): 1.50, (1, 16): 1.10, (2, 16): 1.16, (2, 32): 1.11}  # section 4.3.3, on average
CHAI_LIMIT = 128  # the switching limit of CHAI's BFS unless told otherwise
NOISE = 0.03
MANY = 0.10  # of the tasks: what the thesis calls a non-trivial part


def listed(pairs):
    """Every one, or, of many, the least and the most."""
    if len(pairs) > 7:
        least, most = min(pairs, key=lambda pair: pair[1]), max(pairs, key=lambda pair: pair[1])
        return f'{percent(least[1])} ({least[0]}) to {percent(most[1])} ({most[0]})'
    return ', '.join(f'{road} {percent(ratio)}' for road, ratio in pairs) or '-'


def compare(found, roads, pairs, heads):
    """Rows for a way and another, by map and size, and {(map, way): how much longer the other takes}."""
    rows, gain = [['map', 'workers', *(f'{head}, ms' for head in heads), 'gains']], {}
    for road in roads:
        for way, other in pairs:
            gain[road, way] = found.times_longer(road, other, way)
            rows.append([road, f'{way.cpus}C_{way.groups}G', number(found.ms(road, way)),
                         number(found.ms(road, other)), percent(gain[road, way])])
    return rows, gain


def over_cpu(found, name, roads, pairs):
    """The figure of how fast all ways of the pairs are."""
    return Bars(name, f'Performance over {CPU.name}', 'times as fast', roads,
                {way.name: [1 / found.times_longer(road, way, CPU) for road in roads] for pair in pairs for way in pair})


def share(found):
    part, way = Part('1. Stealing share (section 4.2, Figure 4.1)'), Way(1, 8)
    part.rows = [['map', 'ran by', 'assigned', 'stolen from CPU workers', 'stolen from groups', 'stolen, all',
                  'by CPU workers, of all stolen', 'form']]
    roads = found.has(way)
    for road in roads:
        about = found.about(road, way)
        for side in ('cpu', 'device'):
            row = about['shares'][side]
            part.rows.append([road, side, *(f'{row[key]:.1%}' for key in ('assigned', 'from_cpu', 'from_device')),
                              f'{stolen(about):.1%}', f'{by_cpu(about):.0%}', about['form']])
    if not roads:
        return part
    largest = roads[-1]
    about = found.about(largest, way)
    part.claim('4.2', 'CAL, 1C_8G: 24 % of the tasks are stolen', f'{largest}: {stolen(about):.1%}',
               stolen(about) >= MANY)
    part.claim('4.2', 'CPU workers take 70 % of what is stolen', f'{largest}: {by_cpu(about):.0%}',
               by_cpu(about) > 0.5 if stolen(about) > 0 else None)
    keys = {'assigned': lambda s: s['cpu']['assigned'] + s['device']['assigned'],
            'stolen by CPU workers': lambda s: s['cpu']['from_cpu'] + s['cpu']['from_device'],
            'stolen by groups': lambda s: s['device']['from_cpu'] + s['device']['from_device']}
    part.plots = [Stacks('share', f'Tasks run, {way.name} (thesis, CAL: 76 %, 17 %, 7 %)', 'share of tasks', roads,
                         {name: [of(found.about(road, way)['shares']) for road in roads]
                          for name, of in keys.items()})]
    return part


def stolen(about):
    return sum(side['from_cpu'] + side['from_device'] for side in about['shares'].values())


def by_cpu(about):
    cpu = about['shares']['cpu']
    return (cpu['from_cpu'] + cpu['from_device']) / stolen(about) if stolen(about) else 0


def alone(found):
    part = Part('2. The device alone, with stealing and without (section 4.3.1, Figure 4.2)')
    ways = [Way(0, groups, steal) for groups in ALONE for steal in ('none', 'all')]
    roads = found.has(CPU, *ways)
    part.rows = [['map', CPU.name + ', ms', *(f'{way.name}, ms' for way in ways),
                  *(f'{groups}G: stealing gains' for groups in ALONE)]]
    gains = {(road, groups): found.times_longer(road, Way(0, groups, 'none'), Way(0, groups))
             for road in roads for groups in ALONE}
    for road in roads:
        part.rows.append([road, number(found.ms(road, CPU)), *(number(found.ms(road, way)) for way in ways),
                          *(percent(gains[road, groups]) for groups in ALONE)])
    small = [(road, gains[road, 32]) for road in roads if road in ('NY', 'BAY')]
    part.claim('4.3.1', 'NYR and BAY: stealing among 32 groups slows down', listed(small),
               said(small, lambda pairs: max(ratio for _, ratio in pairs) < 1))
    large = [(road, gains[road, groups]) for road in roads if road not in ('NY', 'BAY') for groups in (8, 16)]
    part.claim('4.3.1', 'larger maps: it is about even with 8 and 16 groups', listed(large),
               said(large, lambda pairs: max(abs(ratio - 1) for _, ratio in pairs) <= 2 * NOISE))
    slower = [(road, 1 / min(found.times_longer(road, way, CPU) for way in ways)) for road in roads if road != 'CAL']
    part.claim('4.3.1', 'on maps smaller than CAL it does not reach the CPU alone (NYR: 0.3 times)',
               ', '.join(f'{road} {number(ratio)} times' for road, ratio in slower),
               said(slower, lambda pairs: max(ratio for _, ratio in pairs) < 1))
    part.plots = [Bars('device-alone', f'Performance of the device alone over {CPU.name}', 'times as fast', roads,
                       {way.name: [1 / found.times_longer(road, way, CPU) for road in roads] for way in ways})]
    return part


def threshold(found):
    part = Part('3. A threshold for the device (section 4.3.2, Figures 4.3 and 4.4)')
    pairs = [(Way(c, g), Way(c, g, threshold='1')) for c, g in SIZES]
    roads = found.has(*(way for pair in pairs for way in pair))
    part.rows, gain = compare(found, roads, pairs, ['with', 'without'])
    for row in part.rows[1:]:
        cpus, groups = (int(word[:-1]) for word in row[1].split('_'))
        sizes, guide = found.frontier(row[0]), found.guide(cpus, groups)
        row += [f'{guide:,}', f'{sum(size >= guide for size in sizes):,} of {len(sizes):,}', f'{max(sizes):,}']
    part.rows[0] += ['threshold', 'levels above it', 'largest level']
    small = [(f'{road} {w.name}', gain[road, w]) for road in roads if road in ('NY', 'BAY') for w, _ in pairs]
    part.claim('4.3.2', 'NYR and BAY gain much', listed(small),
               said(small, lambda found: min(ratio for _, ratio in found) >= 1.2))
    others = [(f'{road} {w.name}', gain[road, w]) for road in roads if road not in ('NY', 'BAY') for w, _ in pairs]
    part.claim('4.3.2', 'the others gain slightly, or nothing; none loses', listed(others),
               said(others, lambda found: min(ratio for _, ratio in found) >= 1 - NOISE))
    part.plots = [Bars('threshold', 'Time with the threshold and without', 'ms', roads,
                       {way.name: [found.ms(road, way) for road in roads] for pair in pairs for way in pair}),
                  Curves('frontier', 'Vertices in each level, and thresholds', 'vertices', 'level',
                         {road: found.frontier(road) for road in roads},
                         {f'{c}C_{g}G': found.guide(c, g) for c, g in SIZES})]
    return part


def stealing(found):
    part = Part('4. Stealing against none (section 4.3.3, Figure 4.5)')
    pairs = [(Way(c, g), Way(c, g, 'none')) for c, g in SIZES]
    roads = found.has(CPU, *(way for pair in pairs for way in pair))
    part.rows, gain = compare(found, roads, pairs, ['stealing', 'none'])
    part.rows[0].append(CPU.name + ', ms')
    for row in part.rows[1:]:
        row.append(number(found.ms(row[0], CPU)))
    every = []
    for way, _ in pairs:
        here = [(road, gain[road, way]) for road in found.joins(way.cpus, way.groups) if road in roads]
        every += [ratio for _, ratio in here]
        goal = STEALING[way.cpus, way.groups]
        average = mean(ratio for _, ratio in here) if here else None
        part.claim('4.3.3', f'{way.name}: stealing gains {percent(goal)} on average',
                   f'{percent(average)}: {listed(here)}' if here else 'no map reaches its threshold',
                   None if average is None else average >= goal)
    part.claim('abstract', 'stealing gains 16 % on average', percent(mean(every)) if every else '-',
               said(every, lambda ratios: mean(ratios) >= 1.16))
    part.claim('4.3.3', 'it never loses more than 3 %', percent(min(every)) if every else '-',
               said(every, lambda ratios: min(ratios) >= 1 - NOISE))
    best = [road for road in roads if found.ms(road, BEST) <= (1 + NOISE) * min(
        found.ms(road, way) for pair in pairs for way in pair)]
    part.claim('4.3.3', f'{BEST.name} with stealing is the fastest', f'on {len(best)} of {len(roads)} maps',
               said(roads, lambda all_of: len(best) == len(all_of)))
    part.plots = [over_cpu(found, 'stealing', roads, pairs)]
    return part


def cpu_stealing(found):
    part = Part('5. Only CPU workers steal (section 4.3.4, Figure 4.6)')
    pairs = [(Way(c, g), Way(c, g, 'cpu')) for c, g in SIZES]
    roads = found.has(CPU, *(way for pair in pairs for way in pair))
    part.rows, gain = compare(found, roads, pairs, ['all steal', 'only CPU workers'])
    small = [(f'{road} {w.name}', gain[road, w]) for road in roads if road in ('NY', 'BAY', 'COL') for w, _ in pairs
             if road in found.joins(w.cpus, w.groups)]
    part.claim('4.3.4', 'NYR, BAY and COL: groups that steal hurt', listed(small),
               said(small, lambda pairs: max(ratio for _, ratio in pairs) < 1))
    part.plots = [over_cpu(found, 'cpu-stealing', roads, pairs)]
    return part


def coarse(found):
    part = Part("6. Against coarse partitioning, CHAI's (section 4.3.5, Figure 4.7)")
    sizes = {size: (Way(*size), rivals(*size)) for size in SIZES}
    roads = found.has(*(way for own, others in sizes.values() for way in (own, *others)))
    part.rows = [['map', 'workers', 'stealing, ms', 'coarse, ms', f'coarse from {CHAI_LIMIT} on, ms',
                  'gains over the better one']]
    gain = {(road, size): min(found.times_longer(road, other, own) for other in others)
            for road in roads for size, (own, others) in sizes.items()}
    for road in roads:
        for size, (own, others) in sizes.items():
            part.rows.append([road, own.name, *(number(found.ms(road, way)) for way in (own, *others)),
                              percent(gain[road, size])])
    here = {road: gain[road, BEST[:2]] for road in roads}
    for road, goal in (('NY', 1.49), ('BAY', 1.085)):
        part.claim('4.3.5', f'{road}: stealing gains {percent(goal)}', percent(here[road]) if road in here else '-',
                   said([here[road]] if road in here else [], lambda ratios: ratios[0] >= goal))
    part.claim('abstract', f'it gains at least 8.5 % on every map, {BEST.name}', listed(list(here.items())),
               said(list(here.values()), lambda ratios: min(ratios) >= 1.085))
    best = [(road, min(found.ms(road, other) for _, others in sizes.values() for other in others)
             / min(found.ms(road, own) for own, _ in sizes.values())) for road in roads]
    part.claim('goal', 'the same, each with the numbers of workers that suit it best', listed(best),
               said(best, lambda pairs: min(ratio for _, ratio in pairs) >= 1.085))
    part.plots = [Bars('coarse', 'Time of stealing and of coarse partitioning', 'ms', roads,
                       {way.name: [found.ms(road, way) for road in roads] for way in (BEST, *rivals(*BEST[:2]))})]
    return part


def rivals(cpus, groups):
    """Coarse partitioning with the threshold that stealing has, and with CHAI's."""
    own = Way(cpus, groups, policy='coarse')
    return [own, own._replace(threshold=str(CHAI_LIMIT))]


def order(found):
    part = Part('7. Memory orders (section 4.3.6, Figure 4.8)')
    strict = BEST._replace(order='seq_cst')
    roads = found.has(BEST, strict)
    part.rows = [['map', 'levels', f'{BEST.name}, ms', f'{strict.name}, ms', 'weaker orders gain']]
    gain = [(road, found.times_longer(road, strict, BEST)) for road in roads]
    for road, ratio in gain:
        part.rows.append([road, f'{len(found.frontier(road)):,}', number(found.ms(road, BEST)),
                          number(found.ms(road, strict)), percent(ratio)])
    for road, goal in (('NY', 1.08), ('BAY', 1.055)):
        here = dict(gain).get(road)
        part.claim('4.3.6', f'{road}: weaker orders gain {percent(goal)}', percent(here) if here else '-',
                   None if here is None else here >= goal)
    others = [(road, ratio) for road, ratio in gain if road not in ('NY', 'BAY')]
    part.claim('4.3.6', 'the others differ by less than can be told', listed(others),
               said(others, lambda pairs: max(abs(ratio - 1) for _, ratio in pairs) <= 2 * NOISE))
    part.plots = [Bars('order', 'Time with the weakest orders that will do, and sequentially consistent', 'ms', roads,
                       {way.name: [found.ms(road, way) for road in roads] for way in (BEST, strict)})]
    return part


def with_all(other):
    return [way for size in SIZES for way in (Way(*size), other(*size))]


# Experiments by name: the ways each needs, and what it makes of them.
PARTS = {
    'share': ([Way(1, 8)], share),
    'alone': ([CPU, *(Way(0, groups, steal) for groups in ALONE for steal in ('none', 'all'))], alone),
    'threshold': (with_all(lambda c, g: Way(c, g, threshold='1')), threshold),
    'stealing': ([CPU, *with_all(lambda c, g: Way(c, g, 'none'))], stealing),
    'cpu-stealing': ([CPU, *with_all(lambda c, g: Way(c, g, 'cpu'))], cpu_stealing),
    'coarse': ([way for size in SIZES for way in (Way(*size), *rivals(*size))], coarse),
    'order': ([BEST, BEST._replace(order='seq_cst')], order),
}


def ways_of(parts):
    """What the parts need, each once."""
    return list(dict.fromkeys(way for name in parts for way in PARTS[name][0]))
