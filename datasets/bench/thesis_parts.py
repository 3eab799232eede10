# SPDX-License-Identifier: MIT
"""The seven experiments of chapter 4 of Abdelmageed's thesis (University of Mississippi, 2017): the configurations that
each compares, and the report of their times. datasets/bench/thesis measures them. An improvement of 16 % means that the
time is 1.16 times as long without."""
from statistics import mean

from claims import Part, near, percent, said
from measuring import number
from plotting import Bars, Curves, Stacks
from thesis_configs import BEST, CPU, SIZES, Config

GROUPS = (8, 16, 32)
STEALING = {(1, 8): 1.50, (1, 16): 1.10, (2, 16): 1.16, (2, 32): 1.11}  # section 4.3.3, on average
CHAI_LIMIT = 128  # the default switching limit of CHAI's BFS
NOISE = 0.03


def listed(pairs):
    """All pairs, or of many only the minimum and the maximum."""
    if len(pairs) > 7:
        lowest, highest = min(pairs, key=lambda pair: pair[1]), max(pairs, key=lambda pair: pair[1])
        return f'{percent(lowest[1])} ({lowest[0]}) to {percent(highest[1])} ({highest[0]})'
    return ', '.join(f'{road} {percent(ratio)}' for road, ratio in pairs) or '-'


def compare(found, roads, pairs, heads):
    """Rows for pairs of configurations, by map, and {(map, configuration): how much longer the other one takes}."""
    rows, gain = [['map', 'workers', *(f'{head}, ms' for head in heads), 'gains']], {}
    for road in roads:
        for config, other in pairs:
            gain[road, config] = found.times_longer(road, other, config)
            rows.append([road, f'{config.cpus}C_{config.groups}G', number(found.ms(road, config)),
                         number(found.ms(road, other)), percent(gain[road, config])])
    return rows, gain


def over_cpu(found, name, roads, pairs):
    """The figure of the speeds of all configurations of the pairs."""
    return Bars(name, f'Performance over {CPU.name}', 'times as fast', roads,
                {config.name: [1 / found.times_longer(road, config, CPU) for road in roads] for pair in pairs for config in pair})


def share(found):
    part, config = Part('1. Stealing share (section 4.2, Figure 4.1)'), Config(1, 8)
    part.rows = [['map', 'ran by', 'assigned', 'stolen from CPU workers', 'stolen from groups', 'stolen, all',
                  'by CPU workers, of all stolen', 'form']]
    roads = found.has(config)
    for road in roads:
        about = found.about(road, config)
        for side in ('cpu', 'device'):
            row = about['shares'][side]
            part.rows.append([road, side, *(f'{row[key]:.1%}' for key in ('assigned', 'from_cpu', 'from_device')),
                              f'{stolen(about):.1%}', f'{by_cpu(about):.0%}', about['form']])
    if not roads:
        return part
    largest = roads[-1]
    about = found.about(largest, config)
    part.claim('4.2', 'CAL, 1C_8G: 24 % of the tasks are stolen (here: 12 to 48 %)', f'{largest}: {stolen(about):.1%}',
               near(stolen(about), 0.24))
    part.claim('4.2', 'CPU workers take 70 % of what is stolen (here: 50 to 90 %)', f'{largest}: {by_cpu(about):.0%}',
               0.5 <= by_cpu(about) <= 0.9 if stolen(about) > 0 else None)
    keys = {'assigned': lambda s: s['cpu']['assigned'] + s['device']['assigned'],
            'stolen by CPU workers': lambda s: s['cpu']['from_cpu'] + s['cpu']['from_device'],
            'stolen by groups': lambda s: s['device']['from_cpu'] + s['device']['from_device']}
    part.plots = [Stacks('share', f'Tasks run, {config.name} (thesis, CAL: 76 %, 17 %, 7 %)', 'share of tasks', roads,
                         {name: [of(found.about(road, config)['shares']) for road in roads]
                          for name, of in keys.items()})]
    return part


