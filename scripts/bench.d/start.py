"""The start of a job: “decant migrate” of a store of ten objects, on a quiet disk and while another process writes."""
import contextlib
import os
import shutil
import statistics
import subprocess
import sys

import contenders
import fleet_model
import measure
import programs
import side_by_side
import sources

OBJECTS = 10
# Writes 64 MiB and waits for the disk, again and again, so that each sync of the job has to wait, too.
WRITER = '''
import os, sys
piece = os.urandom(1 << 20)
while True:
    with open(sys.argv[1], 'wb') as file:
        for _ in range(64):
            file.write(piece)
        os.fsync(file.fileno())
'''


def run(place, workloads, count):
    """Milliseconds of each round, for each workload and state of the disk."""
    commands = {workload: command(place, workload) for workload in workloads} | {'30 entities': fleet(place)}
    found = {}
    print(f'\nstart of a job: {OBJECTS} objects, {count} round{"s" if count != 1 else ""}; wall milliseconds, smallest and '
          'median, processor time')
    for state, writing in (('quiet', contextlib.nullcontext), ('busy', lambda: writer(place))):
        with writing():
            for workload, words in commands.items():
                rounds = [once(place, words) for _ in range(count + 1)][1:]
                found[f'{workload} {state}'] = rounds
                wall, cpu = ([one[key] * 1000 for one in rounds] for key in ('wall', 'cpu'))
                print(f'  {workload:14}{state:7}{min(wall):8.1f}{statistics.median(wall):8.1f}'
                      f'{statistics.median(cpu):8.1f}', flush=True)
    return found


def command(place, workload):
    source = sources.source(place, workload, OBJECTS)
    return contenders.migrate(workload, source, result(place), keeps=False)


def fleet(place):
    """The command for a store of the fleet's model, which has thirty entities."""
    catalogue = os.path.join(place, 'entities')
    bundle = fleet_model.write(catalogue)
    source = os.path.join(place, 'entities.sqlite')
    subprocess.run([programs.DECANT, 'generate', f'{bundle}#Fleet', '--rows', str(OBJECTS), '--output', source, '--force',
                    '--quiet'], check=True, stdout=subprocess.DEVNULL)
    return [programs.DECANT, 'migrate', source, '--output', result(place), '--models', catalogue, '--quiet']


def result(place):
    return os.path.join(place, 'result', 'result.sqlite')


def once(place, words):
    folder = side_by_side.fresh(os.path.join(place, 'result'))
    figures = measure.run(words, folder)
    shutil.rmtree(folder)
    return figures


@contextlib.contextmanager
def writer(place):
    path = os.path.join(place, 'writing')
    process = subprocess.Popen([sys.executable, '-c', WRITER, path])
    try:
        yield
        if process.poll() is not None:
            raise measure.Failed(f'the process that writes {path} has ended')
    finally:
        process.kill()
        process.wait()
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)
