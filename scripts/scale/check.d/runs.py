"""Runs all shards under Slurm or GNU parallel, and kills and requeues tasks at random."""
import os
import signal
import subprocess
import time

import slurm

HERE = os.path.dirname(os.path.realpath(__file__))
FINISHED = {'COMPLETED', 'FAILED', 'CANCELLED', 'TIMEOUT', 'NODE_FAIL', 'OUT_OF_MEMORY'}


def under_slurm(place, stores, output, shards, troubles, dice, say):
    environment = {'DECANT_MANIFEST': stores.manifest, 'DECANT_MODELS': stores.catalogue, 'DECANT_OUTPUT': output,
                   'DECANT_SCRATCH': scratch(place, 'slurm'), 'DECANT_RESTARTS': '1000',
                   # “decant verify” needs the associations for mapping models.
                   'DECANT_OPTIONS': '--keep-associations',
                   'PATH': os.path.dirname(stores.decant) + ':' + os.environ['PATH']}
    with slurm.Slurm(place, cpus=4) as cluster:
        job = cluster.submit(shards, environment)
        say(f'Slurm: array {job} of {shards} tasks.')
        done = 0
        while True:
            states = cluster.tasks(job)
            if states and all(state in FINISHED for state in states.values()):
                break
            running = [task for task, state in states.items() if state == 'RUNNING']
            if done < troubles and running:
                done += trouble(cluster, job, dice.choice(running), output, dice)
            time.sleep(dice.uniform(0.2, 1.5))
        codes = cluster.exit_codes(job)
    say(f'Slurm: {done} tasks were killed or requeued; exit codes {sorted(codes.values())}.')
    return done, [code for code in codes.values() if code not in (0, 65)]


def trouble(cluster, job, task, output, dice):
    """Requeues a task, or kills a process of some task: then slurm.sbatch has to requeue that task.

    Returns the number of tasks and processes that were requeued or killed.
    """
    kind = dice.choice(('requeue', 'run', 'worker'))
    if kind == 'requeue':
        cluster.requeue(job, task)
        return 1
    return kill(output, kind, dice)


def under_parallel(place, stores, output, shards, troubles, dice, say):
    environment = dict(os.environ, PATH=os.path.dirname(stores.decant) + ':' + os.environ['PATH'],
                       DECANT_PARALLEL='--jobs 2 --will-cite', DECANT_PAUSE='0')
    run = subprocess.Popen(
        [os.path.join(HERE, '../parallel.sh'), str(shards), '--manifest', stores.manifest, '--models', stores.catalogue,
         '--output', output, '--scratch', scratch(place, 'parallel'), '--keep-associations', '--quiet'],
        env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    done = 0
    while run.poll() is None:
        time.sleep(dice.uniform(0.2, 1.5))
        if done < troubles:
            done += kill(output, dice.choice(('run', 'stop', 'worker')), dice)
    say(f'GNU parallel: {done} processes were killed; exit code {run.returncode}.')
    return done, [run.returncode] if run.returncode else []


def scratch(place, name):
    path = os.path.join(place, f'scratch-{name}')
    os.makedirs(path)
    return path


def kill(output, kind, dice):
    """Ends a run with this output, or one of its workers; returns the number of ended processes."""
    runs = [number for number, words in processes() if b'--output' in words and os.fsencode(output) in words]
    victims = runs
    if kind == 'worker':
        victims = [number for number, words in processes() if b'--worker' in words and parent(number) in runs]
    if not victims:
        return 0
    try:
        os.kill(dice.choice(victims), signal.SIGTERM if kind == 'stop' else signal.SIGKILL)
    except ProcessLookupError:
        return 0
    return 1


def processes():
    for name in os.listdir('/proc'):
        if name.isdigit():
            try:
                with open(f'/proc/{name}/cmdline', 'rb') as file:
                    words = file.read().split(b'\0')
            except OSError:
                continue
            if words and os.path.basename(words[0]) in (b'decant', b'exe'):
                yield int(name), words


def parent(number):
    try:
        with open(f'/proc/{number}/stat', 'rb') as file:
            return int(file.read().rsplit(b')', 1)[1].split()[1])
    except OSError:
        return 0
