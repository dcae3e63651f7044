// The common part of `glint track`, `glint replay` and `glint live`, which differ in the driver of
// the session.
#pragma once

#include <memory>

#include "app/session/session.h"
#include "app/shell/commands/track_options.h"

namespace glint::shell {

/// The driver of a session, beside commands from other programs. It runs on the thread that called
/// runTracking().
class RunDriver {
 public:
  virtual ~RunDriver() = default;

  /// Changes the settings of the command line before sources are opened.
  virtual void prepare(Settings&) {}
  /// Called when the command line was found to be valid, before its sources are opened.
  virtual void opening() {}
  /// Add further requirements for the device, and for the session.
  virtual void prepare(gpu::Device::Options&) {}
  /// `live` is true for cameras and streams.
  virtual void prepare(session::SessionOptions&, [[maybe_unused]] bool live) {}

  /// Drives the session. Returns when it has ended, or is to end.
  virtual void drive(session::Session& session, std::shared_ptr<const gpu::Device> device) = 0;

  /// Called when the session has ended, before the summary.
  virtual void ended() {}
};

/// Opens everything that the options ask for, lets `driver` drive the session, and prints a summary
/// if there are outputs. Throws Error or UsageError; earlier measurements are kept.
void runTracking(const TrackOptions& options, RunDriver& driver);

}  // namespace glint::shell
