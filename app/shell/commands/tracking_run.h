// What `glint track`, `glint replay` and `glint live` do alike: they differ in who drives.
#pragma once

#include <memory>

#include "app/session/session.h"
#include "app/shell/commands/track_options.h"

namespace glint::shell {

/// Who drives a run beside the commands from outside, on the thread that called runTracking().
class RunDriver {
 public:
  virtual ~RunDriver() = default;

  /// May change what the command line says, before sources are opened.
  virtual void prepare(Settings&) {}
  /// The command line is in order; its sources are opened next.
  virtual void opening() {}
  /// May ask more of the device, and of the session.
  virtual void prepare(gpu::Device::Options&) {}
  /// `live`: of cameras, or streams.
  virtual void prepare(session::SessionOptions&, [[maybe_unused]] bool live) {}

  /// Returns when the session has ended or shall.
  virtual void drive(session::Session& session, std::shared_ptr<const gpu::Device> device) = 0;

  /// The session has ended; the summary follows.
  virtual void ended() {}
};

/// Opens all that the options ask for, lets `driver` drive, and prints a summary if there are
/// outputs. Throws Error or UsageError; earlier measurements are kept.
void runTracking(const TrackOptions& options, RunDriver& driver);

}  // namespace glint::shell