def stolen(about):
    return sum(side['from_cpu'] + side['from_device'] for side in about['shares'].values())


def by_cpu(about):
    cpu = about['shares']['cpu']
    return (cpu['from_cpu'] + cpu['from_device']) / stolen(about) if stolen(about) else 0


def device_only(found):
    part = Part('2. Device only, with stealing and without (section 4.3.1, Figure 4.2)')
    configs = [Config(0, groups, steal) for groups in GROUPS for steal in ('none', 'all')]
    roads = found.has(CPU, *configs)
    part.rows = [['map', CPU.name + ', ms', *(f'{config.name}, ms' for config in configs),
                  *(f'{groups}G: stealing gains' for groups in GROUPS)]]
    gains = {(road, groups): found.times_longer(road, Config(0, groups, 'none'), Config(0, groups))
             for road in roads for groups in GROUPS}
    for road in roads:
        part.rows.append([road, number(found.ms(road, CPU)), *(number(found.ms(road, config)) for config in configs),
                          *(percent(gains[road, groups]) for groups in GROUPS)])
    small = [(road, gains[road, 32]) for road in roads if road in ('NY', 'BAY')]
    part.claim('4.3.1', 'NYR and BAY: stealing among 32 groups slows down', listed(small),
               said(small, lambda pairs: max(ratio for _, ratio in pairs) < 1))
    large = [(road, gains[road, groups]) for road in roads if road not in ('NY', 'BAY') for groups in (8, 16)]
    part.claim('4.3.1', 'larger maps: it is about even with 8 and 16 groups', listed(large),
               said(large, lambda pairs: max(abs(ratio - 1) for _, ratio in pairs) <= 2 * NOISE))
    slower = [(road, 1 / min(found.times_longer(road, config, CPU) for config in configs)) for road in roads if road != 'CAL']
    part.claim('4.3.1', 'on maps smaller than CAL it does not reach the CPU (NYR: 0.3 times)',
               ', '.join(f'{road} {number(ratio)} times' for road, ratio in slower),
               said(slower, lambda pairs: max(ratio for _, ratio in pairs) < 1))
    part.plots = [Bars('device-only', f'Performance of the device only over {CPU.name}', 'times as fast', roads,
                       {config.name: [1 / found.times_longer(road, config, CPU) for road in roads] for config in configs})]
    return part


def threshold(found):
    part = Part('3. A threshold for the device (section 4.3.2, Figures 4.3 and 4.4)')
    pairs = [(Config(c, g), Config(c, g, threshold='1')) for c, g in SIZES]
    roads = found.has(*(config for pair in pairs for config in pair))
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
                       {config.name: [found.ms(road, config) for road in roads] for pair in pairs for config in pair}),
                  Curves('frontier', 'Vertices in each level, and thresholds', 'vertices', 'level',
                         {road: found.frontier(road) for road in roads},
                         {f'{c}C_{g}G': found.guide(c, g) for c, g in SIZES})]
    return part


def stealing(found):
    part = Part('4. Stealing against none (section 4.3.3, Figure 4.5)')
    pairs = [(Config(c, g), Config(c, g, 'none')) for c, g in SIZES]
    roads = found.has(CPU, *(config for pair in pairs for config in pair))
    part.rows, gain = compare(found, roads, pairs, ['stealing', 'none'])
    alone = [Config(0, groups) for groups in GROUPS]
    part.rows[0] += [CPU.name + ', ms', 'device only, ms']
    for row in part.rows[1:]:
        of_device = [found.ms(row[0], config) for config in alone if row[0] in found.has(config)]
        row += [number(found.ms(row[0], CPU)), number(min(of_device, default=None))]
    every = []
    for config, _ in pairs:
        here = [(road, gain[road, config]) for road in found.joins(config.cpus, config.groups) if road in roads]
        every += [ratio for _, ratio in here]
        goal = STEALING[config.cpus, config.groups]
        average = mean(ratio for _, ratio in here) if here else None
        part.claim('4.3.3', f'{config.name}: stealing gains {percent(goal)} on average',
                   f'{percent(average)}: {listed(here)}' if here else 'no map reaches its threshold',
                   None if average is None else average >= goal)
    part.claim('abstract', 'stealing gains 16 % on average', percent(mean(every)) if every else '-',
               said(every, lambda ratios: mean(ratios) >= 1.16))
    part.claim('4.3.3', 'it never loses more than 3 %', percent(min(every)) if every else '-',
               said(every, lambda ratios: min(ratios) >= 1 - NOISE))
    best = [road for road in roads if found.ms(road, BEST) <= (1 + NOISE) * min(
        found.ms(road, config) for pair in pairs for config in pair)]
    part.claim('4.3.3', f'{BEST.name} with stealing is the fastest', f'on {len(best)} of {len(roads)} maps',
               said(roads, lambda all_of: len(best) == len(all_of)))
    part.plots = [over_cpu(found, 'stealing', roads, pairs)]
    return part


