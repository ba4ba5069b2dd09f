// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "socket.h"

#include <cerrno>
#include <sys/socket.h>

#include <libmnl/libmnl.h>
#include <linux/netlink.h>

namespace srqpool {

namespace {

// The kernel fills a dump's datagram up to 32 KiB when the reader offers as much.
constexpr std::size_t initial_buffer = 64 << 10;

// Room for the events that come while their reader is busy.
constexpr int receive_queue = 4 << 20;

} // namespace

void Socket::Close::operator()(mnl_socket *socket) const { mnl_socket_close(socket); }

Socket::Socket(Handle handle) : handle_(std::move(handle)), buffer_(initial_buffer) {
    // Without these the answers are only less detailed, so that a failure does not matter.
    set_option(NETLINK_EXT_ACK, 1);
    set_option(NETLINK_CAP_ACK, 1);
    set_option(NETLINK_GET_STRICT_CHK, 1);

    const int fd = mnl_socket_get_fd(handle_.get());
    if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &receive_queue, sizeof(receive_queue)) < 0)
        setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &receive_queue, sizeof(receive_queue));
}

void Socket::set_option(int option, int value) {
    mnl_socket_setsockopt(handle_.get(), option, &value, sizeof(value));
}

Result<std::unique_ptr<Transport>> Socket::open() {
    Handle handle(mnl_socket_open2(NETLINK_GENERIC, SOCK_CLOEXEC));
    if (!handle)
        return tl::unexpected(system_error("cannot open a netlink socket", errno));
    if (mnl_socket_bind(handle.get(), 0, MNL_SOCKET_AUTOPID) < 0)
        return tl::unexpected(system_error("cannot bind a netlink socket", errno));
    return std::unique_ptr<Transport>(new Socket(std::move(handle)));
}

Status Socket::send(std::span<const std::byte> message) {
    if (mnl_socket_sendto(handle_.get(), message.data(), message.size()) < 0)
        return tl::unexpected(system_error("cannot send to the kernel", errno));
    return {};
}

Result<std::span<const std::byte>> Socket::receive() {
    const int fd = mnl_socket_get_fd(handle_.get());

    for (;;) {
        // MSG_TRUNC makes this the whole length, also of what does not fit.
        const ssize_t waiting = recv(fd, nullptr, 0, MSG_PEEK | MSG_TRUNC);
        if (waiting < 0 && errno == EINTR)
            continue;
        if (waiting < 0)
            return tl::unexpected(system_error("cannot receive from the kernel", errno));
        if (buffer_.size() < static_cast<std::size_t>(waiting))
            buffer_.resize(static_cast<std::size_t>(waiting));

        sockaddr_nl sender{};
        iovec part{buffer_.data(), buffer_.size()};
        msghdr header{};
        header.msg_name = &sender;
        header.msg_namelen = sizeof(sender);
        header.msg_iov = &part;
        header.msg_iovlen = 1;

        const ssize_t length = recvmsg(fd, &header, 0);
        if (length < 0 && errno == EINTR)
            continue;
        if (length < 0)
            return tl::unexpected(system_error("cannot receive from the kernel", errno));
        if (header.msg_flags & MSG_TRUNC)
            return tl::unexpected(
                Error{ErrorKind::truncated, 0, "a message of the kernel was truncated"});
        if (sender.nl_pid != 0)
            continue; // not from the kernel
        return std::span<const std::byte>(buffer_.data(), static_cast<std::size_t>(length));
    }
}

Status Socket::join(std::uint32_t group) {
    if (mnl_socket_setsockopt(handle_.get(), NETLINK_ADD_MEMBERSHIP, &group, sizeof(group)) < 0)
        return tl::unexpected(system_error("cannot subscribe to events", errno));
    return {};
}

std::uint32_t Socket::port() const { return mnl_socket_get_portid(handle_.get()); }

} // namespace srqpool
