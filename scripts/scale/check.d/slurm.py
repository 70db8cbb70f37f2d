"""A private Slurm: munged, slurmctld and slurmd as plain processes over loopback, in a private folder."""
import getpass
import os
import shutil
import socket
import subprocess
import tempfile
import time

HERE = os.path.dirname(os.path.realpath(__file__))
CONFIGURATION = '''ClusterName=decant
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket={place}/munge/socket
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=2,batch_sched_delay=0,sched_min_interval=0
SchedulerType=sched/backfill
ReturnToService=2
KillWait=5
MinJobAge=3600
SlurmdParameters=config_overrides
StateSaveLocation={place}/controller
SlurmdSpoolDir={place}/node
SlurmctldPidFile={place}/slurmctld.pid
SlurmdPidFile={place}/slurmd.pid
SlurmctldLogFile={place}/slurmctld.log
SlurmdLogFile={place}/slurmd.log
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} RealMemory={memory} State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
'''


class Slurm:
    """A Slurm that runs as long as its `with` block."""

    environment = None

    def __init__(self, place, cpus):
        # The path of a socket has at most 107 bytes.
        self.place, self.cpus = tempfile.mkdtemp(prefix='decant-slurm-', dir='/tmp'), cpus
        self.logs = os.path.join(place, 'slurm')
        self.processes = []
        # Pending tasks whose start was brought forward.
        self.hurried = set()

    def __enter__(self):
        try:
            return self.begin()
        except BaseException:
            self.__exit__()
            raise

    def begin(self):
        os.chmod(self.place, 0o755)
        for name in ('munge', 'controller', 'node'):
            os.makedirs(os.path.join(self.place, name), mode=0o700)
        munge = os.path.join(self.place, 'munge')
        key = os.path.join(munge, 'key')
        with open(key, 'wb') as file:
            file.write(os.urandom(1024))
        os.chmod(key, 0o400)
        # munged's clients have to reach the socket.
        os.chmod(munge, 0o711)
        self.start('munged', '--foreground', '--force', f'--socket={munge}/socket', f'--key-file={key}',
                   f'--pid-file={munge}/pid', f'--log-file={munge}/log', f'--seed-file={munge}/seed')
        self.wait_for(lambda: os.path.exists(f'{munge}/socket'), 'munged')
        with open(os.path.join(self.place, 'slurm.conf'), 'w') as file:
            file.write(CONFIGURATION.format(
                host=socket.gethostname().split('.')[0], ports=free_ports(2), user=getpass.getuser(), place=self.place,
                cpus=self.cpus, memory=os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') >> 20))
        with open(os.path.join(self.place, 'cgroup.conf'), 'w') as file:
            # slurmd loads this plugin, although nothing uses it.
            file.write('CgroupPlugin=cgroup/v1\n')
        self.environment = dict(os.environ, SLURM_CONF=os.path.join(self.place, 'slurm.conf'))
        self.start('slurmctld', '-D', '-i')
        self.start('slurmd', '-D', '-N', socket.gethostname().split('.')[0])
        self.wait_for(lambda: 'idle' in self.ask('sinfo', '-h', '-o', '%T'), 'the node')
        return self

    def __exit__(self, *_):
        if self.environment:
            self.ask('scancel', '--user', str(os.getuid()))
        for process in reversed(self.processes):
            process.terminate()
        for process in reversed(self.processes):
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        os.makedirs(self.logs, exist_ok=True)
        for name in os.listdir(self.place):
            if name.endswith(('.log', '.out')):
                shutil.copy(os.path.join(self.place, name), self.logs)
        shutil.rmtree(self.place)

    def start(self, program, *words):
        log = open(os.path.join(self.place, f'{program}.out'), 'wb')
        path = next((folder for folder in ('/usr/sbin', '/usr/local/sbin', '/sbin')
                     if os.path.exists(os.path.join(folder, program))), '')
        self.processes.append(subprocess.Popen(
            [os.path.join(path, program), *words], env=self.environment, stdin=subprocess.DEVNULL, stdout=log,
            stderr=subprocess.STDOUT, start_new_session=True))

    def wait_for(self, holds, what, seconds=60):
        end = time.monotonic() + seconds
        while not holds():
            if time.monotonic() > end:
                raise SystemExit(f'check: {what} isn\'t ready after {seconds} s; see the logs in {self.logs}.')
            time.sleep(0.1)

    def ask(self, *words):
        return subprocess.run(words, env=self.environment, capture_output=True, text=True).stdout

    def submit(self, shards, environment):
        """Submits slurm.sbatch as an array; returns the job's number."""
        done = subprocess.run(
            ['sbatch', '--parsable', f'--array=1-{shards}', '--cpus-per-task=2', f'--chdir={self.place}',
             os.path.join(HERE, '../slurm.sbatch')],
            env=dict(self.environment, **environment), capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f'check: sbatch: {done.stderr}')
        return done.stdout.strip().split(';')[0]

    def tasks(self, job):
        """The states of the tasks by number; finished ones included."""
        states = {}
        for line in self.ask('squeue', '-h', '-r', '-t', 'all', '-j', job, '-o', '%K %T %r').splitlines():
            task, state, reason = line.split(maxsplit=2)
            states[task] = state
            if 'held' in reason:
                raise SystemExit(f'check: task {task} is held: {reason}. See the logs in {self.logs}.')
            if state != 'PENDING':
                self.hurried.discard(task)
            elif reason == 'BeginTime' and task not in self.hurried:
                # A requeued task would wait for two minutes. It starts in 3 seconds and not at once: within the same
                # second Slurm would end it with 1, because its credential was just revoked.
                self.ask('scontrol', 'update', f'jobid={job}_{task}', 'starttime=now+3seconds')
                self.hurried.add(task)
        return states

    def exit_codes(self, job):
        """The exit code of each task."""
        codes = {}
        for line in self.ask('scontrol', 'show', 'job', '-o', job).splitlines():
            words = dict(word.split('=', 1) for word in line.split() if '=' in word)
            if 'ArrayTaskId' in words and words['ArrayTaskId'].isdigit():
                codes[words['ArrayTaskId']] = int(words['ExitCode'].split(':')[0])
        return codes

    def requeue(self, job, task):
        self.ask('scontrol', 'requeue', f'{job}_{task}')


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(('127.0.0.1', 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports
