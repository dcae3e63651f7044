// The packets of NatNet, the protocol of OptiTrack's Motive, in its versions 3.1 and 4.1. Their
// layout follows NatNetTypes.h and the clients PacketClient.cpp and NatNetClient.py of OptiTrack's
// SDK (https://docs.optitrack.com/developer-tools/natnet-sdk). All numbers are little-endian.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace glint::output {

/// The layouts of the stream. 3.0 has the layout of 3.1.
enum class NatnetVersion { v3_1, v4_1 };

/// Returns "3.1" or "4.1".
std::string_view nameOf(NatnetVersion version);

/// Returns the version that "4.1" or "3.1" names; empty for any other text.
std::optional<NatnetVersion> natnetVersionOf(std::string_view text);

/// The kinds of messages. A packet begins with the kind and the number of bytes that follow, 16
/// bits each.
enum class NatnetMessage : uint16_t {
  connect = 0,
  serverInfo = 1,
  request = 2,
  response = 3,
  requestModels = 4,
  models = 5,
  requestFrame = 6,
  frame = 7,
  text = 8,
  disconnect = 9,
  keepAlive = 10,
  disconnectedByTimeout = 11,
  echoRequest = 12,
  echoResponse = 13,
  discovery = 14,
  unrecognised = 100,
};

/// A request of a client.
struct NatnetRequest {
  NatnetMessage kind = NatnetMessage::connect;
  /// connect: the layout that the client asks for; empty if it leaves the choice.
  std::optional<NatnetVersion> version = {};
  uint64_t echo = 0;         ///< echoRequest: the client's time, in its own unit
  std::string command = {};  ///< request: such as "FrameRate"
};

/// Returns the request that a datagram holds. Returns nothing for a datagram that must not be
/// answered: one that is shorter than it says or lacks a part that its kind needs, and messages
/// that only servers send. Otherwise two servers could answer each other for ever. A message of an
/// unknown kind is returned as such: servers answer it with `unrecognised`.
std::optional<NatnetRequest> parseNatnetRequest(std::string_view datagram);

/// The number of ticks a second of all clocks in packets. A tick is 1 ns of the monotonic clock.
inline constexpr uint64_t kNatnetTicks = 1'000'000'000;

/// The most bytes of a datagram: the header, and 65,503 bytes behind it.
inline constexpr size_t kNatnetDatagram = 65'507;

/// Composes a packet.
class NatnetWriter {
 public:
  explicit NatnetWriter(NatnetMessage kind) {
    number(static_cast<uint16_t>(kind));
    number(uint16_t{0});
  }

  template <class Integer>
  void number(Integer value) {
    for (size_t byte = 0; byte < sizeof value; ++byte)
      bytes_ += static_cast<char>(static_cast<uint64_t>(value) >> (8 * byte) & 0xFF);
  }
  void number(float value);
  void number(double value);
  /// Adds a text with its end. A text ends at its first zero, and after at most 255 bytes.
  void text(std::string_view text);
  void append(std::string_view bytes) { bytes_ += bytes; }

  /// Returns the packet, whose header now has its length.
  std::string finish();

 private:
  std::string bytes_;
};

/// Returns the answer to connect and discovery.
std::string natnetServerInfo(NatnetVersion version, uint16_t dataPort,
                             const std::array<uint8_t, 4>& group);

/// Return the answer to a request: a number, or a text.
std::string natnetAnswer(int32_t number);
std::string natnetAnswer(float number);
std::string natnetAnswer(std::string_view text);

/// Returns the answer to an echo request. `received` is the time of the request, in ticks.
std::string natnetEcho(uint64_t echo, uint64_t received);

/// Returns the answer to requests that are not understood.
std::string natnetUnrecognised();

}  // namespace glint::output
