# SPDX-License-Identifier: MIT
"""The parts of chen: which runs each needs, and its report."""
from claims import Part, percent, said, share
from measuring import number
from plotting import Bars, Lines

PATTERNS = {'P0': 1, 'P1': 0.75, 'P2': 0.5, 'P3': 0.5, 'P4': 0.25}  # the shares of tasks with work
QUEUE, EQUAL, CHUNKS = 'central', 'static', 'chunks'  # their solutions TQ, 1 and 3
SCHEDULES = (QUEUE, EQUAL, CHUNKS, 'steal', 'cursor')
OVERHEAD, TOLERANCE = 1.02, 0.05
PAPER_P4 = {'queue': 0.745, 'hardware': 0.484}  # the parts of the time that pattern P4 saves
PAPER_ATOMS = 524288  # there the queue is 93.6 / 84.1 times as fast as equal parts, and random order takes 1.74 times as long
PAPER_SPEEDS = {f'{QUEUE}, spatial': [(PAPER_ATOMS, 93.6 / 84.1)], f'{EQUAL}, random': [(PAPER_ATOMS, 1 / 1.74)]}
PAPER_ENQUEUE = [(120, 114300)]  # tasks of a call, ns
LAUNCHES = {'fed_ms': 'queue', 'hardware_ms': 'hardware', 'chunks_ms': 'a kernel a chunk'}


