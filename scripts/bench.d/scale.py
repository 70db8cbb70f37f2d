"""Measures whether the time for each row and the memory stay constant while the store grows."""
import os
import shutil
import statistics

import contenders
import programs
import side_by_side
import sources


def run(place, workloads, rows, count, only):
    """Measures each contender with a hundredth, a tenth and all of the rows: µs for each row, and peak memory."""
    sizes = [max(1, rows // 100), max(1, rows // 10), rows]
    found = {}
    print(f'\nscale: {count} rounds; time a row in µs and peak MiB at each size; the last column is the last by the first')
    print(f'  {"":24}' + ''.join(f'{size:>22,}' for size in sizes) + f'{"time":>8}{"memory":>8}')
    for workload in workloads:
        names = [name for name in contenders.names(workload) if (name in only if only else name not in ('cp', 'py'))]
        figures = {name: {} for name in names}
        for size in sizes:
            source = sources.source(place, workload, size)
            for _ in range(count):
                for name in names:
                    folder = os.path.join(place, 'result')
                    figures[name].setdefault(size, []).append(side_by_side.once(name, workload, source, folder))
                    shutil.rmtree(folder)
            programs.say(f'— {workload}: {size:,} objects')
        for name, each in figures.items():
            times = [statistics.median(one['wall'] for one in each[size]) / size * 1e6 for size in sizes]
            peaks = [max(one['memory'] for one in each[size]) for size in sizes]
            print(f'  {workload + " " + name:24}' + ''.join(f'{time:13.3f}{peak:9.1f}' for time, peak in zip(times, peaks))
                  + f'{times[-1] / times[0]:8.2f}{peaks[-1] / peaks[0]:8.2f}', flush=True)
        found[workload] = figures
    return found
