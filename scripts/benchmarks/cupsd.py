"""Runs cupsd, the peer, from a temporary root folder on the loopback interface, as an ordinary user."""
import os
import shutil
import subprocess

from .answers import first_answer, free_port


class Cupsd:
    """A cupsd with one raw queue that is stopped, so that jobs wait.

    With `durable`, cupsd writes each job to the disk before it responds, which is not the default. The number of jobs is
    not limited, and logs are off. cupsd runs while the context is active. The folder is kept, so that cupsd can be
    started again.
    """

    printer = "bench"

    def __init__(self, folder, durable):
        self.folder, self.durable = folder, durable
        self.process = None
        self.port = free_port()
        self.address = ("127.0.0.1", self.port)
        self.uri = f"ipp://localhost:{self.port}/printers/{self.printer}"
        # cupsd treats root differently. As the user `lp`, cupsd runs as for other users.
        self.prefix = ["setpriv", "--reuid=lp", "--regid=lp", "--clear-groups"] if os.geteuid() == 0 else []
        self._make_root()

    def _make_root(self):
        for name in ("conf", "spool", "spool/tmp", "cache", "state"):
            os.makedirs(os.path.join(self.folder, name), exist_ok=True)
        self._write("conf/cups-files.conf", f"""
            ServerRoot {self.folder}/conf
            RequestRoot {self.folder}/spool
            TempDir {self.folder}/spool/tmp
            CacheDir {self.folder}/cache
            StateDir {self.folder}/state
            ErrorLog /dev/null
            AccessLog /dev/null
            PageLog /dev/null
            FileDevice Yes
            SyncOnClose {"Yes" if self.durable else "No"}
            """)
        self._write("conf/cupsd.conf", f"""
            Listen 127.0.0.1:{self.port}
            LogLevel none
            Browsing No
            WebInterface No
            MaxJobs 0
            MaxJobsPerPrinter 0
            MaxJobsPerUser 0
            {"DirtyCleanInterval 0" if self.durable else ""}
            <Location />
              Allow from all
            </Location>
            <Policy default>
              <Limit All>
                Allow from all
              </Limit>
            </Policy>
            """)
        self._write("conf/printers.conf", f"""
            <Printer {self.printer}>
            DeviceURI file:///dev/null
            State Stopped
            Accepting Yes
            JobSheets none none
            </Printer>
            """)
        if self.prefix:
            for path, folders, files in os.walk(self.folder):
                for name in [path] + [os.path.join(path, each) for each in folders + files]:
                    shutil.chown(name, "lp", "lp")

    def _write(self, name, text):
        with open(os.path.join(self.folder, name), "w") as file:
            file.write("".join(line.strip() + "\n" for line in text.splitlines() if line.strip()))

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()

    def start(self):
        """Starts cupsd, and returns when cupsd has responded to a request."""
        self.launch()
        self.wait_for_answer()

    def launch(self):
        """Starts cupsd without waiting."""
        conf = os.path.join(self.folder, "conf")
        self.process = subprocess.Popen(
            self.prefix + ["cupsd", "-f", "-c", f"{conf}/cupsd.conf", "-s", f"{conf}/cups-files.conf"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env=dict(os.environ, PATH=f"{os.environ['PATH']}:/usr/sbin"))

    def wait_for_answer(self):
        """Waits until cupsd responds to a request."""
        first_answer(self)

    def stop(self):
        """Ends cupsd, which first writes its data from memory to the disk."""
        self.process.terminate()
        self.process.wait()
