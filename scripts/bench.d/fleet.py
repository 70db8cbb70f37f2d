"""Thousands of small stores: decantd with a spool, and a shard of a manifest, against a Python loop.

The loop makes the same files, and makes each of them durable, too.
"""
import concurrent.futures
import contextlib
import os
import shutil
import sqlite3
import statistics
import subprocess
import time

import daemon
import fleet_model
import parallel
import programs
import table

ROWS = 2000         # objects of a store, which then has half a megabyte
SETTINGS = ('page_size = 4096', 'auto_vacuum = 2', 'locking_mode = EXCLUSIVE', 'journal_mode = OFF', 'synchronous = OFF')


def run(place, count, rounds):
    catalogue = os.path.join(place, 'fleet')
    bundle = fleet_model.write(catalogue)
    source = os.path.join(place, 'fleet.sqlite')
    subprocess.run([programs.DECANT, 'generate', f'{bundle}#Fleet', '--rows', str(ROWS), '--output', source, '--force',
                    '--quiet'], check=True, stdout=subprocess.DEVNULL)
    plan = Plan(bundle, source)
    print(f'\nfleet: {count:,} stores of {os.path.getsize(source) / 1000:,.0f} kB with {len(plan.tables)} tables, '
          f'{len(plan.statements)} statements that make them; {rounds} round{"s" if rounds != 1 else ""}')
    print(f'  {"":12}{"python/s":>10}{"decantd/s":>11}{"shard/s":>9}   decantd by python, shard by decantd')
    seconds = {(name, workers): [] for workers in (1, 2) for name in ('python', 'decantd', 'shard')}
    for number in range(rounds + 1):
        for name, workers in seconds:
            folders = [parallel.drop(place, source, f'{index:05}') for index in range(count)]
            os.sync()
            if name == 'python':
                taken = loop(place, folders, plan, workers)
            elif name == 'shard':
                taken = shard(place, catalogue, folders, workers)
            else:
                with daemon.running(place, catalogue, workers) as spool:
                    taken = daemon.bring(spool, folders)
            if number:
                seconds[name, workers].append(taken)
            shutil.rmtree(os.path.join(place, 'drops'))
        programs.say(f'— fleet: round {number} of {rounds}')
    found = {}
    for workers in (1, 2):
        python, decantd, shards = (seconds[name, workers] for name in ('python', 'decantd', 'shard'))
        ratios = [one / other for one, other in zip(python, decantd)]
        own = [one / other for one, other in zip(decantd, shards)]
        print(f'  {workers} worker{"s" if workers > 1 else " "}   {count / statistics.median(python):10,.0f}'
              f'{count / statistics.median(decantd):11,.0f}{count / statistics.median(shards):9,.0f}   '
              f'{table.spread(ratios)}, {table.spread(own)}', flush=True)
        found[f'{workers} workers'] = {'python': python, 'decantd': decantd, 'shard': shards, 'ratios': ratios,
                                       'shard ratios': own}
    return {'stores': count, **found}


class Plan:
    """What the loop needs for each store: the statements that make the tables, and the columns of each table."""

    def __init__(self, bundle, source):
        text = subprocess.run([programs.DECANT, 'schema', f'{bundle}#Fleet 2'], check=True, capture_output=True,
                              text=True).stdout
        self.statements = [line.removesuffix(';') for line in text.splitlines() if line and not line.startswith('--')]
        with contextlib.closing(sqlite3.connect(f'file:{source}?mode=ro&immutable=1', uri=True)) as store:
            self.tables = [name for (name,) in store.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")]
            self.columns = {name: ', '.join(row[1] for row in store.execute(f'PRAGMA table_info("{name}")'))
                            for name in self.tables}

    def script(self, source):
        tables = [line for line in self.statements if line.startswith('CREATE TABLE')]
        rest = [line for line in self.statements if not line.startswith('CREATE TABLE')]
        rows = [f'INSERT INTO main."{name}" ({self.columns[name]}) SELECT {self.columns[name]} FROM source."{name}"'
                for name in self.tables]
        settings = [f'PRAGMA {setting}' for setting in SETTINGS]
        return ';\n'.join([*settings, f"ATTACH 'file:{source}?mode=ro&immutable=1' AS source", 'BEGIN', *tables, *rows,
                           *rest, 'COMMIT', ''])


def migrate(job):
    """Makes a new file with tables, rows and indexes. The file is durable under its name before the next one begins."""
    plan, source, done = job
    result = os.path.join(done, os.path.basename(source))
    begun = f'{result}.begun'
    store = sqlite3.connect(f'file:{begun}', uri=True, isolation_level=None)
    store.executescript(plan.script(source))
    store.close()
    for path, change in ((begun, lambda: os.rename(begun, result)), (done, lambda: None)):
        file = os.open(path, os.O_RDONLY)
        os.fsync(file)
        os.close(file)
        change()


def shard(place, catalogue, folders, workers):
    """Returns the seconds of the command's run with its start. Scratch folder and output are on one file system."""
    output, scratch = os.path.join(place, 'results'), os.path.join(place, 'scratch')
    for folder in (output, scratch):
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
    manifest = os.path.join(place, 'manifest')
    with open(manifest, 'w', encoding='utf-8') as file:
        file.write(''.join(f'{parallel.store(folder)}\n' for folder in folders))
    begun = time.monotonic()
    subprocess.run([programs.DECANT, 'migrate', '--manifest', manifest, '--models', catalogue, '--output', output,
                    '--scratch', scratch, '--jobs', str(workers), '--quiet'], check=True, stdout=subprocess.DEVNULL)
    taken = time.monotonic() - begun
    for folder in (output, scratch):
        shutil.rmtree(folder)
    return taken


def loop(place, folders, plan, workers):
    done = os.path.join(place, 'loop')
    shutil.rmtree(done, ignore_errors=True)
    os.makedirs(done)
    jobs = [(plan, parallel.store(folder), done) for folder in folders]
    begun = time.monotonic()
    if workers == 1:
        for job in jobs:
            migrate(job)
    else:
        with concurrent.futures.ProcessPoolExecutor(workers) as pool:
            list(pool.map(migrate, jobs, chunksize=20))
    taken = time.monotonic() - begun
    shutil.rmtree(done)
    return taken
