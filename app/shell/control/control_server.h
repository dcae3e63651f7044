// Where requests come from: standard input, or datagrams.
#pragma once

#include <memory>
#include <string>

#include "app/shell/control/control.h"

namespace glint::shell {

/// Listens from construction on, on a thread of its own, until it is destroyed.
class ControlServer {
 public:
  virtual ~ControlServer() = default;
  ControlServer() = default;
  ControlServer(const ControlServer&) = delete;
  ControlServer& operator=(const ControlServer&) = delete;
};

/// JSON Lines on standard input, answered on standard output. At the end of the input `atEnd` is
/// called, once.
std::unique_ptr<ControlServer> controlByPipe(Control& control, ControlAccess access,
                                             std::function<void()> atEnd);

/// A socket that is bound but not read yet.
class ControlSocket {
 public:
  /// `address`: [HOST:]PORT, this machine's own unless `remote`. Throws UsageError for an address
  /// that is none or another machine's, Error when it cannot be had. `option` begins every message.
  ControlSocket(const std::string& address, bool remote, const std::string& option);
  ~ControlSocket();
  ControlSocket(const ControlSocket&) = delete;
  ControlSocket& operator=(const ControlSocket&) = delete;
  int handle() const { return socket_; }

 private:
  int socket_ = -1;
};

/// Datagrams of JSON Lines, answered by datagrams of one line each to where they came from; and
/// messages of Open Sound Control: /glint/record/start with a file's name, /glint/record/stop with
/// one or none, each answered by /glint/answer (int32 ok, string problem). Where a token is asked
/// for it is the message's last argument. Without it a datagram gets one answer, which is shorter
/// than the datagram, or none; with it all its answers together are no longer than one datagram
/// may be.
std::unique_ptr<ControlServer> controlByUdp(Control& control, ControlAccess access,
                                            std::shared_ptr<const ControlSocket> socket);

}  // namespace glint::shell
