// Reading named pipes and the like without hanging for ever. Internal to capture/.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "app/capture/source/interrupt.h"

namespace glint::capture {

/// Whether `path` is a pipe: opening one in the usual way waits until somebody writes.
bool isPipe(const std::string& path);

/// The reading end of a pipe. Every wait ends when the interrupt is set.
class PipeInput {
 public:
  /// Opens without waiting for a writer. Throws Error.
  PipeInput(const std::string& path, const Interrupt* interrupt);
  ~PipeInput();
  PipeInput(const PipeInput&) = delete;
  PipeInput& operator=(const PipeInput&) = delete;

  /// Waits for bytes and returns how many came: 0 when all writers have left, or interrupted().
  /// Throws Error.
  size_t read(std::span<std::byte> into);
  bool interrupted() const { return interrupt_ && interrupt_->isSet(); }

 private:
  std::string path_;
  const Interrupt* interrupt_;
  int file_;
};

}  // namespace glint::capture
