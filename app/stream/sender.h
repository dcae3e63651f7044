// How a stream's frames leave the program.
#pragma once

#include <stop_token>
#include <string>

#include "app/stream/live_frame.h"

namespace glint {

/// Used by one stream, on the stream's thread, with SIGPIPE blocked.
class Sender {
 public:
  virtual ~Sender() = default;
  Sender() = default;
  Sender(const Sender&) = delete;
  Sender& operator=(const Sender&) = delete;

  /// Sends a frame; may wait for its receiver until `giveUp` is requested. Empty when all of it was
  /// sent, otherwise why not, in a few words. Throws Error where that is no receiver's fault.
  virtual std::string send(const LiveFrame& frame, const std::stop_token& giveUp) = 0;
};

}  // namespace glint
