"""Runs the real decantd with a private spool."""
import contextlib
import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time

import measure
import programs


class Answers(http.client.HTTPConnection):
    """HTTP over a Unix socket."""

    def __init__(self, path):
        super().__init__('localhost', timeout=5)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


@contextlib.contextmanager
def running(place, catalogue, workers):
    """Starts a daemon, gives the path of its spool, and ends the daemon with SIGTERM."""
    spool = os.path.join(place, 'spool')
    shutil.rmtree(spool, ignore_errors=True)
    for name in ('incoming', 'work', 'done', 'failed'):
        os.makedirs(os.path.join(spool, name))
        os.chmod(os.path.join(spool, name), 0o2770)
    with tempfile.TemporaryDirectory(prefix='decantd-') as own:
        settings = {
            'spool': spool, 'catalogue': catalogue, 'socket': f'{own}/health.sock', 'progressLog': f'{own}/progress.log',
            'workers': workers, 'originals': 'delete', 'minimumFreeBytes': 0,
            # With two workers, one is kept for short jobs. Here two large stores have to run at the same time.
            'bigStoreBytes': 1 << 50,
            'longSeconds': 31_536_000,
        }
        with open(f'{own}/decantd.json5', 'w', encoding='utf-8') as file:
            json.dump(settings, file)
        with open(f'{own}/words', 'wb') as words:
            process = subprocess.Popen([programs.DECANTD, '--config', f'{own}/decantd.json5'], stdin=subprocess.DEVNULL,
                                       stdout=words, stderr=words)
        try:
            wait_until_ready(process, f'{own}/health.sock', f'{own}/words')
            yield spool
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait()
            shutil.rmtree(spool, ignore_errors=True)


def wait_until_ready(process, path, words):
    for _ in range(500):
        if process.poll() is not None:
            break
        with contextlib.suppress(OSError):
            answers = Answers(path)
            answers.request('GET', '/readyz')
            if answers.getresponse().status == 200:
                return
        time.sleep(0.02)
    with open(words, encoding='utf-8', errors='replace') as file:
        raise measure.Failed(f'decantd isn’t ready:\n{file.read()[-2000:]}')


def jobs(folder):
    """The names in a folder that don't begin with a dot."""
    return [name for name in os.listdir(folder) if not name.startswith('.')]


def bring(spool, folders):
    """Drops folders, each by one rename, and returns the seconds until all results are in done/."""
    done, failed = os.path.join(spool, 'done'), os.path.join(spool, 'failed')
    begun = time.monotonic()
    for folder in folders:
        os.rename(folder, os.path.join(spool, 'incoming', os.path.basename(folder)))
    while len(jobs(done)) < len(folders):
        if jobs(failed):
            first = os.path.join(failed, jobs(failed)[0], 'report.txt')
            with open(first, encoding='utf-8') as file:
                raise measure.Failed(f'decantd refused a store:\n{file.read()[-2000:]}')
        time.sleep(0.02)
    return time.monotonic() - begun
