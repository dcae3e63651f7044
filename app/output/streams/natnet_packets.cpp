#include "app/output/streams/natnet_packets.h"

#include <algorithm>
#include <bit>

#include "app/base/text.h"
#include "app/base/version.h"

namespace glint::output {
namespace {

constexpr size_t kHeader = 4, kName = 256;
// Connect: name, version of the client's program, version of its NatNet library, a flag, and the
// version of the layout that it asks for.
constexpr size_t kAskedVersion = kName + 4 + 4 + 1;

uint64_t numberAt(std::string_view bytes, size_t at, size_t size) {
  uint64_t number = 0;
  for (size_t byte = size; byte-- > 0;)
    number = number << 8 | static_cast<uint8_t>(bytes[at + byte]);
  return number;
}

/// Returns the newest layout that is not newer than the version that a client asks for.
std::optional<NatnetVersion> askedVersion(std::string_view body) {
  if (body.size() < kAskedVersion + 4) return std::nullopt;
  const uint64_t major = numberAt(body, kAskedVersion, 1);
  const uint64_t minor = numberAt(body, kAskedVersion + 1, 1);
  if (major == 0) return std::nullopt;
  return major > 4 || (major == 4 && minor >= 1) ? NatnetVersion::v4_1 : NatnetVersion::v3_1;
}

std::string_view untilZero(std::string_view text) {
  return text.substr(0, text.find('\0'));
}

bool isOfServer(NatnetMessage kind) {
  constexpr std::array kOfServer{NatnetMessage::serverInfo,   NatnetMessage::response,
                                 NatnetMessage::models,       NatnetMessage::frame,
                                 NatnetMessage::text,         NatnetMessage::disconnectedByTimeout,
                                 NatnetMessage::echoResponse, NatnetMessage::unrecognised};
  return std::ranges::find(kOfServer, kind) != kOfServer.end();
}

/// Adds a version of four bytes, of which the first two are given.
void appendVersion(NatnetWriter& packet, uint8_t major, uint8_t minor) {
  packet.number(major);
  packet.number(minor);
  packet.number(uint16_t{0});
}

}  // namespace

std::string_view nameOf(NatnetVersion version) {
  return version == NatnetVersion::v4_1 ? "4.1" : "3.1";
}

std::optional<NatnetVersion> natnetVersionOf(std::string_view text) {
  for (const NatnetVersion version : {NatnetVersion::v3_1, NatnetVersion::v4_1})
    if (text == nameOf(version)) return version;
  return std::nullopt;
}

std::optional<NatnetRequest> parseNatnetRequest(std::string_view datagram) {
  if (datagram.size() < kHeader) return std::nullopt;
  NatnetRequest request{.kind = NatnetMessage{static_cast<uint16_t>(numberAt(datagram, 0, 2))}};
  const size_t size = numberAt(datagram, 2, 2);
  if (datagram.size() - kHeader < size || isOfServer(request.kind)) return std::nullopt;
  const std::string_view body = datagram.substr(kHeader, size);
  if (request.kind == NatnetMessage::connect) request.version = askedVersion(body);
  if (request.kind == NatnetMessage::request) request.command = untilZero(body);
  if (request.kind == NatnetMessage::echoRequest) {
    if (size < sizeof request.echo) return std::nullopt;
    request.echo = numberAt(body, 0, sizeof request.echo);
  }
  return request;
}

void NatnetWriter::number(float value) {
  number(std::bit_cast<uint32_t>(value));
}

void NatnetWriter::number(double value) {
  number(std::bit_cast<uint64_t>(value));
}

void NatnetWriter::text(std::string_view text) {
  bytes_ += untilZero(text).substr(0, kName - 1);
  bytes_ += '\0';
}

std::string NatnetWriter::finish() {
  const size_t size = bytes_.size() - kHeader;
  bytes_[2] = static_cast<char>(size & 0xFF);
  bytes_[3] = static_cast<char>(size >> 8);
  return std::move(bytes_);
}

std::string natnetServerInfo(NatnetVersion version, uint16_t dataPort,
                             const std::array<uint8_t, 4>& group) {
  constexpr std::string_view kProgram = "Glint";
  NatnetWriter packet(NatnetMessage::serverInfo);
  packet.append(kProgram);
  packet.append(std::string(kName - kProgram.size(), '\0'));
  const std::string_view own = base::kVersion;
  const size_t dot = own.find('.');
  const std::string_view rest = own.substr(std::min(own.size(), dot + 1));
  appendVersion(packet, base::parseNumber<uint8_t>(own.substr(0, dot)).value_or(0),
                base::parseNumber<uint8_t>(rest.substr(0, rest.find('.'))).value_or(0));
  appendVersion(packet, version == NatnetVersion::v4_1 ? 4 : 3, 1);
  packet.number(kNatnetTicks);
  packet.number(dataPort);
  packet.number(uint8_t{1});  // frames are sent to the group
  for (const uint8_t part : group) packet.number(part);
  return packet.finish();
}

std::string natnetAnswer(int32_t number) {
  NatnetWriter packet(NatnetMessage::response);
  packet.number(number);
  return packet.finish();
}

std::string natnetAnswer(float number) {
  NatnetWriter packet(NatnetMessage::response);
  packet.number(number);
  return packet.finish();
}

std::string natnetAnswer(std::string_view text) {
  NatnetWriter packet(NatnetMessage::response);
  packet.text(text);
  return packet.finish();
}

std::string natnetEcho(uint64_t echo, uint64_t received) {
  NatnetWriter packet(NatnetMessage::echoResponse);
  packet.number(echo);
  packet.number(received);
  return packet.finish();
}

std::string natnetUnrecognised() {
  return NatnetWriter(NatnetMessage::unrecognised).finish();
}

}  // namespace glint::output
