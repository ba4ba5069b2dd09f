// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "exchange.h"
#include "family.h"
#include "objects.h"
#include "transport.h"

namespace srqpool {

class Attributes;

/// What can be asked of the module. A lookup by a name or id that does not exist is refused with
/// ENOENT or ENODEV.
class Client {
  public:
    /// Finds the module and checks that it speaks our version.
    static Result<Client> connect(std::unique_ptr<Transport> transport);

    Result<std::vector<Dev>> devs();
    Result<Dev> dev(const std::string &name);
    Result<std::vector<Holder>> holders();

    Status add_pool(const PoolSpec &spec);
    Status set_pool(const PoolSpec &spec);
    Status delete_pool(const std::string &name, bool force);
    Status reset_pool(const std::string &name);
    Result<std::vector<Pool>> pools();
    Result<Pool> pool(const std::string &name);
    Result<std::vector<Stats>> stats();
    Result<Stats> stats(const std::string &pool);

    /// All, or those of one pool.
    Result<std::vector<Queue>> queues(const std::optional<std::string> &pool);
    Result<std::vector<Conn>> conns(const std::optional<std::string> &pool);

    /// The last ones of a pool, the oldest first.
    Result<std::vector<Event>> events(const std::string &pool);

    Result<std::uint64_t> add_listener(const ListenerSpec &spec);
    Status delete_listener(std::uint64_t id);
    Result<std::vector<Listener>> listeners();
    Result<Listener> listener(std::uint64_t id);

    Status close_conn(std::uint64_t id);

    std::vector<std::string> take_warnings() { return exchange_->take_warnings(); }
    const Family &family() const { return family_; }

  private:
    explicit Client(std::unique_ptr<Transport> transport);

    Message message(std::uint8_t command, int flags) const;
    Status change(Message message);
    template <typename T> Result<T> get(Message message, T (*decode)(const Attributes &));
    template <typename T>
    Result<std::vector<T>> list(const Message &message, T (*decode)(const Attributes &));
    template <typename T>
    Result<std::vector<T>> list_of_pool(std::uint8_t command, std::uint16_t attribute,
                                        const std::optional<std::string> &pool,
                                        T (*decode)(const Attributes &));

    std::unique_ptr<Transport> transport_;
    std::unique_ptr<Exchange> exchange_; // on the heap: it refers to *transport_
    Family family_;
};

} // namespace srqpool