def parts(atoms_run, timer):
    """{name: (runs of a setup, report of findings)}; the arguments are the classes of runs."""

    def even(found, schedule, pattern):
        return atoms_run(found.setup['atoms'][-1], 'uniform', schedule=schedule, pattern=pattern)

    # ---- sizes ----

    def configs_of_sizes(setup):
        return [atoms_run(atoms, 'gauss', order, schedule) for atoms in setup['atoms']
                for order, schedule in (*(('spatial', schedule) for schedule in SCHEDULES), ('random', EQUAL))]

    def sizes(found):
        part = Part('1. More and more atoms (section 6.3.1, Figure 5)')
        part.rows = [['atoms', 'order', 'schedule', 'ms a step', 'times equal parts', 'M atom-steps/s', 'M pairs/s', 'idle']]
        lines, speeds, gains, slower, launches = {}, {}, [], [], []
        for run in (run for run in configs_of_sizes(found.setup) if found.has(run)):
            equal = atoms_run(run.atoms, 'gauss', 'spatial', EQUAL)
            ratio = found.ratio(run, equal) if found.has(equal) else None
            idle = found.value(run, 'idle')
            part.rows.append([f'{run.atoms:,}', run.order, run.schedule, number(found.value(run, 'ms')), number(ratio),
                              number(found.value(run, 'atom_steps')), number(found.value(run, 'pairs')), share(idle)])
            name = f'{run.schedule}, {run.order}'
            lines.setdefault(name, []).append((run.atoms, found.spread(run, 'atom_steps')))
            if ratio:
                speeds.setdefault(name, []).append((run.atoms, found.ratios(equal, run)))
            if ratio and run.schedule == QUEUE:
                gains.append((run.atoms, 1 / ratio))
            if ratio and run.schedule == CHUNKS:
                launches.append((run.atoms, ratio))
            if ratio and run.order == 'random':
                slower.append((run.atoms, ratio))
        part.claim('Figure 5', 'with the most atoms the queue is 10 % faster than equal parts (here: 5 %)',
                   ', '.join(f'{atoms:,}: {percent(gain)}' for atoms, gain in gains) or '-', said(gains, lambda some: some[-1][1] >= 1.05))
        part.claim('6.3.1', 'with the most atoms random order is 74 % slower (here: 30 %)',
                   ', '.join(f'{atoms:,}: {percent(ratio)}' for atoms, ratio in slower) or '-',
                   said(slower, lambda some: some[-1][1] >= 1.3))
        part.claim('6.3.1', 'a kernel for each chunk is not faster than equal parts',
                   ', '.join(f'{atoms:,}: {percent(ratio)} time' for atoms, ratio in launches) or '-',
                   said(launches, lambda some: all(ratio >= 1 for _, ratio in some)))
        part.plots = [Lines('sizes', 'Molecular dynamics, denser in the centre', 'million atom-steps a second', 'atoms', lines),
                      Lines('sizes-gains', 'Molecular dynamics, denser in the centre', 'times as fast as equal parts', 'atoms', speeds,
                            paper=PAPER_SPEEDS)]
        return part

    # ---- patterns ----

    def configs_of_patterns(setup):
        return [atoms_run(setup['atoms'][-1], 'uniform', schedule=schedule, pattern=pattern) for pattern in PATTERNS
                for schedule in SCHEDULES]

    def patterns(found):
        part = Part('2. Idle tasks (section 6.3.1, Figures 6 and 7)')
        part.rows = [['pattern', 'work', 'schedule', 'ms a step', 'part of the time of P0', 'idle']]
        shares, spreads = ({schedule: {} for schedule in SCHEDULES} for _ in range(2))
        for pattern, work in PATTERNS.items():
            for schedule in SCHEDULES:
                run, full = even(found, schedule, pattern), even(found, schedule, 'P0')
                if not found.has(run, full):
                    continue
                spreads[schedule][pattern] = found.ratios(run, full)
                shares[schedule][pattern] = spreads[schedule][pattern][0]
                part.rows.append([pattern, f'{work:.0%}', schedule, number(found.value(run, 'ms')), share(shares[schedule][pattern]),
                                  share(found.value(run, 'idle'))])
        queue, equal = even(found, QUEUE, 'P0'), even(found, EQUAL, 'P0')
        ratio = found.ratio(queue, equal) if found.has(queue, equal) else None
        part.claim('Figure 7', 'P0: the queue is a little slower than equal parts (here: at most 2 %)',
                   f'{percent(ratio)} time' if ratio else '-', ratio <= OVERHEAD if ratio else None)
        proportion_claim(part, 'the queue\'s time is in proportion to the work (here: within 5 % of P0)', shares[QUEUE])
        part.claim('Figure 7', 'without a queue P4 saves less of the time than of the work (48.4 %), here: with equal parts',
                   saved_text(shares[EQUAL]), saved(shares[EQUAL]) < 0.65 if 'P4' in shares[EQUAL] else None)
        part.claim('Figure 7', 'the hardware\'s scheduler saves as little, here: with a kernel for each chunk (less than 65 %)',
                   saved_text(shares[CHUNKS]), saved(shares[CHUNKS]) < 0.65 if 'P4' in shares[CHUNKS] else None)
        part.plots = [Bars('patterns', 'Molecular dynamics with idle tasks', 'time, as a part of that of P0', list(PATTERNS),
                           {schedule: [some.get(pattern) for pattern in PATTERNS] for schedule, some in spreads.items()},
                           {QUEUE: {'P4': 1 - PAPER_P4['queue']}, EQUAL: {'P4': 1 - PAPER_P4['hardware']}})]
        return part

    # ---- queue, scheduler ----

    def configs_of_timer(setup):
        return [timer(setup['tasks'])]

    # ---- devices ----

    def on_devices(setup, schedule, count):
        return atoms_run(setup['atoms'][-1], 'gauss', schedule=schedule, devices=count)

    def configs_of_devices(setup):
        return [on_devices(setup, schedule, count) for schedule in (QUEUE, CHUNKS) for count in setup['devices']]

    def devices(found):
        part = Part('5. Several devices (section 6.3.2, Figures 8 to 10)')
        part.rows = [['schedule', 'devices', 'ms a step', 'times as fast as one', 'busiest over the mean', 'M atom-steps/s']]
        speeds, spreads, balance, faster = {QUEUE: [], CHUNKS: []}, {QUEUE: [], CHUNKS: []}, [], []
        for run in (run for run in configs_of_devices(found.setup) if found.has(run)):
            one, other = (on_devices(found.setup, *of) for of in ((run.schedule, 1), (CHUNKS, run.devices)))
            speed = found.ratio(one, run) if found.has(one) else None
            part.rows.append([run.schedule, str(run.devices), number(found.value(run, 'ms')), number(speed),
                              number(found.value(run, 'busiest')), number(found.value(run, 'atom_steps'))])
            if run.devices > 1 and run.schedule == QUEUE:
                balance.append((run.devices, found.value(run, 'busiest')))
                faster += [(run.devices, found.ratio(other, run))] if found.has(other) else []
            if speed and run.devices > 1:
                speeds[run.schedule].append((run.devices, speed))
                spreads[run.schedule].append((run.devices, found.ratios(one, run)))
        part.claim('Figure 9', 'with the queue the speedup is nearly linear (here: 90 %)',
                   ', '.join(f'{speed:.2f} with {count}' for count, speed in speeds[QUEUE]) or 'it takes several devices',
                   said(speeds[QUEUE], lambda some: all(speed >= 0.9 * count for count, speed in some)))
        part.claim('Figure 10', 'with the queue all devices are busy for the same time (here: the busiest for at most 1.05 times the mean)',
                   ', '.join(f'{value:.2f} times with {count}' for count, value in balance) or 'it takes several devices',
                   said(balance, lambda some: all(value <= 1.05 for _, value in some)))
        part.claim('Figure 8', 'with the queue they are 1.2 times as fast as with a kernel for each chunk (here: 1.1)',
                   ', '.join(f'{value:.2f} times with {count}' for count, value in faster) or 'it takes several devices',
                   said(faster, lambda some: some[-1][1] >= 1.1))
        part.plots = [Lines('devices', 'Molecular dynamics on several devices', 'times as fast as one', 'devices',
                            {schedule: [(1, 1), *some] for schedule, some in spreads.items()}, ideal=True)] if speeds[QUEUE] else []
        return part

    return {'sizes': (configs_of_sizes, sizes), 'patterns': (configs_of_patterns, patterns), 'queue': (configs_of_timer, queue_prices),
            'scheduler': (configs_of_timer, scheduler), 'devices': (configs_of_devices, devices)}


