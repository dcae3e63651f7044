// Reads named pipes such that every wait can be interrupted. Internal to capture/.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "app/capture/source/interrupt.h"

namespace glint::capture {

/// Returns true if `path` is a pipe, which open() would not open before another program writes to
/// it.
bool isPipe(const std::string& path);

/// The reading end of a pipe. Every wait ends when the interrupt is set.
class PipeInput {
 public:
  /// Opens the pipe without waiting for a writer. Throws Error.
  PipeInput(const std::string& path, const Interrupt* interrupt);
  ~PipeInput();
  PipeInput(const PipeInput&) = delete;
  PipeInput& operator=(const PipeInput&) = delete;

  /// Waits for bytes and returns their number; 0 if all writers have closed the pipe, or if
  /// interrupted(). Throws Error.
  size_t read(std::span<std::byte> into);
  bool interrupted() const { return interrupt_ && interrupt_->isSet(); }

 private:
  std::string path_;
  const Interrupt* interrupt_;
  int file_;
};

}  // namespace glint::capture
