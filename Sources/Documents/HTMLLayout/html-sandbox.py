"""Puts the HTML engine process into a sandbox before it loads the libraries that read documents.

Reads a line of JSON from descriptor 0 with the Landlock rights, the paths, and the system call filter, which CSandbox
defines. Landlock and the filter apply to the calling thread and the threads that it starts. No other thread exists yet.
"""

import base64
import ctypes
import json
import os
import stat
import sys


def lock_in(order):
    library = ctypes.CDLL(None, use_errno=True)

    def check(result, name):
        if result < 0:
            code = ctypes.get_errno()
            raise OSError(code, f'{name}: {os.strerror(code)}')
        return result

    def prctl(name, *arguments):
        check(library.prctl(*(ctypes.c_ulong(value) for value in (*arguments, 0, 0, 0, 0)[:5])), name)

    if len(os.listdir('/proc/self/task')) > 1:
        raise RuntimeError('the process has several threads')
    prctl('PR_SET_NO_NEW_PRIVS', 38, 1)
    if order['abi']:
        fence_files(library, check, order)
    if order.get('user'):
        os.setgroups([])
        os.setresgid(order['group'], order['group'], order['group'])
        os.setresuid(order['user'], order['user'], order['user'])
    # Otherwise the user stays root, because root owns the engine and the files. Without capabilities, root has no
    # privileges.
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    check(library.capset(header, (ctypes.c_uint32 * 6)()), 'capset')
    code = base64.b64decode(order['filter'])
    room = ctypes.create_string_buffer(code, len(code))

    class Program(ctypes.Structure):
        _fields_ = [('length', ctypes.c_ushort), ('code', ctypes.c_void_p)]

    program = Program(len(code) // 8, ctypes.addressof(room))
    prctl('PR_SET_SECCOMP', 22, 2, ctypes.addressof(program))


def fence_files(library, check, order):
    def landlock(name, number, *arguments):
        return check(library.syscall(ctypes.c_long(number), *arguments), name)

    handled = (ctypes.c_uint64 * 3)(order['files'], order['net'], order['scoped'])
    ruleset = landlock(
        'landlock_create_ruleset', 444, handled, ctypes.c_size_t(ctypes.sizeof(handled)), ctypes.c_uint(0))
    own = [sys.prefix, sys.base_prefix, sys.exec_prefix, *(path for path in sys.path if os.path.isabs(path))]
    for paths, rights in ((order['readable'] + own, order['reading']), (order['writable'], order['writing'])):
        for path in paths:
            try:
                descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
            except OSError:
                continue  # opening it fails later with a better error message
            is_folder = stat.S_ISDIR(os.fstat(descriptor).st_mode)
            allowed = rights if is_folder else rights & order['ofFiles']
            rule = allowed.to_bytes(8, sys.byteorder) + descriptor.to_bytes(4, sys.byteorder)
            landlock('landlock_add_rule', 445, ctypes.c_int(ruleset), ctypes.c_int(1), rule, ctypes.c_uint(0))
            os.close(descriptor)
    landlock('landlock_restrict_self', 446, ctypes.c_int(ruleset), ctypes.c_uint(0))
    os.close(ruleset)


def read_order():
    line = b''
    while not line.endswith(b'\n'):
        piece = os.read(0, 65536)  # no other input follows before the answer 'ready'
        if not piece:
            os._exit(0)
        line += piece
    return json.loads(line)


lock_in(read_order())
