"""A private Avahi daemon on a private D-Bus, so that peers that must publish themselves can start without being published on
the network."""
import os
import shutil
import subprocess

BUS = """<busconfig>
  <type>system</type>
  <listen>unix:path={folder}/bus</listen>
  <auth>EXTERNAL</auth>
  <auth>ANONYMOUS</auth>
  <allow_anonymous/>
  <policy context="default">
    <allow user="*"/>
    <allow own="*"/>
    <allow send_type="method_call"/>
    <allow send_type="signal"/>
    <allow send_destination="*"/>
    <allow receive_sender="*"/>
  </policy>
</busconfig>
"""
DAEMON = """[server]
host-name=bench
use-ipv6=no
[publish]
publish-hinfo=no
publish-workstation=no
[wide-area]
enable-wide-area=no
"""
# The daemon looks up its user; its namespace has only one user. Its network has only a loopback interface.
START = """PATH=$PATH:/usr/sbin:/sbin; ip link set lo up && mount -t tmpfs none /run && mount --bind passwd /etc/passwd &&
mount --bind group /etc/group && exec avahi-daemon -f avahi.conf --no-drop-root --no-chroot --no-rlimits"""


class Avahi:
    """A bus and a daemon in `folder`, which run while the context is active. User namespaces are required."""

    def __init__(self, folder):
        self.folder = folder
        self.processes = []
        # The path of a socket has at most 107 bytes.
        self.environment = dict(os.environ, DBUS_SYSTEM_BUS_ADDRESS=f"unix:path={folder}/bus")

    def __enter__(self):
        os.makedirs(self.folder)
        for name, text in [("bus.conf", BUS.format(folder=self.folder)), ("avahi.conf", DAEMON),
                           ("passwd", "root:x:0:0::/:/bin/sh\navahi:x:0:0::/:/bin/false\n"),
                           ("group", "root:x:0:\navahi:x:0:\n")]:
            with open(os.path.join(self.folder, name), "w") as file:
                file.write(text)
        self._start(["dbus-daemon", "--config-file=bus.conf", "--nofork", "--nopidfile", "--print-address"], "unix:path")
        self._start(["unshare", "--user", "--map-root-user", "--net", "--mount", "--fork", "--kill-child", "--",
                     "sh", "-c", START], "Server startup complete")
        return self

    def _start(self, command, words):
        process = subprocess.Popen(command, cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.processes.append(process)
        lines = []
        for line in process.stdout:
            if words in line:
                return
            lines.append(line)
        raise RuntimeError(f"{command[0]} does not start: {''.join(lines)}")

    def __exit__(self, *_):
        for process in reversed(self.processes):
            process.kill()
            process.wait()
            process.stdout.close()
        shutil.rmtree(self.folder, ignore_errors=True)
