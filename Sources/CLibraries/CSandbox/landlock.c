// Uses Landlock through raw system calls, because Debian 12's headers support only its second version.
#define _GNU_SOURCE
#include "landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// The numbers are the same on all architectures.
enum { NR_CREATE_RULESET = 444, NR_ADD_RULE = 445, NR_RESTRICT_SELF = 446 };
enum { CREATE_RULESET_VERSION = 1 << 0, RULE_PATH_BENEATH = 1 };

// The rights for files, with the Landlock version that introduced them (linux/landlock.h).
#define FS_EXECUTE (1ULL << 0)
#define FS_WRITE_FILE (1ULL << 1)
#define FS_READ_FILE (1ULL << 2)
#define FS_READ_DIR (1ULL << 3)
#define FS_REMOVE_DIR (1ULL << 4)
#define FS_REMOVE_FILE (1ULL << 5)
#define FS_MAKE_DIR (1ULL << 7)
#define FS_MAKE_REG (1ULL << 8)
#define FS_VERSION_1 ((1ULL << 13) - 1)
#define FS_REFER (1ULL << 13)      // 2: rename and link across folders
#define FS_TRUNCATE (1ULL << 14)   // 3
#define FS_IOCTL_DEV (1ULL << 15)  // 5
#define NET_TCP 3ULL               // 4: bind, connect
#define SCOPES 3ULL                // 6: abstract Unix sockets and signals stay within the fence

#define READING (FS_READ_FILE | FS_READ_DIR)
// No symbolic links, sockets, pipes or devices, because later readers of the folder expect regular files.
#define WRITING \
    (FS_WRITE_FILE | FS_REMOVE_DIR | FS_REMOVE_FILE | FS_MAKE_DIR | FS_MAKE_REG | FS_REFER | FS_TRUNCATE)
// The rights that apply to paths that are not folders.
#define OF_FILES (FS_EXECUTE | FS_WRITE_FILE | FS_READ_FILE | FS_TRUNCATE | FS_IOCTL_DEV)

// Older kernels accept the whole structure if the unknown members are zero.
struct ruleset {
    uint64_t files, net, scoped;
};

struct path_beneath {
    uint64_t allowed;
    int32_t folder;
} __attribute__((packed));

static struct ruleset ruleset_for(int abi) {
    struct ruleset rules = {FS_VERSION_1, 0, 0};
    if (abi >= 2) rules.files |= FS_REFER;
    if (abi >= 3) rules.files |= FS_TRUNCATE;
    if (abi >= 4) rules.net = NET_TCP;
    if (abi >= 5) rules.files |= FS_IOCTL_DEV;
    if (abi >= 6) rules.scoped = SCOPES;
    return rules;
}

static int allow(int ruleset, const char *path, uint64_t rights) {
    int file = open(path, O_PATH | O_CLOEXEC);
    if (file < 0) return errno == ENOENT || errno == ENOTDIR || errno == EACCES ? 0 : errno;
    struct stat status;
    int error = 0;
    if (fstat(file, &status) != 0) {
        error = errno;
    } else {
        struct path_beneath rule = {S_ISDIR(status.st_mode) ? rights : rights & OF_FILES, file};
        if (syscall(NR_ADD_RULE, ruleset, RULE_PATH_BENEATH, &rule, 0) != 0) error = errno;
    }
    close(file);
    return error;
}

static int allow_all(int ruleset, const char *const *paths, size_t count, uint64_t rights) {
    int error = 0;
    for (size_t index = 0; index < count && error == 0; index++) error = allow(ruleset, paths[index], rights);
    return error;
}

int sandbox_prepare_fence(const struct sandbox_rules *rules, struct sandbox_fence *fence) {
    *fence = (struct sandbox_fence){-1, 0};
    long version = syscall(NR_CREATE_RULESET, NULL, 0, CREATE_RULESET_VERSION);
    if (version <= 0) return 0;  // not supported by this kernel, or disabled

    struct ruleset handled = ruleset_for((int)version);
    int ruleset = (int)syscall(NR_CREATE_RULESET, &handled, sizeof handled, 0);
    if (ruleset < 0) return errno;
    int error = allow_all(ruleset, rules->readable, rules->readable_count, READING & handled.files);
    if (error == 0) {
        uint64_t writing = rules->is_flat ? WRITING & ~(FS_MAKE_DIR | FS_REMOVE_DIR) : WRITING;
        error = allow_all(ruleset, rules->writable, rules->writable_count, (READING | writing) & handled.files);
    }
    if (error == 0) {
        error = allow_all(
            ruleset, rules->executable, rules->executable_count, (READING | FS_EXECUTE) & handled.files);
    }
    if (error != 0) {
        close(ruleset);
        return error;
    }
    *fence = (struct sandbox_fence){ruleset, (int)version};
    return 0;
}

int sandbox_close_fence(struct sandbox_fence *fence) {
    if (fence->ruleset < 0) return 0;
    int error = syscall(NR_RESTRICT_SELF, fence->ruleset, 0) == 0 ? 0 : errno;
    close(fence->ruleset);
    fence->ruleset = -1;
    return error;
}

struct sandbox_landlock sandbox_landlock_rights(int has_network) {
    long version = syscall(NR_CREATE_RULESET, NULL, 0, CREATE_RULESET_VERSION);
    if (version <= 0) return (struct sandbox_landlock){0};
    struct ruleset handled = ruleset_for((int)version);
    return (struct sandbox_landlock){
        (int)version,
        handled.files,
        has_network ? 0 : handled.net,
        handled.scoped,
        READING & handled.files,
        (READING | WRITING) & handled.files,
        OF_FILES & handled.files};
}