def saved(shares):
    return 1 - shares['P4']


def saved_text(shares):
    return f'{saved(shares):.1%}' if 'P4' in shares else '-'


def proportion_claim(part, says, shares):
    """shares: {pattern: the part of P0's time}."""
    some = {pattern: value for pattern, value in shares.items() if pattern != 'P0'}
    part.claim('Figure 7', says, ', '.join(f'{pattern}: {value:.1%} for {PATTERNS[pattern]:.0%}' for pattern, value in some.items()) or '-',
               all(abs(value - PATTERNS[pattern]) <= TOLERANCE for pattern, value in some.items()) if some else None)


def queue_prices(found):
    part = Part('3. Enqueue and dequeue (section 5.2)')
    enqueue, dequeue, serve = found.timed('enqueue', 'ns'), found.timed('dequeue', 'ns_a_task'), found.timed('serve', 'ns_a_task')
    part.rows = [['operation', 'with', 'ns', 'ns a task']]
    part.rows += [['enqueue', f'{row["batch"]} tasks a call', number(row['ns']), number(row['ns'] / row['batch'])] for row in enqueue]
    part.rows += [['dequeue', f'{row["groups"]} groups', '-', number(row['ns_a_task'])] for row in dequeue]
    part.rows += [['both', f'a queue of {row["capacity"]}', '-', number(row['ns_a_task'])] for row in serve]
    paper = next((row['ns'] for row in enqueue if row['batch'] == 120), None)
    part.claim('5.2', 'an enqueue of 120 tasks takes 114.3 us (here: at most 5 us)', f'{number(paper / 1e3)} us' if paper else '-',
               paper <= 5000 if paper else None)
    part.claim('5.2', 'a dequeue takes 0.4 us with many groups', f'{number(dequeue[0]["ns_a_task"] / 1e3)} us' if dequeue else '-',
               dequeue[0]['ns_a_task'] <= 400 if dequeue else None)
    several = dequeue if len(dequeue) > 1 else []
    part.claim('5.2', 'a dequeue takes less time with more groups',
               ', '.join(f'{number(row["ns_a_task"])} ns with {row["groups"]}' for row in several) or 'it takes several groups',
               said(several, lambda rows: rows[0]['ns_a_task'] < rows[-1]['ns_a_task']))
    part.plots = [Lines('enqueue', 'Host queues: an enqueue', 'ns', 'tasks of a call',
                        {'enqueue': [(row['batch'], row['spread']) for row in enqueue]}, paper={'enqueue': PAPER_ENQUEUE}),
                  Lines('serve', 'Host queues: tasks without work', 'ns a task', 'capacity of the queue',
                        {'host and device together': [(row['capacity'], row['spread']) for row in serve]})] if enqueue else []
    return part


