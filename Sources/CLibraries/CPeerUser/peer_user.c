// Asks the kernel for the user at the other end of a TCP connection on this machine.
#define _GNU_SOURCE
#include "CPeerUser.h"

#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct question {
    struct nlmsghdr header;
    struct inet_diag_req_v2 request;
};

// Writes an address in the format of sock_diag: four words, of which IPv4 uses the first.
static int set_address(const struct sockaddr *address, int family, __be16 *port, __be32 words[4]) {
    memset(words, 0, 4 * sizeof *words);
    if (address->sa_family == AF_INET && family == AF_INET) {
        const struct sockaddr_in *ipv4 = (const struct sockaddr_in *)address;
        *port = ipv4->sin_port;
        words[0] = ipv4->sin_addr.s_addr;
        return 0;
    }
    if (address->sa_family != AF_INET6) return EAFNOSUPPORT;
    const struct sockaddr_in6 *ipv6 = (const struct sockaddr_in6 *)address;
    *port = ipv6->sin6_port;
    if (family == AF_INET6) {
        memcpy(words, &ipv6->sin6_addr, sizeof ipv6->sin6_addr);
    } else if (IN6_IS_ADDR_V4MAPPED(&ipv6->sin6_addr)) {
        memcpy(words, ipv6->sin6_addr.s6_addr + 12, 4);
    } else {
        return EAFNOSUPPORT;
    }
    return 0;
}

// A listener on `::` sees an IPv4 client at a mapped address; the client's own socket is an IPv4 socket.
static int family_of(const struct sockaddr *address) {
    if (address->sa_family != AF_INET6) return address->sa_family;
    return IN6_IS_ADDR_V4MAPPED(&((const struct sockaddr_in6 *)address)->sin6_addr) ? AF_INET : AF_INET6;
}

static int read_answer(const char *bytes, size_t count, uint32_t *user) {
    const struct nlmsghdr *header = (const struct nlmsghdr *)bytes;
    if (!NLMSG_OK(header, count)) return EPROTO;
    if (header->nlmsg_type == NLMSG_ERROR) {
        if (header->nlmsg_len < NLMSG_LENGTH(sizeof(struct nlmsgerr))) return EPROTO;
        int error = -((const struct nlmsgerr *)NLMSG_DATA(header))->error;
        return error > 0 ? error : EPROTO;
    }
    if (header->nlmsg_type != SOCK_DIAG_BY_FAMILY || header->nlmsg_len < NLMSG_LENGTH(sizeof(struct inet_diag_msg))) {
        return EPROTO;
    }
    const struct inet_diag_msg *socket = (const struct inet_diag_msg *)NLMSG_DATA(header);
    // A socket closed by its process exists for a while without an inode, and appears to belong to root.
    if (socket->idiag_inode == 0) return ENOENT;
    *user = socket->idiag_uid;
    return 0;
}

int peer_user(const struct sockaddr *peer, const struct sockaddr *own, uint32_t *user) {
    int family = family_of(peer);
    struct question question = {
        .header =
            {
                .nlmsg_len = sizeof question,
                .nlmsg_type = SOCK_DIAG_BY_FAMILY,
                .nlmsg_flags = NLM_F_REQUEST,
            },
        .request =
            {
                .sdiag_family = (uint8_t)family,
                .sdiag_protocol = IPPROTO_TCP,
                .idiag_states = ~0U,
                .id = {.idiag_cookie = {INET_DIAG_NOCOOKIE, INET_DIAG_NOCOOKIE}},
            },
    };
    struct inet_diag_sockid *id = &question.request.id;
    int error = set_address(peer, family, &id->idiag_sport, id->idiag_src);
    if (error == 0) error = set_address(own, family, &id->idiag_dport, id->idiag_dst);
    if (error != 0) return error;

    int netlink = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
    if (netlink < 0) return errno;
    struct sockaddr_nl kernel = {.nl_family = AF_NETLINK};
    _Alignas(struct nlmsghdr) char answer[1024];
    struct sockaddr_nl sender = {0};
    socklen_t length = sizeof sender;
    ssize_t count = -1;
    if (sendto(netlink, &question, sizeof question, 0, (struct sockaddr *)&kernel, sizeof kernel) < 0) {
        error = errno;
    } else {
        // The kernel has queued the reply when sendto returns.
        count = recvfrom(netlink, answer, sizeof answer, MSG_DONTWAIT, (struct sockaddr *)&sender, &length);
        if (count < 0) error = errno;
    }
    close(netlink);
    if (error != 0) return error;
    if (sender.nl_pid != 0) return EPROTO;  // not from the kernel
    return read_answer(answer, (size_t)count, user);
}
