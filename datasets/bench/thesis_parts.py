# SPDX-License-Identifier: MIT
"""The seven experiments of chapter 4 of Abdelmageed's thesis (University of Mississippi, 2017): the configurations that
each compares, and the report of their times. datasets/bench/thesis measures them. An improvement of 16 % means that the
time is 1.16 times as long without."""
from statistics import mean

from claims import Part, gain_band, gains, near, percent, said
from measuring import number
from plotting import Bars, Curves, Stacks, middle
from thesis_configs import CPU, HANDOFF, OWN, THESIS, Config

STEALING = (1.50, 1.10, 1.16, 1.11)  # section 4.3.3, on average, of Workers.sizes
COARSE = {'NY': 1.49, 'BAY': 1.085}  # section 4.3.5
ORDERS = {'NY': 1.08, 'BAY': 1.055}  # section 4.3.6
SHARES = (0.76, 0.17, 0.07)  # Figure 4.1: assigned, stolen by CPU workers, by groups
SMALL_MAPS = 0.3  # section 4.3.1: the device only, as fast as so many CPUs
ALONE = ('CPU only, ms', 'device only, ms')
CHAI_LIMIT = 128  # the default switching limit of CHAI's BFS
NOISE = 0.03
SLIGHT = 1.2  # "a slight improvement", at most


def listed(pairs):
    """All pairs, or of many only the minimum and the maximum."""
    if len(pairs) > 7:
        lowest, highest = min(pairs, key=lambda pair: pair[1]), max(pairs, key=lambda pair: pair[1])
        return f'{percent(lowest[1])} ({lowest[0]}) to {percent(highest[1])} ({highest[0]})'
    return ', '.join(f'{road} {percent(ratio)}' for road, ratio in pairs) or '-'


def compare(found, roads, pairs, heads):
    """Rows for pairs of configurations, by map, and {(map, configuration): how much longer the other one takes}."""
    rows, gain = [['map', 'workers', *(f'{head}, ms' for head in heads), 'gains', *ALONE]], {}
    for road in roads:
        for config, other in pairs:
            gain[road, config] = found.times_longer(road, other, config)
            rows.append([road, f'{config.cpus}C_{config.groups}G', number(found.ms(road, config)),
                         number(found.ms(road, other)), percent(gain[road, config]), *alone(found, road)])
    return rows, gain


def alone(found, road):
    """The cells of the best of each side alone, beside hybrid results."""
    return [number(ms) for ms in found.best_alone(road)]


def paper_gains(ratios):
    return {road: 100 * (ratio - 1) for road, ratio in ratios.items()}


def over_cpu(found, name, roads, pairs):
    """The figure of the speeds of all configurations of the pairs."""
    return Bars(name, f'Performance over {CPU.name}', 'times as fast', roads,
                {config.name: [speed(found, road, config) for road in roads] for pair in pairs for config in pair})


def speed(found, road, config):
    """How many times as fast as the CPU a configuration is, with the ends of its error bar."""
    return middle(found.ratios(road, CPU, config))


def share(found):
    part, config = Part('1. Stealing share (section 4.2, Figure 4.1)'), Config(*found.workers.sizes[0])
    part.rows = [['map', 'ran by', 'assigned', 'stolen from CPU workers', 'stolen from groups', 'stolen, all',
                  'by CPU workers, of all stolen', 'form', 'ms', *ALONE]]
    roads = found.has(config)
    for road in roads:
        about = found.about(road, config)
        for side in ('cpu', 'device'):
            row = about['shares'][side]
            part.rows.append([road, side, *(f'{row[key]:.1%}' for key in ('assigned', 'from_cpu', 'from_device')),
                              f'{stolen(about):.1%}', f'{by_cpu(about):.0%}', about['form'], number(found.ms(road, config)),
                              *alone(found, road)])
    if not roads:
        return part
    largest = roads[-1]
    about = found.about(largest, config)
    part.claim('4.2', f'CAL, {config.name}{found.workers.in_thesis(config[:2])}: 24 % of the tasks are stolen (here: 12 to 48 %)', f'{largest}: {stolen(about):.1%}',
               near(stolen(about), 0.24))
    part.claim('4.2', 'CPU workers take 70 % of what is stolen (here: 50 to 90 %)', f'{largest}: {by_cpu(about):.0%}',
               0.5 <= by_cpu(about) <= 0.9 if stolen(about) > 0 else None)
    keys = {'assigned': lambda s: s['cpu']['assigned'] + s['device']['assigned'],
            'stolen by CPU workers': lambda s: s['cpu']['from_cpu'] + s['cpu']['from_device'],
            'stolen by groups': lambda s: s['device']['from_cpu'] + s['device']['from_device']}
    part.plots = [Stacks('share', f'Tasks run, {config.name}', 'share of tasks', [*roads, 'the thesis: CAL'],
                         {name: [*(of(found.about(road, config)['shares']) for road in roads), there]
                          for (name, of), there in zip(keys.items(), SHARES)})]
    return part


