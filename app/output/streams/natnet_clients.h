// The clients of a NatNet server.
#pragma once

#include <cstddef>
#include <vector>

#include <netinet/in.h>

#include "app/output/streams/natnet_packets.h"

namespace glint::output {

/// A program that has connected.
struct NatnetClient {
  sockaddr_in address{};
  NatnetVersion version = NatnetVersion::v3_1;
  /// True from its first keep-alive on, until it leaves or is silent for too long.
  bool receiving = false;
  /// True if it has ever sent a keep-alive. Otherwise it takes its frames from the multicast group.
  bool unicast = false;
  bool versionChanged = false;  ///< true until it gets a frame of its new version
  double heard = 0;             ///< time of its latest request, s
};

/// A table of clients, of limited size, so that requests from made-up addresses cannot fill the
/// memory. Not thread-safe.
class NatnetClients {
 public:
  static constexpr size_t kMost = 64;  ///< the most clients
  /// The time without any request after which a client gets no more frames, s. The SDK's clients
  /// send a keep-alive at least every 2 s.
  static constexpr double kPatience = 10;

  /// Returns the client with this address, whom it makes if there is room; null otherwise. A new
  /// client replaces the one that has been silent longest, but none that receives frames. `now` is
  /// in s, on any clock.
  NatnetClient* hear(const sockaddr_in& address, double now);
  /// Returns the client with this address, or null.
  NatnetClient* find(const sockaddr_in& address);
  void remove(const sockaddr_in& address);
  /// Stops the frames of clients that have been silent for too long.
  void expire(double now);

  std::vector<NatnetClient>& all() { return clients_; }
  size_t receiving() const;
  /// Returns the version of the frames for the multicast group: 4.1 if every client that takes its
  /// frames from there has asked for it, and 3.1 otherwise.
  NatnetVersion groupVersion() const;

 private:
  std::vector<NatnetClient> clients_;
};

}  // namespace glint::output
