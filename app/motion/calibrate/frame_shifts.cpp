#include "app/motion/calibrate/frame_shifts.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "app/base/quantile.h"
#include "app/motion/calibrate/epipolar.h"
#include "app/motion/calibrate/smooth_lights.h"

namespace glint::motion {
namespace {

/// Returns the index of the moment at a time, or nothing if there is none.
std::optional<size_t> momentAt(const LightRecording& recording, double time, double interval) {
  // A moment belongs to a time if it is off by less than this share of the interval.
  constexpr double kSame = 0.25;
  const auto& moments = recording.moments;
  const auto found = std::lower_bound(
      moments.begin(), moments.end(), time - kSame * interval,
      [](const Moment& moment, double earliest) { return moment.time < earliest; });
  if (found == moments.end() || found->time > time + kSame * interval) return std::nullopt;
  return static_cast<size_t>(found - moments.begin());
}

/// Compares one camera with a reference camera under different shifts.
class ShiftFinder {
 public:
  ShiftFinder(const LightRecording& recording, const Target& target,
              const FrameShiftOptions& options, size_t reference, size_t camera)
      : recording_(recording),
        target_(target),
        options_(options),
        reference_(reference),
        camera_(camera) {}

  FrameShift find() const {
    FrameShift best = bestWhole();
    const FrameShift jump = bestJump(best.before);
    return jump.jumps() ? jump : best;
  }

 private:
  LightRecording pairShifted(const FrameShift& shift) const {
    std::vector<FrameShift> shifts(recording_.sizes.size());
    shifts[camera_] = shift;
    return shifted(recording_, shifts);
  }

  EpipolarFit fit(const LightRecording& pair) const {
    std::vector<size_t> every(pair.moments.size());
    std::iota(every.begin(), every.end(), size_t{0});
    return fitEpipolar(pair, target_, every, reference_, camera_, options_.samples);
  }

  /// Returns the shift of the whole recording under which both cameras agree best.
  FrameShift bestWhole() const {
    FrameShift best;
    double least = 0;
    for (int shift = -options_.most; shift <= options_.most; ++shift) {
      const EpipolarFit found = fit(pairShifted({shift, shift, 0}));
      if (found.tried == 0) continue;
      // No shift at all counts as better, so that only a clear gain leads to a shift.
      const double cost =
          found.cost / static_cast<double>(found.tried) * (shift == 0 ? 1 - options_.gain : 1);
      if (shift == -options_.most || cost < least) least = cost, best = {shift, shift, 0};
    }
    return best;
  }

  /// Returns the best shift that changes once, if it is much better than `whole` throughout.
  FrameShift bestJump(int whole) const {
    FrameShift best{whole, whole, 0};
    // The epipolar geometry is first that of the longer part, and then that of both.
    for (int round = 0; round < 2; ++round) {
      const EpipolarFit found = fit(pairShifted(best));
      if (found.sightings.empty()) return {whole, whole, 0};
      const FrameShift next = jumpUnder(found.fundamental, whole);
      if (next.before == best.before && next.after == best.after && next.from == best.from) break;
      best = next;
    }
    return best;
  }

  FrameShift jumpUnder(const Eigen::Matrix3d& fundamental, int whole) const {
    const int most = options_.most, width = 2 * most + 1;
    const size_t moments = recording_.moments.size();
    // Summed costs of the moments before each one, for each shift.
    std::vector<std::vector<double>> sums(static_cast<size_t>(width));
    for (int shift = -most; shift <= most; ++shift) {
      auto& sum = sums[static_cast<size_t>(shift + most)];
      sum = {0};
      const LightRecording pair = pairShifted({shift, shift, 0});
      for (const Moment& moment : pair.moments)
        sum.push_back(sum.back() + epipolarCost(moment, pair.sizes[camera_], target_, fundamental,
                                                reference_, camera_));
    }
    const auto cost = [&](int shift, size_t from, size_t to) {
      const auto& sum = sums[static_cast<size_t>(shift + most)];
      return sum[to] - sum[from];
    };
    FrameShift best{whole, whole, 0};
    double least = (1 - options_.gain) * cost(whole, 0, moments);
    for (size_t from = options_.leastMoments; from + options_.leastMoments < moments; ++from) {
      const auto bestOf = [&](size_t first, size_t last) {
        int found = whole;
        for (int shift = -most; shift <= most; ++shift)
          if (cost(shift, first, last) < cost(found, first, last)) found = shift;
        return found;
      };
      const int before = bestOf(0, from), after = bestOf(from, moments);
      if (before == after) continue;
      const double sum = cost(before, 0, from) + cost(after, from, moments);
      if (sum < least) least = sum, best = {before, after, from};
    }
    return best;
  }