def stolen(about):
    return sum(side['from_cpu'] + side['from_device'] for side in about['shares'].values())


def by_cpu(about):
    cpu = about['shares']['cpu']
    return (cpu['from_cpu'] + cpu['from_device']) / stolen(about) if stolen(about) else 0


def device_only(found):
    part = Part('2. Device only, with stealing and without (section 4.3.1, Figure 4.2)')
    groups_of = found.workers
    configs = [Config(0, groups, steal) for groups in groups_of for steal in ('none', 'all')]
    roads = found.has(CPU, *configs)
    part.rows = [['map', CPU.name + ', ms', *(f'{config.name}, ms' for config in configs),
                  *(f'{groups}G: stealing gains' for groups in groups_of)]]
    gain = {(road, groups): found.times_longer(road, Config(0, groups, 'none'), Config(0, groups))
             for road in roads for groups in groups_of}
    for road in roads:
        part.rows.append([road, number(found.ms(road, CPU)), *(number(found.ms(road, config)) for config in configs),
                          *(percent(gain[road, groups]) for groups in groups_of)])
    small = [(road, gain[road, groups_of.many]) for road in roads if road in ('NY', 'BAY')]
    part.claim('4.3.1', f'NYR and BAY: stealing among {groups_of.many} groups slows down', listed(small),
               said(small, lambda pairs: max(ratio for _, ratio in pairs) < 1))
    large = [(road, gain[road, groups]) for road in roads if road not in ('NY', 'BAY') for groups in groups_of[:2]]
    part.claim('4.3.1', f'larger maps: it is about even with {groups_of.few} and {groups_of.some} groups (here: within 6 %)', listed(large),
               said(large, lambda pairs: max(abs(ratio - 1) for _, ratio in pairs) <= 2 * NOISE))
    slower = [(road, 1 / min(found.times_longer(road, config, CPU) for config in configs)) for road in roads if road != 'CAL']
    part.claim('4.3.1', 'on NYR the device is 0.3 times as fast as the CPU (here: 0.15 to 0.6)', number(dict(slower).get('NY')),
               said([ratio for road, ratio in slower if road == 'NY'], lambda ratios: near(ratios[0], SMALL_MAPS)))
    part.claim('4.3.1', 'on maps smaller than CAL it does not reach the CPU',
               ', '.join(f'{road} {number(ratio)} times' for road, ratio in slower),
               said(slower, lambda pairs: max(ratio for _, ratio in pairs) < 1))
    part.plots = [Bars('device-only', f'Performance of the device only over {CPU.name}', 'times as fast', roads,
                       {config.name: [speed(found, road, config) for road in roads] for config in configs},
                       {config.name: {'NY': SMALL_MAPS, 'BAY': SMALL_MAPS} for config in configs if config.steal == 'none'})]
    return part


def threshold(found):
    part = Part('3. A threshold for the device (section 4.3.2, Figures 4.3 and 4.4)')
    pairs = [(Config(c, g), Config(c, g, threshold='1')) for c, g in found.workers.sizes]
    roads = found.has(*(config for pair in pairs for config in pair))
    part.rows, gain = compare(found, roads, pairs, ['with', 'without'])
    for row in part.rows[1:]:
        cpus, groups = (int(word[:-1]) for word in row[1].split('_'))
        sizes, guide = found.frontier(row[0]), found.guide(cpus, groups)
        row += [f'{guide:,}', f'{sum(size >= guide for size in sizes):,} of {len(sizes):,}', f'{max(sizes):,}']
    part.rows[0] += ['threshold', 'levels above it', 'largest level']
    small = [(f'{road} {w.name}', gain[road, w]) for road in roads if road in ('NY', 'BAY') for w, _ in pairs]
    part.claim('4.3.2', 'NYR and BAY gain much (here: at least 20 %)', listed(small),
               said(small, lambda found: min(ratio for _, ratio in found) >= SLIGHT))
    others = [(f'{road} {w.name}', gain[road, w]) for road in roads if road not in ('NY', 'BAY') for w, _ in pairs]
    part.claim('4.3.2', 'the others gain slightly, or nothing; none loses (here: -3 to 20 %)', listed(others),
               said(others, lambda some: all(1 - NOISE <= ratio <= SLIGHT for _, ratio in some)))
    part.plots = [Bars('threshold', 'Time with the threshold and without', 'ms', roads,
                       {config.name: [found.spread(road, config) for road in roads] for pair in pairs for config in pair}),
                  Curves('frontier', 'Vertices in each level, and thresholds', 'vertices', 'level',
                         {road: found.frontier(road) for road in roads},
                         {f'{c}C_{g}G': found.guide(c, g) for c, g in found.workers.sizes})]
    return part


