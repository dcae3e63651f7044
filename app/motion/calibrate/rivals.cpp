#include "app/motion/calibrate/rivals.h"

#include <algorithm>
#include <exception>

#include "app/motion/calibrate/disturbed.h"
#include "app/motion/calibrate/frame_jumps.h"
#include "app/motion/calibrate/refusals.h"
#include "config/error.h"

namespace glint::motion {
namespace {

/// A camera that was moved, and the fit that allows for it.
struct ConfirmedMove {
  MovedCamera moved;
  std::unique_ptr<ExplainedFit> fit;
};

/// Fits a recording in which a camera was moved, and improves the time of the move until it stays.
/// Returns nothing if there is no such fit.
std::optional<ConfirmedMove> fitMove(const ExplainedFit& plain, Move move,
                                     const CalibrationOptions& options) {
  // Maximum number of times that the moment is corrected. Raising it takes longer.
  constexpr int kMostRounds = 4;
  std::unique_ptr<ExplainedFit> best;
  size_t from = 0;
  for (int round = 0; round < kMostRounds; ++round) {
    auto split = std::make_unique<ExplainedFit>(
        splitAt(plain.recording(), move.camera, move.moment), options);
    try {
      split->fitSplit(plain, move);
    } catch (const Error&) {
      break;
    }
    const Move next = split->divideAgain(plain, move);
    const bool again = next.moment != move.moment && next.moment > 0;
    if (!best || split->error() < best->error()) best = std::move(split), from = move.moment;
    if (!again) break;
    move = next;
  }
  if (!best) return std::nullopt;
  const Bundle& bundle = best->whole().bundle;
  const double pixels = shiftBetween(bundle, move.camera, bundle.cameras.size() - 1);
  const double before = plain.recording().moments[std::max<size_t>(from, 1) - 1].time;
  return ConfirmedMove{{move.camera, before, pixels}, std::move(best)};
}

/// Returns the move that explains the residuals of a fit, or nothing if allowing for it does not
/// lower the error in moments kept back.
std::optional<ConfirmedMove> confirmedMove(const ExplainedFit& plain,
                                           const CalibrationOptions& options) {
  // Number of cameras whose moves are fitted to all dots. Raising it takes longer.
  constexpr size_t kMost = 2;
  auto moves = findMoves(plain.whole().bundle, plain.recording(), options.target);
  if (moves.size() > kMost) moves.resize(kMost);
  std::optional<ConfirmedMove> best;
  for (const Move& move : moves) {
    auto fitted = fitMove(plain, move, options);
    if (!fitted || fitted->fit->error() > options.rivals.moved * plain.error()) continue;
    if (!best || fitted->fit->error() < best->fit->error()) best = std::move(fitted);
  }
  return best;
}

class Rivals {
 public:
  Rivals(const LightRecording& recording, const CalibrationOptions& options)
      : recording_(recording), options_(options), limits_(options.rivals) {}

  BestExplanation choose() {
    std::exception_ptr refusal;
    try {
      auto plain = std::make_unique<ExplainedFit>(recording_, options_);
      plain->fit();
      take(std::move(plain), {});
    } catch (const Error&) {
      refusal = std::current_exception();
    }
    if (isDoubtful()) tryShifts();
    if (!best_.fit) std::rethrow_exception(refusal);
    if (isDoubtful()) tryReadouts();
    refuseTwins(best_.fit->whole().bundle);
    if (move_) {
      best_.moved = move_->moved;
      best_.fit = std::move(move_->fit);
    }
    return std::move(best_);
  }

 private:
  bool isDoubtful() const { return !best_.fit || move_ || best_.fit->isDoubtful(limits_); }

  void take(std::unique_ptr<ExplainedFit> fit, std::vector<FrameShift> shifts) {
    best_.fit = std::move(fit);
    best_.shifts = std::move(shifts);
    move_.reset();  // it belongs to the fit before
    move_ = confirmedMove(*best_.fit, options_);
  }

  /// Returns true if a rival has a much smaller error than the best explanation, and a smaller one
  /// than a camera that was moved.
  bool isBetter(const ExplainedFit& rival) const {
    if (!best_.fit) return true;
    const double error = rival.error();
    return error < limits_.better * best_.fit->error() && !(move_ && move_->fit->error() < error);
  }

  void tryShifts() {
    if (best_.fit) tryShifts(findFrameJump(best_.fit->whole().bundle, recording_, options_.target));
    if (isDoubtful()) tryShifts(findFrameShifts(recording_, options_.target));
  }

  void tryShifts(const std::vector<FrameShift>& shifts) {
    if (std::none_of(shifts.begin(), shifts.end(), [](const FrameShift& s) { return s.any(); }))
      return;
    try {
      auto rival = std::make_unique<ExplainedFit>(shifted(recording_, shifts), options_);
      rival->fit();
      if (isBetter(*rival)) take(std::move(rival), shifts);
    } catch (const Error&) {
      // The shifted recording gives no rig, so the shift explains nothing.
    }
  }

  void tryReadouts() {
    try {
      auto rival = std::make_unique<ExplainedFit>(best_.fit->recording(), options_);
      if (rival->fitReadouts(*best_.fit) && isBetter(*rival)) take(std::move(rival), best_.shifts);
    } catch (const Error&) {
      // With cameras that read row by row, the recording gives no rig, so they explain nothing.
    }
  }

  const LightRecording& recording_;
  const CalibrationOptions& options_;
  const RivalOptions& limits_;
  BestExplanation best_;
  std::optional<ConfirmedMove> move_;
};

}  // namespace

BestExplanation explain(const LightRecording& recording, const CalibrationOptions& options) {
  return Rivals(recording, options).choose();
}

}  // namespace glint::motion