  const LightRecording& recording_;
  const Target& target_;
  const FrameShiftOptions& options_;
  size_t reference_, camera_;
};

/// Returns the camera that shares most views of the whole target with the others.
size_t bestReference(const LightRecording& recording, const Target& target) {
  std::vector<size_t> shared(recording.sizes.size());
  for (const Moment& moment : recording.moments) {
    std::vector<size_t> seeing;
    for (size_t c = 0; c < moment.views.size(); ++c)
      if (!wholeSightings(moment.views[c], target).empty()) seeing.push_back(c);
    for (const size_t c : seeing) shared[c] += seeing.size() - 1;
  }
  return static_cast<size_t>(std::max_element(shared.begin(), shared.end()) - shared.begin());
}

/// Returns the median of the cameras' shifts at a moment, the lower one of two.
int commonShift(const std::vector<FrameShift>& shifts, size_t moment) {
  std::vector<int> all;
  for (const FrameShift& shift : shifts) all.push_back(shift.at(moment));
  std::sort(all.begin(), all.end());
  return all[(all.size() - 1) / 2];
}

}  // namespace

double frameInterval(const LightRecording& recording) {
  std::vector<double> steps;
  for (size_t m = 0; m + 1 < recording.moments.size(); ++m)
    steps.push_back(recording.moments[m + 1].time - recording.moments[m].time);
  return base::medianOf(std::move(steps));
}

std::vector<FrameShift> findFrameShifts(const LightRecording& recording, const Target& target,
                                        const FrameShiftOptions& options) {
  const auto smooth = smoothLights(recording, target);
  const LightRecording& clear = smooth ? *smooth : recording;
  std::vector<FrameShift> shifts(recording.sizes.size());
  const size_t reference = bestReference(clear, target);
  for (size_t c = 0; c < shifts.size(); ++c)
    if (c != reference) shifts[c] = ShiftFinder(clear, target, options, reference, c).find();
  // If the reference camera itself is shifted, all others seem to be.
  const int before = commonShift(shifts, 0), after = commonShift(shifts, recording.moments.size());
  std::vector<size_t> jumps;
  for (const FrameShift& shift : shifts)
    if (shift.jumps()) jumps.push_back(shift.from);
  for (FrameShift& shift : shifts) {
    if (before != after && !shift.jumps()) shift.from = static_cast<size_t>(base::medianOf(jumps));
    shift.before -= before;
    shift.after -= after;
    if (!shift.jumps()) shift.from = 0;
  }
  return shifts;
}

LightRecording shifted(const LightRecording& recording, const std::vector<FrameShift>& shifts) {
  const double interval = frameInterval(recording);
  LightRecording result = recording;
  for (size_t c = 0; c < shifts.size(); ++c) {
    if (!shifts[c].any()) continue;
    for (size_t m = 0; m < result.moments.size(); ++m) {
      View& view = result.moments[m].views[c];
      const int by = shifts[c].at(m);
      if (by == 0) continue;
      const auto other = momentAt(recording, recording.moments[m].time + by * interval, interval);
      view = other ? recording.moments[*other].views[c] : View{};
    }
  }
  return result;
}

}  // namespace glint::motion
