"""The workloads: all contenders in turn, for several rounds. The first round is compared, but not counted."""
import os
import shutil

import content
import contenders
import measure
import programs
import sources
import table


def fresh(folder):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    return folder


def once(name, workload, source, folder):
    """One run of a contender into an empty folder."""
    command = contenders.command(name, workload, source, fresh(folder))
    figures = measure.run(command, folder)
    figures['result'] = os.path.getsize(os.path.join(folder, 'result.sqlite'))
    return figures


def compare(workload, names, found):
    """Ends the program if a result differs from that of the first base."""
    expected = found[contenders.bases(workload)[0]]
    words = [f'  {name}: {line}' for name in names if name in found
             for line in content.differences(expected, found[name], contenders.KEEPS_KEYS[name])]
    if words:
        raise SystemExit(f'bench: the results of “{workload}” differ:\n' + '\n'.join(words[:40]))
    programs.say(f'— {workload}: equal results of {", ".join(found)}')


def run(place, workload, rows, count, only=None):
    """Measures one workload, and returns its figures."""
    bases = contenders.bases(workload)
    names = [name for name in contenders.names(workload) if not only or name in only or name in bases]
    source = sources.source(place, workload, rows)
    runs, found = {name: [] for name in names}, {}
    for number in range(count + 1):
        for name in names:
            with open(source, 'rb') as file:            # into the page cache
                while file.read(1 << 22):
                    pass
            folder = os.path.join(place, 'result')
            figures = once(name, workload, source, folder)
            if number:
                runs[name].append(figures)
            elif name != 'cp':
                found[name] = content.picture(workload, os.path.join(folder, 'result.sqlite'))
            shutil.rmtree(folder)
        if not number:
            compare(workload, names, found)
        programs.say(f'— {workload}: round {number} of {count}')
    summaries = table.workload(workload, rows, os.path.getsize(source), runs, bases)
    return {'rows': rows, 'source': os.path.getsize(source), 'runs': runs, 'summary': summaries}
