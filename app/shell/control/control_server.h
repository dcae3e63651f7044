// The ways in which requests arrive: on standard input, or as datagrams.
#pragma once

#include <memory>
#include <string>

#include "app/shell/control/control.h"

namespace glint::shell {

/// A listener for requests. It listens from its construction until its destruction, on a thread of
/// its own.
class ControlServer {
 public:
  virtual ~ControlServer() = default;
  ControlServer() = default;
  ControlServer(const ControlServer&) = delete;
  ControlServer& operator=(const ControlServer&) = delete;
};

/// Reads JSON Lines from standard input, and answers on standard output. Calls `atEnd` once, at the
/// end of the input.
std::unique_ptr<ControlServer> controlByPipe(Control& control, ControlAccess access,
                                             std::function<void()> atEnd);

/// A socket that is bound, but not read yet.
class ControlSocket {
 public:
  /// `address` is [HOST:]PORT. Unless `remote`, it must be one that only this machine can reach.
  /// Throws UsageError if the address is not valid or not allowed, and Error if it cannot be bound.
  /// `option` begins every message.
  ControlSocket(const std::string& address, bool remote, const std::string& option);
  ~ControlSocket();
  ControlSocket(const ControlSocket&) = delete;
  ControlSocket& operator=(const ControlSocket&) = delete;
  int handle() const { return socket_; }

 private:
  int socket_ = -1;
};

/// Reads datagrams and answers to their senders. There are two kinds. Datagrams of JSON Lines are
/// answered by one datagram for each line. Messages of Open Sound Control are /glint/record/start
/// with the name of a file, and /glint/record/stop with a name or none; each is answered by
/// /glint/answer (int32 ok, string problem). If a token is needed, it is the last argument of a
/// message.
/// A datagram without the token gets one answer that is shorter than the datagram, or none. With
/// the token, all answers to a datagram together are no longer than one datagram may be.
std::unique_ptr<ControlServer> controlByUdp(Control& control, ControlAccess access,
                                            std::shared_ptr<const ControlSocket> socket);

}  // namespace glint::shell
