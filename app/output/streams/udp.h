// Streams of frames as UDP datagrams.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <sys/socket.h>

#include "app/output/sinks/sink.h"

namespace glint::output {

/// The address to which datagrams are sent.
struct UdpAddress {
  sockaddr_storage bytes{};
  socklen_t size = 0;
};

/// Resolves "[HOST:]PORT". Without a host it is this machine, with IPv4. HOST is a name, an IPv4
/// address or, in brackets, an IPv6 address. `option` begins every message. Throws UsageError for a
/// text that is no address. Throws it also for another machine unless `remote`; names are not
/// looked up then. Throws Error for an unknown name.
UdpAddress resolveUdp(const std::string& text, bool remote, const std::string& option);

/// Returns the datagrams of a frame, each of at most 65,507 bytes.
using Encoder = std::function<std::vector<std::string>(const motion::Frame&)>;

/// Makes a sink that sends datagrams. A receiver that does not exist is no failure. Throws Error if
/// there is no socket.
std::unique_ptr<Sink> makeUdpSink(const UdpAddress& to, Encoder encode);

}  // namespace glint::output
