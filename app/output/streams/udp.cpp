#include "app/output/streams/udp.h"

#include <atomic>
#include <cerrno>
#include <cstring>

#include <netdb.h>
#include <netinet/in.h>
#include <sys/time.h>
#include <unistd.h>

#include "app/base/text.h"
#include "config/error.h"

namespace glint::output {
namespace {

bool isLoopback(const sockaddr& address) {
  if (address.sa_family == AF_INET) {
    const auto& v4 = reinterpret_cast<const sockaddr_in&>(address);
    return ntohl(v4.sin_addr.s_addr) >> 24 == 127;
  }
  return IN6_IS_ADDR_LOOPBACK(&reinterpret_cast<const sockaddr_in6&>(address).sin6_addr);
}

bool isPort(std::string_view text) {
  return base::parseNumber<uint16_t>(text).value_or(0) >= 1;
}

class UdpSink : public Sink {
 public:
  UdpSink(const UdpAddress& to, Encoder encode)
      : to_(to),
        encode_(std::move(encode)),
        socket_(::socket(to.bytes.ss_family, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    if (socket_ < 0) throw Error("cannot open a UDP socket: {}", std::strerror(errno));
    const int yes = 1;
    ::setsockopt(socket_, SOL_SOCKET, SO_BROADCAST, &yes, sizeof yes);
    // An interface that takes no data must not delay the end of the run.
    const timeval patience{0, 100'000};
    ::setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  }
  ~UdpSink() override { ::close(socket_); }

  void accept(const motion::FramePtr& frame) override {
    if (!connect()) throw NotTaken(std::strerror(errno));
    for (const std::string& datagram : encode_(*frame)) {
      if (givenUp_) throw NotTaken("the run ended first");
      if (!sendOne(datagram)) throw NotTaken(std::strerror(errno));
    }
  }
  void giveUp() override { givenUp_ = true; }

 private:
  /// Connects the socket to the receiver. A connected socket takes datagrams only from its
  /// receiver; otherwise any machine could send to it. For receivers on this machine, it also has
  /// the loopback's address. If there is no way to the receiver yet, the next frame tries again.
  bool connect() {
    connected_ = connected_ ||
                 ::connect(socket_, reinterpret_cast<const sockaddr*>(&to_.bytes), to_.size) == 0;
    return connected_;
  }

  /// Sends one datagram. If the receiver of an earlier datagram did not exist, send() reports that
  /// (ECONNREFUSED) instead of sending this one, so it is tried again.
  bool sendOne(const std::string& datagram) const {
    ssize_t sent = -1;
    for (int tries = 0; tries < 3 && sent < 0; ++tries) {
      sent = ::send(socket_, datagram.data(), datagram.size(), 0);
      if (sent < 0 && errno != ECONNREFUSED) return false;
    }
    return sent >= 0 || errno == ECONNREFUSED;
  }

  UdpAddress to_;
  Encoder encode_;
  int socket_;
  bool connected_ = false;
  std::atomic<bool> givenUp_ = false;
};

}  // namespace

UdpAddress resolveUdp(const std::string& text, bool remote, const std::string& option) {
  const size_t colon = text.rfind(':');
  std::string host = colon == std::string::npos ? "127.0.0.1" : text.substr(0, colon);
  const std::string port = colon == std::string::npos ? text : text.substr(colon + 1);
  if (!isPort(port))
    throw UsageError("{}: the port '{}' is not a number from 1 to 65535", option, port);
  const bool v6 = host.size() > 2 && host.front() == '[' && host.back() == ']';
  if (v6) host = host.substr(1, host.size() - 2);
  if (host.empty() || (!v6 && host.find(':') != std::string::npos)) {
    throw UsageError(
        "{}: '{}' is not a host; write an IPv6 address in brackets, such as [::1]:9000", option,
        host);
  }
  // RFC 6761 demands it, even if the file of hosts does not.
  if (host == "localhost") host = "127.0.0.1";
  const auto refuseRemote = [&] {
    throw UsageError("{}: '{}' is not this machine (127.0.0.1); add {}-remote to allow it", option,
                     host, option.substr(0, option.find(' ')));
  };
  addrinfo hints{};
  hints.ai_socktype = SOCK_DGRAM;
  // A name that will be refused must not be sent to a name server.
  if (!remote) hints.ai_flags = AI_NUMERICHOST;
  addrinfo* found = nullptr;
  const int error = ::getaddrinfo(host.c_str(), port.c_str(), &hints, &found);
  if (error == EAI_NONAME && !remote) refuseRemote();
  if (error != 0) throw Error("{}: cannot find '{}': {}", option, host, ::gai_strerror(error));
  // Prefers IPv4, on which most receivers listen.
  const addrinfo* best = found;
  while (best != nullptr && best->ai_family != AF_INET) best = best->ai_next;
  if (best == nullptr) best = found;
  UdpAddress address;
  std::memcpy(&address.bytes, best->ai_addr, best->ai_addrlen);
  address.size = best->ai_addrlen;
  const bool local = isLoopback(*best->ai_addr);
  ::freeaddrinfo(found);
  if (!local && !remote) refuseRemote();
  return address;
}

std::unique_ptr<Sink> makeUdpSink(const UdpAddress& to, Encoder encode) {
  return std::make_unique<UdpSink>(to, std::move(encode));
}

}  // namespace glint::output
