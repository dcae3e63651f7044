// Frames as UDP datagrams.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <sys/socket.h>

#include "app/output/sinks/sink.h"

namespace glint::output {

/// Where datagrams go.
struct UdpAddress {
  sockaddr_storage bytes{};
  socklen_t size = 0;
};

/// Resolves "[HOST:]PORT"; without a host it is this machine, IPv4. HOST is a name, an IPv4
/// address or, in brackets, an IPv6 one. `option` begins every message. Throws UsageError for a
/// text that is none, or for another machine's address or name, which is not looked up, unless
/// `remote`, Error for an unknown name.
UdpAddress resolveUdp(const std::string& text, bool remote, const std::string& option);

/// The datagrams of a frame, each of at most 65,507 bytes.
using Encoder = std::function<std::vector<std::string>(const motion::Frame&)>;

/// A receiver that is not there is no failure. Throws Error when no socket can be had.
std::unique_ptr<Sink> makeUdpSink(const UdpAddress& to, Encoder encode);

}  // namespace glint::output
