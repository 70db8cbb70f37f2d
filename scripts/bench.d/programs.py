"""The paths of the built programs and of the catalogues."""
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
BUILT = os.environ.get('DECANT_BENCH_PROGRAMS', os.path.join(ROOT, '.build', 'release'))
DECANT, DECANTD, WORKER = (os.path.join(BUILT, name) for name in ('decant', 'decantd', 'bench-worker'))
# Mapping models made of expressions, and the same models with a policy for each row.
EXPRESSIONS, POLICIES = os.path.join(HERE, 'catalogue'), os.path.join(HERE, 'policies')
NOTAS = os.path.join(ROOT, 'config', 'examples', 'catalogue')
FAMILIES = {'notes': 'Notes', 'contacts': 'Contacts', 'events': 'Events', 'graph': 'Graph', 'inferred': 'Notas',
            'light': 'Light'}


def source_model(workload):
    """The model version that a workload's source has."""
    family = FAMILIES[workload]
    folder = NOTAS if workload == 'inferred' else EXPRESSIONS
    return f'{folder}/{family}/{family}.xcdatamodeld#{family}'


def catalogue(workload, policies=False):
    if workload == 'inferred':
        return NOTAS
    return POLICIES if policies else EXPRESSIONS


def knows_unchecked():
    """Whether this build of Decant has the option --unchecked."""
    text = subprocess.run([DECANT, 'migrate', '--help'], check=True, capture_output=True, text=True).stdout
    return '--unchecked' in text


def say(text):
    print(text, file=sys.stderr, flush=True)