def stealing(found):
    part = Part('4. Stealing against none (section 4.3.3, Figure 4.5)')
    pairs = [(Config(c, g), Config(c, g, 'none')) for c, g in found.workers.sizes]
    roads = found.has(CPU, *(config for pair in pairs for config in pair))
    part.rows, gain = compare(found, roads, pairs, ['stealing', 'none'])
    every, averages = [], {}
    for (config, _), goal in zip(pairs, STEALING):
        here = [(road, gain[road, config]) for road in found.joins(config.cpus, config.groups) if road in roads]
        every += [ratio for _, ratio in here]
        average = mean(ratio for _, ratio in here) if here else None
        if here:
            percents = [100 * (ratio - 1) for _, ratio in here]
            averages[config.name] = (mean(percents), min(percents), max(percents))
        part.claim('4.3.3', f'{config.name}{found.workers.in_thesis(config[:2])}: stealing gains {percent(goal)} on average ({gain_band(goal)})',
                   f'{percent(average)}: {listed(here)}' if here else 'no map reaches its threshold',
                   None if average is None else gains(average, goal))
    part.claim('abstract', f'stealing gains 16 % on average ({gain_band(1.16)})', percent(mean(every)) if every else '-',
               said(every, lambda ratios: gains(mean(ratios), 1.16)))
    part.claim('4.3.3', 'it never loses more than 3 %', percent(min(every)) if every else '-',
               said(every, lambda ratios: min(ratios) >= 1 - NOISE))
    champion = found.workers.best
    best = [road for road in roads if found.ms(road, champion) <= (1 + NOISE) * min(
        found.ms(road, config) for pair in pairs for config in pair)]
    part.claim('4.3.3', f'{champion.name} with stealing is the fastest (here: within 3 %)', f'on {len(best)} of {len(roads)} maps',
               said(roads, lambda all_of: len(best) == len(all_of)))
    names = [config.name for config, _ in pairs]
    part.plots = [over_cpu(found, 'stealing', roads, pairs),
                  Bars('stealing-gains', 'What stealing gains: average, worst and best map', 'percent', names,
                       {'all maps': [averages.get(name) for name in names]},
                       {'all maps': {name: 100 * (goal - 1) for name, goal in zip(names, STEALING)}}, signed=True)]
    return part


def cpu_stealing(found):
    part = Part('5. Only CPU workers steal (section 4.3.4, Figure 4.6)')
    pairs = [(Config(c, g), Config(c, g, 'cpu')) for c, g in found.workers.sizes]
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
    best_size = found.workers.best[:2]
    sizes = {size: (Config(*size), rivals(*size)) for size in found.workers.sizes}
    roads = found.has(*(config for own, others in sizes.values() for config in (own, *others)))
    part.rows = [['map', 'workers', 'stealing, ms', 'coarse, ms', f'coarse from {CHAI_LIMIT} on, ms',
                  'gains over the better one', *ALONE]]
    gain = {(road, size): min(found.times_longer(road, other, own) for other in others)
            for road in roads for size, (own, others) in sizes.items()}
    for road in roads:
        for size, (own, others) in sizes.items():
            part.rows.append([road, own.name, *(number(found.ms(road, config)) for config in (own, *others)),
                              percent(gain[road, size]), *alone(found, road)])
    here = {road: gain[road, best_size] for road in roads}
    for road, goal in COARSE.items():
        part.claim('4.3.5', f'{road}: stealing gains {percent(goal)} ({gain_band(goal)})', percent(here[road]) if road in here else '-',
                   gains(here[road], goal) if road in here else None)
    part.claim('abstract', f'it gains at least 8.5 % on every map, {Config(*best_size).name}', listed(list(here.items())),
               said(list(here.values()), lambda ratios: min(ratios) >= 1.085))
    best = [(road, min(found.ms(road, other) for _, others in sizes.values() for other in others)
             / min(found.ms(road, own) for own, _ in sizes.values())) for road in roads]
    part.claim('goal', 'the same, each with the numbers of workers that suit it best', listed(best),
               said(best, lambda pairs: min(ratio for _, ratio in pairs) >= 1.085))
    part.plots = [Bars('coarse', 'Time of stealing and of coarse partitioning', 'ms', roads,
                       {config.name: [found.spread(road, config) for road in roads] for config in (Config(*best_size), *rivals(*best_size))}),
                  Bars('coarse-gains', 'What stealing gains over the better coarse partitioning', 'percent', roads,
                       {'gain': [min(found.gain(road, Config(*best_size), other) for other in rivals(*best_size)) for road in roads]},
                       {'gain': paper_gains(COARSE)}, signed=True)]
    return part


