"""The measured commands. Each writes `result.sqlite` into a folder of its own, and makes it durable."""
import os
import sys

import programs

# Whether an object keeps the primary key of its source object.
KEEPS_KEYS = {'sql': True, 'alter': True, 'decant': True, 'without associations': True, 'unchecked': True, 'py': False,
              'policy': False, 'unchecked policy': False}

KNOWN = ('cp', 'sql', 'alter', 'py', 'decant', 'without associations', 'policy', 'unchecked', 'unchecked policy')

# Workloads without a mapping model.
INFERRED = ('inferred', 'light')


def bases(workload):
    """The contenders with which the others are compared. They always run; all results must equal the first one's."""
    return ('alter', 'cp') if workload == 'light' else ('sql',)


def names(workload):
    """The contenders of a workload, in the order in which they run."""
    inferred = workload in INFERRED
    every = ['cp', bases(workload)[0]] + ([] if inferred else ['py']) + ['decant'] + ([] if inferred else ['policy'])
    if workload == 'inferred':
        every.append('without associations')
    if programs.knows_unchecked():
        every += ['unchecked'] + ([] if inferred else ['unchecked policy'])
    return every


def command(name, workload, source, folder):
    result = os.path.join(folder, 'result.sqlite')
    if name == 'cp':
        return shell('cp --reflink=never "$1" "$2" && sync "$2"', source, result)
    if name == 'sql':
        return shell('sqlite3 -bail "$1" <"$2" && sync "$1"', result, script(workload, source, folder))
    if name == 'alter':
        return shell('cp --reflink=never "$1" "$2" && sqlite3 -bail "$2" <"$3" && sync "$2"', source, result,
                     os.path.join(programs.HERE, 'sql', f'{workload}.sql'))
    if name == 'py':
        return [sys.executable, '-B', os.path.join(programs.HERE, 'row_loop.py'), workload, source, result]
    keeps = workload != 'light' and name != 'without associations'
    return migrate(workload, source, result, name.endswith('policy'), name.startswith('unchecked'), keeps)


def migrate(workload, source, result, policies=False, unchecked=False, keeps=True):
    """“decant migrate” with its default settings, so that the run can be resumed.

    The command for the workload “light” keeps no associations, because cp and alter write no row for each object.
    """
    found = [programs.DECANT, 'migrate', source, '--output', result, '--family', programs.FAMILIES[workload],
             '--models', programs.catalogue(workload, policies), '--quiet']
    if keeps:
        found += ['--keep-associations']
    if policies:
        found += ['--worker', programs.WORKER]
    if unchecked:
        found += ['--unchecked']
    return found


def shell(line, *arguments):
    return ['/bin/sh', '-c', line, 'sh', *arguments]


def script(workload, source, folder):
    """The hand-written statements for a source, as a file."""
    texts = []
    for name in ('head', workload):
        with open(os.path.join(programs.HERE, 'sql', f'{name}.sql'), encoding='utf-8') as file:
            texts.append(file.read())
    path = os.path.join(os.path.dirname(folder), f'{workload}.sql')
    with open(path, 'w', encoding='utf-8') as file:
        file.write(''.join(texts).replace('SOURCE', source))
        file.write('COMMIT;\n')
    return path

