/// A display without a screen, for programs with a graphical interface.
enum VirtualDisplay {
    /// The start of a Python script that runs on a new display, which ends with the script.
    ///
    /// The script ends after 100 seconds at the latest.
    static let python = """
        import ctypes, os, signal, subprocess
        libc = ctypes.CDLL(None)
        screen = subprocess.Popen(
            ["Xvfb", "-displayfd", "1", "-screen", "0", "640x480x24", "-nolisten", "tcp"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            preexec_fn=lambda: libc.prctl(1, signal.SIGKILL))
        signal.alarm(100)
        os.environ["DISPLAY"] = ":" + screen.stdout.readline().decode().strip()
        """
}
