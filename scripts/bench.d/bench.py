"""scripts/bench: measures Decant beside other programs that do the same work; see BENCHMARKS.md."""
import argparse
import contextlib
import json
import os
import platform
import shutil
import sqlite3
import tempfile

import contenders
import measure
import programs
import side_by_side

# The workloads with mapping models; resume, scale and parallel take these by default.
MAPPED = ['notes', 'contacts', 'events', 'graph']
WORKLOADS = [*contenders.INFERRED, *MAPPED]
LIMIT = 64          # the most memory that Decant may take, in MiB
KINDS = ['fleet', 'parallel', 'resume', 'scale', 'start']


class Arguments(argparse.ArgumentParser):
    def error(self, message):
        self.exit(64, f'bench: {message}\n')


parser = Arguments(
    prog='scripts/bench', formatter_class=argparse.RawDescriptionHelpFormatter,
    description='Measures Decant beside hand-written SQL and a Python loop; BENCHMARKS.md says what and how.',
    epilog='''kinds of measurement, as the first word:
  (none)    each workload with all contenders: compares results, and measures seconds, memory and disk
  resume    a run that is killed at half of its time and continued, against an uninterrupted run
  scale     time for each row, and memory, with a hundredth, a tenth and all of the rows
  parallel  two large stores in decantd, with one worker and with two workers
  fleet     thousands of small stores in decantd and in a shard, against a Python loop
  start     a store of ten objects, on a quiet disk and while another process writes

workloads: ''' + ', '.join(WORKLOADS))
parser.add_argument('words', nargs='*', metavar='WORD', help='a kind of measurement, then workloads; all by default')
parser.add_argument('--rows', type=int, help='objects of a store; 1,000,000 by default, 10,000,000 for scale; '
                    'not for fleet and start')
parser.add_argument('--runs', type=int, help='counted rounds; 5 by default, 3 for parallel and fleet, 1 for scale, '
                    '25 for start')
parser.add_argument('--stores', type=int, default=2000, help='stores of the fleet; 2000 by default')
parser.add_argument('--contenders', help='only these, separated by commas; except for scale, the workload light '
                    'also runs cp and alter, and each other workload sql')
parser.add_argument('--json', metavar='FILE', help='writes all figures there')
parser.add_argument('--check', action='store_true', help=argparse.SUPPRESS)      # only checks the arguments
parser.add_argument('--place', metavar='DIR', help='where stores are written, and sources kept for later runs; '
                                                   'a temporary folder by default')


def measurement(kind, workloads, given, place):
    only = given.contenders.split(',') if given.contenders else None
    rows, runs = given.rows or 1_000_000, given.runs or 5
    if kind == 'resume':
        import resume
        return resume.run(place, workloads or MAPPED, rows, runs)
    if kind == 'scale':
        import scale
        return scale.run(place, workloads or MAPPED, given.rows or 10_000_000, given.runs or 1, only)
    if kind == 'parallel':
        import parallel
        return parallel.run(place, workloads or MAPPED, rows, given.runs or 3)
    if kind == 'fleet':
        import fleet
        return fleet.run(place, given.stores, given.runs or 3)
    if kind == 'start':
        import start
        return start.run(place, workloads or WORKLOADS, given.runs or 25)
    return {each: side_by_side.run(place, each, rows, runs, only) for each in workloads or WORKLOADS}


def main():
    given = parser.parse_args()
    for name in ('rows', 'runs', 'stores'):
        value = getattr(given, name)
        if value is not None and value < 1:
            parser.error(f'--{name} takes a whole number above 0')
    for name in (given.contenders or '').split(',') if given.contenders is not None else []:
        if name not in contenders.KNOWN:
            parser.error(f'“{name}” is not a contender; there are {", ".join(contenders.KNOWN)}')
    words = list(given.words)
    kind = words.pop(0) if words and words[0] in KINDS else 'workloads'
    for word in words:
        if word not in WORKLOADS:
            parser.error(f'“{word}” is not a workload ({", ".join(WORKLOADS)}), and not a kind of measurement '
                         f'({", ".join(KINDS)})')
    if kind == 'start' and (given.rows or given.contenders):
        parser.error('start takes neither --rows nor --contenders')
    if given.check:
        return
    with contextlib.ExitStack() as stack:
        if given.place:
            place = os.path.abspath(given.place)
            os.makedirs(place, exist_ok=True)
        else:
            place = tempfile.mkdtemp(prefix='decant-bench-')
            stack.callback(shutil.rmtree, place, ignore_errors=True)
        try:
            figures = measurement(kind, words, given, place)
        except measure.Failed as failure:
            raise SystemExit(f'bench: {failure}') from None
    if given.json:
        with open(given.json, 'w', encoding='utf-8') as file:
            json.dump({'measurement': kind, 'machine': platform.platform(), 'processors': os.cpu_count(),
                       'sqlite': sqlite3.sqlite_version, 'python': platform.python_version(), 'figures': figures}, file,
                      indent=1, sort_keys=True)
            file.write('\n')
    # Memory must not grow with the size of the store.
    if kind == 'workloads':
        heavy = [f'{name} of “{workload}” took {line["memory"]:.0f} MiB' for workload, each in figures.items()
                 for name, line in each['summary'].items()
                 if name not in ('cp', 'sql', 'alter', 'py') and line['memory'] >= LIMIT]
        if heavy:
            raise SystemExit(f'bench: {LIMIT} MiB are the limit; ' + ', '.join(heavy))


if __name__ == '__main__':
    main()