def cpu_stealing(found):
    part = Part('5. Only CPU workers steal (section 4.3.4, Figure 4.6)')
    pairs = [(Config(c, g), Config(c, g, 'cpu')) for c, g in SIZES]
    roads = found.has(CPU, *(config for pair in pairs for config in pair))
    part.rows, gain = compare(found, roads, pairs, ['all steal', 'only CPU workers'])
    small = [(f'{road} {w.name}', gain[road, w]) for road in roads if road in ('NY', 'BAY', 'COL') for w, _ in pairs
             if road in found.joins(w.cpus, w.groups)]
    part.claim('4.3.4', 'NYR, BAY and COL: groups that steal hurt', listed(small),
               said(small, lambda pairs: max(ratio for _, ratio in pairs) < 1))
    part.plots = [over_cpu(found, 'cpu-stealing', roads, pairs)]
    return part


def coarse(found):
    part = Part("6. Against coarse partitioning, CHAI's (section 4.3.5, Figure 4.7)")
    sizes = {size: (Config(*size), rivals(*size)) for size in SIZES}
    roads = found.has(*(config for own, others in sizes.values() for config in (own, *others)))
    part.rows = [['map', 'workers', 'stealing, ms', 'coarse, ms', f'coarse from {CHAI_LIMIT} on, ms',
                  'gains over the better one']]
    gain = {(road, size): min(found.times_longer(road, other, own) for other in others)
            for road in roads for size, (own, others) in sizes.items()}
    for road in roads:
        for size, (own, others) in sizes.items():
            part.rows.append([road, own.name, *(number(found.ms(road, config)) for config in (own, *others)),
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
                       {config.name: [found.ms(road, config) for road in roads] for config in (BEST, *rivals(*BEST[:2]))})]
    return part


def rivals(cpus, groups):
    """Coarse partitioning with the threshold of stealing, and with CHAI's."""
    own = Config(cpus, groups, policy='coarse')
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
                       {config.name: [found.ms(road, config) for road in roads] for config in (BEST, strict)})]
    return part


def with_all(other):
    return [config for size in SIZES for config in (Config(*size), other(*size))]


# Experiments by name: the configurations, and the report of their results.
PARTS = {
    'share': ([Config(1, 8)], share),
    'device-only': ([CPU, *(Config(0, groups, steal) for groups in GROUPS for steal in ('none', 'all'))], device_only),
    'threshold': (with_all(lambda c, g: Config(c, g, threshold='1')), threshold),
    'stealing': ([CPU, *with_all(lambda c, g: Config(c, g, 'none'))], stealing),
    'cpu-stealing': ([CPU, *with_all(lambda c, g: Config(c, g, 'cpu'))], cpu_stealing),
    'coarse': ([config for size in SIZES for config in (Config(*size), *rivals(*size))], coarse),
    'order': ([BEST, BEST._replace(order='seq_cst')], order),
}


def configs_of(parts):
    """The configurations of the parts, each once."""
    return list(dict.fromkeys(config for name in parts for config in PARTS[name][0]))
