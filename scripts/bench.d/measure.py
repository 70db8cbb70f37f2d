"""Runs a program and measures it: seconds, processor time, peak memory, peak disk space."""
import os
import signal
import stat
import subprocess
import tempfile
import threading
import time

EVERY = 0.02        # seconds between two measurements of the disk; one takes less than a hundredth of this time


class Failed(Exception):
    """A program or a check has failed; the text says why."""


def descendants(process):
    """A process and all processes that it has started, the process itself first."""
    found = [process]
    for parent in found:
        try:
            for task in os.scandir(f'/proc/{parent}/task'):
                with open(f'{task.path}/children', encoding='ascii') as file:
                    found += [int(word) for word in file.read().split()]
        except (OSError, ValueError):
            pass                            # it has ended meanwhile
    return found


def room(folder, process):
    """Bytes on disk: the files in a folder, and the temporary files without a name that the processes have open."""
    total, seen = 0, set()
    folders = [folder]
    for path in folders:
        try:
            for entry in os.scandir(path):
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
                else:
                    total += entry.stat(follow_symlinks=False).st_blocks * 512
        except OSError:
            pass                            # renamed or removed meanwhile
    for each in descendants(process):
        try:
            for entry in os.scandir(f'/proc/{each}/fd'):
                file = os.stat(entry.path)
                if stat.S_ISREG(file.st_mode) and file.st_nlink == 0 and (file.st_dev, file.st_ino) not in seen:
                    seen.add((file.st_dev, file.st_ino))
                    total += file.st_blocks * 512
        except OSError:
            pass
    return total


class Watch(threading.Thread):
    """Measures the disk space again and again until `end` is called."""

    def __init__(self, folder, process):
        super().__init__(daemon=True)
        self.folder, self.process, self.peak, self.ended = folder, process, 0, threading.Event()

    def run(self):
        while not self.ended.wait(EVERY):
            self.peak = max(self.peak, room(self.folder, self.process))

    def end(self):
        self.ended.set()
        self.join()
        return max(self.peak, room(self.folder, self.process))


def run(command, folder, kill_after=None):
    """Runs a command that writes into a folder, to its end or until it is killed after `kill_after` seconds.

    Returns the wall seconds by the monotonic clock; the processor seconds of the command and of the processes that it
    waited for; the memory of its largest process in MiB; and the disk space of the folder and of files without a name,
    in bytes.
    """
    with tempfile.TemporaryFile() as words, tempfile.NamedTemporaryFile('r') as peak:
        # GNU time starts the command: a direct child would begin with the memory of this process as its peak.
        timed = ['/usr/bin/time', '-q', '-f', '%M', '-o', peak.name, *command]
        begun = time.monotonic()
        process = os.posix_spawn(timed[0], timed, os.environ, file_actions=[
            (os.POSIX_SPAWN_OPEN, 0, '/dev/null', os.O_RDONLY, 0), (os.POSIX_SPAWN_DUP2, words.fileno(), 1),
            (os.POSIX_SPAWN_DUP2, words.fileno(), 2)])
        watch = Watch(folder, process)
        watch.start()
        killer = threading.Timer(kill_after, kill_below, [process]) if kill_after else None
        if killer:
            killer.start()
        _, status, usage = os.wait4(process, 0)
        wall = time.monotonic() - begun
        if killer:
            killer.cancel()
        disk = watch.end()
        if status and not kill_after:
            words.seek(0)
            raise Failed(f'{subprocess.list2cmdline(command)}:\n{words.read().decode(errors="replace")[-2000:]}')
        memory = peak.read().split()
        return {'wall': wall, 'cpu': usage.ru_utime + usage.ru_stime, 'disk': disk,
                'memory': int(memory[-1]) / 1024 if memory else None, 'finished': status == 0}


def kill_below(process):
    """Kills the processes that a process has started with SIGKILL, so that they can't clean up."""
    for each in descendants(process)[1:]:
        try:
            os.kill(each, signal.SIGKILL)
        except ProcessLookupError:
            pass
