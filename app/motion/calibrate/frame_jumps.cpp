#include "app/motion/calibrate/frame_jumps.h"

#include <cmath>

#include "app/motion/calibrate/equation.h"
#include "app/motion/calibrate/motion.h"

namespace glint::motion {
namespace {

/// Normal equation of a camera's time offset over some moments.
struct TimeNormal {
  double square = 0, right = 0;

  double change() const { return square > 0 ? right / square : 0; }
  double gain() const { return right * change(); }
};

/// Two time offsets of a camera, which are added to the fitted one.
struct TimeJump {
  size_t camera = 0, from = 0;
  double before = 0, after = 0, gain = 0;
};

/// Returns for each camera the sums of the normal equations of all moments before each one.
std::vector<std::vector<TimeNormal>> timeSums(const Bundle& bundle, size_t moments) {
  std::vector<std::vector<TimeNormal>> sums(bundle.cameras.size(),
                                            std::vector<TimeNormal>(moments + 1));
  for (const BundleSight& s : bundle.sights) {
    const BundleItem& item = bundle.items[s.item];
    const BundleCamera& camera = bundle.cameras[s.camera];
    Equation e;
    if (!equationOf(s, item, camera.lens, camera.pose, latenessOf(camera, s), endsOf(item).data(),
                    e, true))
      continue;
    TimeNormal& normal = sums[s.camera][item.moment + 1];
    normal.square += e.time.squaredNorm();
    normal.right -= e.time.dot(e.residual);
  }
  for (auto& camera : sums)
    for (size_t m = 0; m < moments; ++m) {
      camera[m + 1].square += camera[m].square;
      camera[m + 1].right += camera[m].right;
    }
  return sums;
}

/// Returns the jump that explains most.
TimeJump bestJump(const Bundle& bundle, size_t moments) {
  // Minimum number of moments on either side of a jump. Raising it misses jumps near the ends.
  constexpr size_t kLeast = 12;
  TimeJump best;
  const auto sums = timeSums(bundle, moments);
  for (size_t c = 0; c < sums.size(); ++c)
    for (size_t m = kLeast; m + kLeast < moments; ++m) {
      const TimeNormal &all = sums[c].back(), &before = sums[c][m];
      const TimeNormal after{all.square - before.square, all.right - before.right};
      const double gain = before.gain() + after.gain() - all.gain();
      if (gain > best.gain) best = {c, m, before.change(), after.change(), gain};
    }
  return best;
}

}  // namespace

std::vector<FrameShift> findFrameJump(Bundle bundle, const LightRecording& recording,
                                      const Target& target) {
  // The farthest that a light moves while frames are lost, as a share of the image's width. Raising
  // it accepts more wrong dots.
  constexpr double kFarthest = 0.03;
  if (!estimateMotion(bundle, recording)) return {};
  double sigma = 0;
  for (const BundleSight& s : bundle.sights)
    sigma += s.sigma.mean() / static_cast<double>(bundle.sights.size());
  gateSights(bundle, recording, target, 1,
             kFarthest * recording.sizes[0].width / (recording.sigmasKnown ? sigma : 1));
  const TimeJump jump = bestJump(bundle, recording.moments.size());
  const double interval = frameInterval(recording);
  const auto frames = [&](double late) { return static_cast<int>(std::lround(-late / interval)); };
  const int by = frames(jump.after - jump.before);
  if (by == 0) return {};
  std::vector<FrameShift> shifts(bundle.cameras.size());
  const int before = frames(bundle.cameras[jump.camera].timeOffset + jump.before);
  shifts[jump.camera] = {before, before + by, jump.from};
  return shifts;
}

}  // namespace glint::motion
