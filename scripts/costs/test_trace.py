"""Tests the counting, with lines of strace."""
import unittest

from .trace import Calls


def count(*lines, database_port=None):
    calls = Calls(database_port)
    for line in lines:
        calls.add(line)
    return {kind: number for kind, number in calls.counts.items() if number}


class CallsTests(unittest.TestCase):
    def test_a_call_that_another_process_interrupts_counts_once(self):
        self.assertEqual(count(
            '7 openat(AT_FDCWD</>, "/etc/passwd", O_RDONLY <unfinished ...>',
            '8 fdatasync(3</spool/spool.sqlite-wal>) = 0',
            '7 <... openat resumed>) = 4</etc/passwd>',
        ), {"system calls": 2, "opens": 1, "fsyncs": 1})

    def test_fstat_is_no_look_up(self):
        self.assertEqual(count(
            '7 newfstatat(3</a>, "", {st_mode=S_IFREG|0600, st_size=1, ...}, AT_EMPTY_PATH) = 0',
            '7 newfstatat(AT_FDCWD</>, "/a", 0x7f, 0) = -1 ENOENT (No such file or directory)',
        ), {"system calls": 2, "look-ups": 1})

    def test_the_other_processes_of_the_machine_do_not_count(self):
        self.assertEqual(count(
            '7 newfstatat(AT_FDCWD</>, "/proc/1/task", {st_mode=S_IFDIR|0555, st_size=0, ...}, 0) = 0',
            '7 newfstatat(AT_FDCWD</>, "/proc/2/task", 0x7f, 0) = -1 ENOENT (No such file or directory)',
        ), {})

    def test_a_statement_is_no_system_call(self):
        self.assertEqual(count('7 write(-1, "SELECT 1", 8) = -1 EBADF (Bad file descriptor)'), {"statements": 1})

    def test_a_request_and_its_bytes_count(self):
        self.assertEqual(count(
            r'7 read(9<socket:[12]>, "POST / HTTP/1.1\r\nHost: "..., 2048) = 300',
            r'7 writev(9<socket:[12]>, [{iov_base="HTTP/1.1 200 OK\r\n"..., iov_len=90}], 1) = 90',
        ), {"system calls": 2, "requests": 1, "socket bytes": 390})

    def test_a_round_trip_is_an_answer_after_a_question(self):
        self.assertEqual(count(
            '7 connect(9<socket:[12]>, {sa_family=AF_INET, sin_port=htons(5432), sin_addr=inet_addr("127.0.0.1")}, 16) = 0',
            '7 sendto(9<socket:[12]>, "P"..., 10, MSG_NOSIGNAL, NULL, 0) = 10',
            '7 sendto(9<socket:[12]>, "E"..., 10, MSG_NOSIGNAL, NULL, 0) = 10',
            '7 recvfrom(9<socket:[12]>, "1"..., 100, 0, NULL, NULL) = 100',
            '7 recvfrom(9<socket:[12]>, 0x7f, 100, 0, NULL, NULL) = -1 EAGAIN (Resource temporarily unavailable)',
            '7 recvfrom(9<socket:[12]>, "2"..., 100, 0, NULL, NULL) = 50',
            database_port=5432)["round trips"], 1)

    def test_calls_that_depend_on_the_scheduler_do_not_count(self):
        self.assertEqual(count(
            '7 write(4<anon_inode:[eventfd]>, "\\1\\0\\0\\0\\0\\0\\0\\0", 8) = 8',
            '8 read(4<anon_inode:[eventfd]>, "\\1\\0\\0\\0\\0\\0\\0\\0", 8) = 8',
            '8 timerfd_settime(5<anon_inode:[timerfd]>, TFD_TIMER_ABSTIME, {it_value={tv_sec=1, tv_nsec=0}}, NULL) = 0',
            '8 read(6<socket:[12]>, 0x7f, 65536) = -1 EAGAIN (Resource temporarily unavailable)',
        ), {})

    def test_threads_and_processes_differ(self):
        self.assertEqual(count(
            '7 clone3({flags=CLONE_VM|CLONE_THREAD, child_tid=0x7f}, 88) = -1 EAGAIN (Resource temporarily unavailable)',
            '7 clone3({flags=CLONE_VM|CLONE_THREAD, child_tid=0x7f} => {parent_tid=[8]}, 88) = 8',
            '7 clone(child_stack=NULL, flags=CLONE_CHILD_SETTID|SIGCHLD, child_tidptr=0x7f) = 9',
            '9 execve("/bin/true", ["true"], 0x7f /* 3 vars */) = 0',
            '9 execve("/sbin/true", ["true"], 0x7f /* 3 vars */) = -1 ENOENT (No such file or directory)',
        ), {"system calls": 5, "threads": 1, "processes": 1, "programs": 1})

    def test_folders_in_which_the_loader_does_not_find_a_library_do_not_count(self):
        self.assertEqual(count(
            '7 openat(AT_FDCWD</>, "/lib/x86_64/libz.so.1", O_RDONLY|O_CLOEXEC) = -1 ENOENT (No such file or directory)',
            '7 newfstatat(AT_FDCWD</>, "/lib/glibc-hwcaps/x86-64-v3", 0x7f, 0) = -1 ENOENT (No such file or directory)',
            '7 openat(AT_FDCWD</>, "/lib/libz.so.1", O_RDONLY|O_CLOEXEC) = 3</lib/libz.so.1>',
        ), {"system calls": 1, "opens": 1})

    def test_a_folder_is_read_until_its_end(self):
        self.assertEqual(count(
            '7 getdents64(3</a>, 0x7f /* 2 entries */, 32768) = 48',
            '7 getdents64(3</a>, 0x7f /* 0 entries */, 32768) = 0',
        ), {"system calls": 2, "folders": 1})

    def test_waiting_is_no_work(self):
        self.assertEqual(count('7 futex(0x7f, FUTEX_WAIT_PRIVATE, 2, NULL) = 0', '7 epoll_wait(3, [], 16, 5) = 0'),
                         {"wake-ups": 2})

    def test_a_call_that_does_not_wait_is_no_wake_up(self):
        self.assertEqual(count(
            '7 futex(0x7f, FUTEX_WAKE_PRIVATE, 1) = 1', '7 epoll_wait(3<anon_inode:[eventpoll]>, [], 16, 0) = 0',
            '7 epoll_pwait(3, [], 64, 0, NULL, 8) = 0', '7 poll([{fd=3, events=POLLIN}], 1, 0) = 0 (Timeout)'), {})
        self.assertFalse(Calls().add('7 epoll_wait(3, [], 16, 5) = 0'))


if __name__ == "__main__":
    unittest.main()
