"""Two large stores in decantd: one after the other with one worker, at the same time with two workers."""
import os
import shutil
import statistics

import daemon
import programs
import sources
import table


def run(place, workloads, rows, count):
    found = {}
    print(f'\nparallel: two stores of {rows:,} objects in decantd, {count} round{"s" if count != 1 else ""}')
    print(f'  {"":12}{"1 worker s":>12}{"2 workers s":>12}   throughput of two by one')
    for workload in workloads:
        source = sources.source(place, workload, rows)
        times = {1: [], 2: []}
        for number in range(count + 1):
            for workers in times:
                with daemon.running(place, programs.catalogue(workload), workers) as spool:
                    seconds = daemon.bring(spool, [drop(place, source, name) for name in ('first', 'second')])
                if number:
                    times[workers].append(seconds)
            programs.say(f'— {workload}: round {number} of {count}')
        ratios = [one / two for one, two in zip(times[1], times[2])]
        print(f'  {workload:12}{statistics.median(times[1]):12.3f}{statistics.median(times[2]):12.3f}   '
              f'{table.spread(ratios)}', flush=True)
        found[workload] = {'seconds': times, 'ratios': ratios}
    return found


def drop(place, source, name):
    """Makes a folder with a durable copy of a store, and returns its path."""
    folder = os.path.join(place, 'drops', name)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    os.chmod(folder, 0o2770)
    copy = shutil.copyfile(source, store(folder))
    with open(copy, 'rb+') as file:
        os.fsync(file.fileno())
    return folder


def store(folder):
    """The path of the store in such a folder; the store has the folder's name."""
    return os.path.join(folder, f'{os.path.basename(folder)}.sqlite')
