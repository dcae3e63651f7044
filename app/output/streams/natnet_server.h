// A server of NatNet: programs that read OptiTrack's Motive receive Glint's points and bodies.
#pragma once

#include <memory>
#include <string>

#include "app/output/sinks/sink.h"
#include "app/output/streams/natnet_frame.h"

namespace glint::output {

/// The ports of Motive. The data port is the one after the command port.
inline constexpr uint16_t kNatnetPort = 1510;

/// Makes a server. `place` is "[ADDRESS[:PORT]]": the IPv4 address of the interface that it serves,
/// by default 127.0.0.1, and its command port. It sends every frame to the group 239.255.42.99 on
/// that interface, and to each client that sends keep-alives. A thread of its own answers requests.
/// Addresses other than this machine's are refused unless `remote`. `option` begins every message.
/// Throws UsageError for a wrong address, and Error if the ports cannot be opened.
std::unique_ptr<Sink> makeNatnetServer(const std::string& place, bool remote,
                                       const std::string& option, NatnetEncoder encoder);

}  // namespace glint::output