def rivals(cpus, groups):
    """Coarse partitioning with the threshold of stealing, and with CHAI's."""
    own = Config(cpus, groups, policy='coarse')
    return [own, own._replace(threshold=str(CHAI_LIMIT))]


def order(found):
    part = Part('7. Memory orders (section 4.3.6, Figure 4.8)')
    best = found.workers.best
    strict = best._replace(order='seq_cst')
    roads = found.has(best, strict)
    part.rows = [['map', 'levels', f'{best.name}, ms', f'{strict.name}, ms', 'weaker orders gain', *ALONE]]
    gain = [(road, found.times_longer(road, strict, best)) for road in roads]
    for road, ratio in gain:
        part.rows.append([road, f'{len(found.frontier(road)):,}', number(found.ms(road, best)),
                          number(found.ms(road, strict)), percent(ratio), *alone(found, road)])
    for road, goal in ORDERS.items():
        here = dict(gain).get(road)
        part.claim('4.3.6', f'{road}: weaker orders gain {percent(goal)} ({gain_band(goal)})', percent(here) if here else '-',
                   None if here is None else gains(here, goal))
    others = [(road, ratio) for road, ratio in gain if road not in ('NY', 'BAY')]
    part.claim('4.3.6', 'the others differ by less than can be told (here: 6 %)', listed(others),
               said(others, lambda pairs: max(abs(ratio - 1) for _, ratio in pairs) <= 2 * NOISE))
    part.plots = [Bars('order', 'Time with the weakest orders that will do, and sequentially consistent', 'ms', roads,
                       {config.name: [found.spread(road, config) for road in roads] for config in (best, strict)}),
                  Bars('order-gains', 'What weaker orders gain', 'percent', roads,
                       {'gain': [found.gain(road, best, strict) for road in roads]}, {'gain': paper_gains(ORDERS)}, signed=True)]
    return part


def handoff(found):
    part = Part('8. Handoff of whole levels, which needs no shared atomics (not in the thesis)')
    part.rows = [['map', f'{HANDOFF.name}, ms', *ALONE, f'{OWN.name}, ms', 'gains over the best side alone']]
    roads, gain = found.has(CPU, HANDOFF, OWN), []
    for road in roads:
        best = min([CPU, OWN, *(config for config in found.workers.alone if road in found.has(config))],
                   key=lambda config: found.ms(road, config))
        gain.append((road, found.times_longer(road, best, HANDOFF)))
        part.rows.append([road, number(found.ms(road, HANDOFF)), *alone(found, road), number(found.ms(road, OWN)),
                          percent(gain[-1][1])])
    part.claim('goal', 'both together are not slower than the best side alone (here: by 3 %)', listed(gain),
               said(gain, lambda some: min(ratio for _, ratio in some) >= 1 - NOISE))
    part.plots = [Bars('handoff', 'Handoff, and each side alone', 'ms', roads,
                       {config.name: [found.spread(road, config) for road in roads] for config in (CPU, OWN, HANDOFF)})]
    return part


def with_all(workers, other):
    return [config for size in workers.sizes for config in (Config(*size), other(*size))]


# Experiments by name: the configurations for numbers of workers, and the report of their results. Each side alone is measured
# for every hybrid result.
PARTS = {
    'share': (lambda of: [Config(*of.sizes[0]), *of.alone], share),
    'device-only': (lambda of: [CPU, *(Config(0, groups, steal) for groups in of for steal in ('none', 'all'))], device_only),
    'threshold': (lambda of: [*with_all(of, lambda c, g: Config(c, g, threshold='1')), *of.alone], threshold),
    'stealing': (lambda of: [*of.alone, *with_all(of, lambda c, g: Config(c, g, 'none'))], stealing),
    'cpu-stealing': (lambda of: [*of.alone, *with_all(of, lambda c, g: Config(c, g, 'cpu'))], cpu_stealing),
    'coarse': (lambda of: [*(config for size in of.sizes for config in (Config(*size), *rivals(*size))), *of.alone], coarse),
    'order': (lambda of: [of.best, of.best._replace(order='seq_cst'), *of.alone], order),
    'handoff': (lambda of: [HANDOFF, OWN, *of.alone], handoff),
}
# These share deques, which takes atomics that hold between device and host.
SHARED = tuple(name for name in PARTS if name not in ('device-only', 'handoff'))


def configs_of(parts, workers=THESIS):
    """The configurations of the parts, each once."""
    return list(dict.fromkeys(config for name in parts for config in PARTS[name][0](workers)))
