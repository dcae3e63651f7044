#include "app/output/streams/natnet_clients.h"

#include <algorithm>

namespace glint::output {
namespace {

bool isSame(const sockaddr_in& a, const sockaddr_in& b) {
  return a.sin_addr.s_addr == b.sin_addr.s_addr && a.sin_port == b.sin_port;
}

}  // namespace

NatnetClient* NatnetClients::find(const sockaddr_in& address) {
  const auto found = std::ranges::find_if(
      clients_, [&](const NatnetClient& client) { return isSame(client.address, address); });
  return found == clients_.end() ? nullptr : &*found;
}

NatnetClient* NatnetClients::hear(const sockaddr_in& address, double now) {
  NatnetClient* client = find(address);
  if (client == nullptr && clients_.size() < kMost) {
    client = &clients_.emplace_back();
  } else if (client == nullptr) {
    const auto oldest =
        std::ranges::min_element(clients_, [](const NatnetClient& a, const NatnetClient& b) {
          return std::pair(a.receiving, a.heard) < std::pair(b.receiving, b.heard);
        });
    if (oldest->receiving) return nullptr;
    *oldest = {};
    client = &*oldest;
  }
  client->address = address;
  client->heard = now;
  return client;
}

void NatnetClients::remove(const sockaddr_in& address) {
  std::erase_if(clients_,
                [&](const NatnetClient& client) { return isSame(client.address, address); });
}

void NatnetClients::expire(double now) {
  for (NatnetClient& client : clients_)
    if (now - client.heard > kPatience) client.receiving = false;
}

size_t NatnetClients::receiving() const {
  return static_cast<size_t>(
      std::ranges::count_if(clients_, [](const NatnetClient& client) { return client.receiving; }));
}

NatnetVersion NatnetClients::groupVersion() const {
  const auto listens = [](const NatnetClient& client) { return !client.unicast; };
  const auto isNew = [&](const NatnetClient& client) {
    return !listens(client) || client.version == NatnetVersion::v4_1;
  };
  return std::ranges::any_of(clients_, listens) && std::ranges::all_of(clients_, isNew)
             ? NatnetVersion::v4_1
             : NatnetVersion::v3_1;
}

}  // namespace glint::output
