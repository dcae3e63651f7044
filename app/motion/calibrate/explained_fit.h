// One explanation of a recording: what is assumed of its frames and cameras, and the fit that
// follows from it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/motion/calibrate/disturbed.h"
#include "app/motion/calibrate/frame_shifts.h"
#include "app/motion/calibrate/light_fit.h"

namespace glint::motion {

/// A recording as it is explained, and the fit of the cameras. It is fitted twice: first without
/// every fifth moment, which measures the error, and then to all moments.
class ExplainedFit {
 public:
  /// `options` must outlive it.
  ExplainedFit(LightRecording recording, const CalibrationOptions& options);
  ExplainedFit(const ExplainedFit&) = delete;
  ExplainedFit& operator=(const ExplainedFit&) = delete;

  /// Fits the cameras without any guess. Throws Error as calibrate() does.
  void fit();
  /// Fits the cameras of `plain`, an explanation of the same recording, if their images are read
  /// row by row. Returns false if the recording shows nothing of that.
  bool fitReadouts(const ExplainedFit& plain);
  /// Fits the cameras of `plain` if one was moved. This explanation's recording must be splitAt()
  /// the move. Its last camera is the moved one after the move. If the first camera was moved, the
  /// rig is in the frame of its place after the move.
  void fitSplit(const ExplainedFit& plain, const Move& move);
  /// Returns the move of a fitSplit() with the poses that it found, and at the moment that divides
  /// the recording of `plain` best between them.
  Move divideAgain(const ExplainedFit& plain, const Move& move) const;

  /// Returns true if the residuals suggest that something else is true.
  bool isDoubtful(const RivalOptions& limits) const;
  /// Returns the mean squared error of the dots in moments kept back, px^2: see
  /// RivalOptions::stray.
  double error() const { return error_; }

  const LightRecording& recording() const { return recording_; }
  /// The fit of all moments. Only after a fit.
  LightFit& whole() { return *whole_; }
  const LightFit& whole() const { return *whole_; }
  const HeldOut& heldOut() const { return figures_; }
  const std::vector<std::string>& held() const { return known_->held; }

 private:
  void judge();
  double errorOf(const Bundle& bundle) const;
  std::vector<double> errorsAsOnePlace(const ExplainedFit& plain, size_t camera,
                                       size_t place) const;

  const CalibrationOptions& options_;
  LightRecording recording_, training_;
  std::vector<bool> heldOut_;
  std::optional<LightFit> known_, whole_;
  HeldOut figures_;
  double error_ = 0;
};

/// Returns the recording with one more camera at the end, which has the views of `camera` from
/// moment `from` on. The camera itself keeps those before.
LightRecording splitAt(const LightRecording& recording, size_t camera, size_t from);

/// Returns the number of moments in which at least two cameras see the whole target.
size_t countWhole(const LightRecording& recording, const Target& target);

}  // namespace glint::motion