def scheduler(found):
    part = Part('4. The queue and the hardware\'s scheduler (section 6.3.1)')
    part.rows = [['rounds of a task', 'pattern', 'tasks', 'groups', *(f'{name}, ms' for name in LAUNCHES.values()),
                  'queue, times the hardware']]
    timed = {key: found.timed('schedule', key) for key in LAUNCHES}
    rows = [dict(row, **{key: timed[key][i][key] for key in LAUNCHES}, spreads={key: timed[key][i]['spread'] for key in LAUNCHES})
            for i, row in enumerate(timed['fed_ms'])]
    for row in rows:
        part.rows.append([f'{row["rounds"]:,}', row['pattern'], f'{row["tasks"]:,}', f'{row["groups"]:,}',
                          *(number(row[key]) for key in LAUNCHES), number(row['fed_ms'] / row['hardware_ms'])])
    longest = {row['pattern']: row for row in rows if row['rounds'] == rows[-1]['rounds']}
    shares = {key: {pattern: row[key] / longest['P0'][key] for pattern, row in longest.items()} for key in LAUNCHES}
    full = [row for row in rows if row['pattern'] == 'P0']
    ratio = longest['P0']['fed_ms'] / longest['P0']['hardware_ms'] if longest else None
    part.claim('Figure 7', 'P0: the queue is a little slower than the hardware (here: at most 2 %, the longest tasks)',
               f'{percent(ratio)} time' if ratio else '-', ratio <= OVERHEAD if ratio else None)
    proportion_claim(part, 'the queue\'s time is in proportion to the work (here: within 5 % of P0, the longest tasks)', shares['fed_ms'])
    part.claim('Figure 7', 'P4 saves 48.4 % of the hardware\'s time (here: less than 65 %, the longest tasks)',
               saved_text(shares['hardware_ms']), saved(shares['hardware_ms']) < 0.65 if longest else None)
    part.claim('6.3.1', 'many kernels cannot be faster than one (P0, the longest tasks)',
               f'a kernel a chunk takes {percent(longest["P0"]["chunks_ms"] / longest["P0"]["hardware_ms"])} time' if longest else '-',
               longest['P0']['chunks_ms'] >= longest['P0']['hardware_ms'] if longest else None)
    part.plots = [Lines('scheduler', 'The price of a task, P0', 'ms', 'rounds of a task',
                        {name: [(row['rounds'], row['spreads'][key]) for row in full if row['rounds'] > 0] for key, name in LAUNCHES.items()}),
                  Bars('scheduler-patterns', 'Idle tasks, the longest tasks', 'time, as a part of that of P0', list(PATTERNS),
                       {name: [shares[key].get(pattern) for pattern in PATTERNS] for key, name in LAUNCHES.items()},
                       {LAUNCHES[key]: {'P4': 1 - PAPER_P4[name]} for key, name in (('fed_ms', 'queue'), ('hardware_ms', 'hardware'))})] if rows else []
    return part
