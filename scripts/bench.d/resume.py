"""A run that is killed at half of its time and continued, against an uninterrupted run."""
import os
import shutil

import content
import contenders
import measure
import programs
import side_by_side
import sources
import table


def run(place, workloads, rows, count):
    """For each workload, with expressions and with policies: the time of both runs, divided by that of a whole run."""
    found = {}
    print(f'\nkilled at half and run again: both runs together, against one; {rows:,} objects, {count} round{"s" if count != 1 else ""}')
    print(f'  {"":22}{"one s":>9}{"both s":>9}   ratio')
    for workload in workloads:
        source = sources.source(place, workload, rows)
        for name in ('decant', 'policy'):
            if name not in contenders.names(workload):
                continue
            rounds = [interrupted(place, name, workload, source) for _ in range(count + 1)][1:]
            found[f'{workload} {name}'] = rounds
            whole = sorted(one['whole'] for one in rounds)[len(rounds) // 2]
            both = sorted(one['killed'] + one['resumed'] for one in rounds)[len(rounds) // 2]
            ratios = [one['ratio'] for one in rounds]
            print(f'  {workload + " " + name:22}{whole:9.3f}{both:9.3f}   {table.spread(ratios)}', flush=True)
    return found


def interrupted(place, name, workload, source):
    """Measures a whole run, a run that is killed at half of that time, and its continuation; compares the results."""
    folder = os.path.join(place, 'result')
    result = os.path.join(folder, 'result.sqlite')
    command = contenders.command(name, workload, source, side_by_side.fresh(folder))
    whole = measure.run(command, folder)
    expected = content.picture(workload, result)
    side_by_side.fresh(folder)
    killed = measure.run(command, folder, kill_after=whole['wall'] / 2)
    if killed['finished'] or os.path.exists(result):
        raise SystemExit(f'bench: {workload} {name} was done at half of its time; give it more --rows')
    resumed = measure.run(command, folder)
    words = content.differences(expected, content.picture(workload, result), with_keys=True)
    if words:
        raise SystemExit(f'bench: {workload} {name}: a killed run went on to something else:\n  ' + '\n  '.join(words[:40]))
    shutil.rmtree(folder)
    programs.say(f'— {workload} {name}: equal results')
    return {'whole': whole['wall'], 'killed': killed['wall'], 'resumed': resumed['wall'],
            'ratio': (killed['wall'] + resumed['wall']) / whole['wall']}
