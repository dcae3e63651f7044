#include "app/motion/calibrate/account.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "app/base/version.h"
#include "app/motion/calibrate/advice.h"
#include "app/motion/calibrate/image_fields.h"
#include "app/motion/calibrate/volume.h"

namespace glint::motion {
namespace {

using Json = nlohmann::ordered_json;

/// Returns true if a camera's lens was estimated, not given.
bool lensFound(const CameraFigures& f) {
  return f.focalSigma > 0;
}

/// Returns the camera whose image is covered least, among those whose lenses were estimated.
/// Outside the covered area such a lens is a guess.
std::optional<size_t> leastCovered(const Calibration& calibration) {
  std::optional<size_t> least;
  for (size_t c = 0; c < calibration.cameras.size(); ++c) {
    const CameraFigures& f = calibration.cameras[c];
    if (lensFound(f) && (!least || shareOf(f.fields) < shareOf(calibration.cameras[*least].fields)))
      least = c;
  }
  return least;
}

/// Returns the standard deviation of the wand's measured length as a share of the true length, or 0
/// without a wand. It is half of the range of the middle 68 % of lengths, because a stray light
/// that is taken for an end says nothing about the rig.
double relativeSpread(const Calibration& calibration, const Target& target) {
  std::vector<double> lengths = calibration.heldOut.lengths;
  if (!target.isWand() || lengths.empty()) return 0;
  std::sort(lengths.begin(), lengths.end());
  const auto at = [&](double share) {
    return lengths[static_cast<size_t>(std::lround(share * double(lengths.size() - 1)))];
  };
  return (at(0.84) - at(0.16)) / 2 / target.length;
}

/// Returns a time offset as text, such as "8.02 ms", or in frames if the recording has no times.
std::string lateness(double offset, const LightRecording& recording) {
  return recording.timed ? fmt::format("{:.2f} ms", 1e3 * offset)
                         : fmt::format("{:.3f} frames", offset);
}

/// Returns true if there were lights and all of them lay in the upper left quarter of the image.
/// The usual reason is that the stated size of the image is twice its true size.
bool liesInOneQuarter(uint64_t fields) {
  // The fields of the upper left quarter, four by four of eight by eight, as bits: see
  // image_fields.h.
  constexpr uint64_t kQuarter = 0x0F0F0F0F;
  return fields != 0 && (fields & ~kQuarter) == 0;
}

/// Returns a name for the camera that was moved. The dots of two cameras do not show which one of
/// them it was.
std::string movedName(const Calibration& calibration) {
  return calibration.cameras.size() > 2 ? fmt::format("camera {}", calibration.disturbed->camera)
                                        : "one of the two cameras";
}

// Standard deviation of a focal length, as a share of it, above which it is mentioned and lowers
// the grade.
constexpr double kWeakFocal = 0.02;

double worstFocal(const Calibration& calibration) {
  double worst = 0;
  for (size_t c = 0; c < calibration.cameras.size(); ++c)
    worst = std::max(worst, calibration.cameras[c].focalSigma / calibration.rig.cameras[c].lens.fx);
  return worst;
}

Json figuresJson(const CameraFigures& f) {
  return {{"mean_px", f.mean}, {"rms_px", f.rms},   {"within_1_px", f.within},
          {"lights", f.dots},  {"dots", f.offered}, {"covered", shareOf(f.fields)},
          {"misfit", f.misfit}};
}

/// Returns a line about the moments that cameras share: the pairs with the most and the fewest.
std::string sharedText(const Calibration& calibration) {
  const auto& shared = calibration.shared;
  std::array<size_t, 2> least{0, 1}, most{0, 1};
  const auto of = [&](const std::array<size_t, 2>& pair) { return shared[pair[0]][pair[1]]; };
  for (size_t i = 0; i < shared.size(); ++i)
    for (size_t j = i + 1; j < shared.size(); ++j) {
      if (shared[i][j] < of(least)) least = {i, j};
      if (shared[i][j] > of(most)) most = {i, j};
    }
  if (shared.size() < 2) return "";
  if (shared.size() == 2) return fmt::format("the cameras share {} moments\n", of(most));
  if (of(least) == of(most)) return fmt::format("any two cameras share {} moments\n", of(most));
  return fmt::format("cameras share {} moments ({} and {}) to {} ({} and {})\n", of(least),
                     least[0], least[1], of(most), most[0], most[1]);
}

Json volumeJson(const VolumeMap& map) {
  const auto place = [](const Eigen::Vector3d& at) { return Json{at.x(), at.y(), at.z()}; };
  Json json{{"low_mm", place(map.low)}, {"high_mm", place(map.high)}, {"cells", VolumeMap::kCells},
            {"sigma_mm", map.middle},   {"best_mm", map.best},        {"worst_mm", map.worst}};
  json["slices"] = Json::array();
  for (size_t s = 0; s < map.sigmas.size(); ++s) {
    Json slice{{"z_mm", map.heights[s]}, {"sigma_mm", Json::array()}};
    for (const auto& sigma : map.sigmas[s])
      slice["sigma_mm"].push_back(sigma ? Json(*sigma) : Json());
    json["slices"].push_back(std::move(slice));
  }
  return json;
}

/// Returns true if the residuals may come from a lens that has more distortion terms than were
/// asked for. They must be small, and no camera may seem to have moved by 1 px or more.
bool mayNeedLens(const Calibration& calibration, const CalibrationOptions& options) {
  // Maximum misfit; a larger one has other causes.
  constexpr double kMost = 5;
  return options.terms < LensTerms::full && !options.fixIntrinsics && calibration.misfit < kMost &&
         (!calibration.disturbed || calibration.disturbed->pixels < 1);
}

}  // namespace

Grade gradeOf(const Calibration& calibration, const Target& target) {
  struct Level {
    const char* word;
    double pixels, spread, share;
  };
  // Limits of each grade. Maximum values: residual (px rms) and spread of the wand's length (share
  // of it). Minimum value: share of dots that fit.
  constexpr std::array<Level, 3> kLevels{
      {{"excellent", 0.3, 0.001, 0.9}, {"good", 0.7, 0.003, 0.75}, {"fair", 1.5, 0.01, 0.5}}};
  const HeldOut& held = calibration.heldOut;
  const double spread = relativeSpread(calibration, target);
  Grade grade{"poor", ""};
  if (const auto map = mapVolume(calibration))
    grade.because = fmt::format("a light in the volume is known to +- {:.3g} {}; ", map->middle,
                                calibration.scaled ? "mm" : "units");
  grade.because += fmt::format("{:.2f} px rms", held.rms);
  if (target.isWand()) grade.because += fmt::format(" and a wand sd of {:.2f} %", 100 * spread);
  grade.because += " in the moments kept back";
  const double focal = worstFocal(calibration);
  if (focal > kWeakFocal)
    grade.because += fmt::format("; a focal length is known to {:.0f} % only", 100 * focal);
  size_t stranger = 0;
  double share = 1;
  for (size_t c = 0; c < calibration.cameras.size(); ++c)
    if (const double fits = shareThatFits(calibration.cameras[c]); fits < share)
      share = fits, stranger = c;
  if (share < kLevels.front().share)
    grade.because +=
        fmt::format("; of camera {}'s dots {:.0f} % fit", stranger, std::floor(100 * share));
  if (calibration.disturbed) grade.because += fmt::format("; {} was moved", movedName(calibration));
  for (const Doubt& doubt : calibration.doubts) grade.because += "; " + doubt.what;
  // The figures of a rig with a camera that was moved are good again, because both of its places
  // are known. But the recordings that the rig is for may have been made before the move.
  const bool certain = focal <= kWeakFocal && calibration.doubts.empty() && !calibration.disturbed;
  for (const Level& level : kLevels)
    if (held.rms <= level.pixels && spread <= level.spread && share >= level.share &&
        (certain || &level == &kLevels.back())) {
      grade.word = level.word;
      break;
    }
  return grade;
}

Grade coverageOf(const Calibration& calibration, const Target& target) {
  struct Level {
    const char* word;
    double covered;
    size_t moments;
  };
  // Minimum share of each image that is covered, and minimum number of moments kept back.
  constexpr std::array<Level, 2> kLevels{{{"good", 0.3, 20}, {"fair", 0.15, 10}}};
  // Even a few views of a board have many corners, so the number of moments does not matter.
  const size_t moments = target.isBoard ? kLevels.front().moments : calibration.heldOut.moments;
  const auto bare = leastCovered(calibration);
  const double cover = bare ? shareOf(calibration.cameras[*bare].fields) : 1;
  Grade grade{"poor", "the lenses are given"};
  if (bare)
    grade.because =
        fmt::format("lights in {:.0f} % of camera {}'s image, the least", 100 * cover, *bare);
  if (moments < kLevels.front().moments)
    grade.because += fmt::format("; only {} moments are kept back", moments);
  for (const Level& level : kLevels)
    if (cover >= level.covered && moments >= level.moments) {
      grade.word = level.word;
      break;
    }
  return grade;
}

/// Returns what was found out about how a camera takes its pictures, one sentence each.
std::vector<std::string> timingNotes(const Calibration& calibration,
                                     const LightRecording& recording, size_t camera) {
  std::vector<std::string> notes;
  const CameraFigures& f = calibration.cameras[camera];
  const char* const inRig =
      recording.timed ? "the rig allows for that"
                      : "the rig cannot say that, because the recording has no times (time_s)";
  if (camera < calibration.shifts.size()) {
    const FrameShift& shift = calibration.shifts[camera];
    const auto frames = [](int count) {
      return fmt::format("{} frame{}", std::abs(count), std::abs(count) == 1 ? "" : "s");
    };
    if (shift.before != 0)
      notes.push_back(fmt::format("camera {} sees moments {} {} than the others; {}", camera,
                                  frames(shift.before), shift.before < 0 ? "later" : "earlier",
                                  inRig));
    if (shift.jumps()) {
      const double time = recording.moments[shift.from].time;
      const int jump = shift.after - shift.before;
      notes.push_back(fmt::format(
          "camera {} {} {} near {}{}, which was allowed for here; record the times of its frames "
          "(time_s), so that frames are not matched by their number",
          camera, jump < 0 ? "lost" : "repeated", frames(jump),
          recording.timed ? fmt::format("{:.1f} s", time) : fmt::format("frame {:.0f}", time),
          // Two cameras do not tell which of them it was.
          calibration.cameras.size() > 2 ? "" : " (or the other camera did the opposite)"));
    }
  }
  if (f.timeOffset != 0)
    notes.push_back(fmt::format(
        "camera {} is out of step: it sees {} +- {} {} than the others{}", camera,
        lateness(std::abs(f.timeOffset), recording), lateness(f.timeSigma, recording),
        f.timeOffset > 0 ? "later" : "earlier", recording.timed ? "" : fmt::format("; {}", inRig)));
  if (f.readout != 0)
    notes.push_back(fmt::format(
        "camera {} reads its rows one after the other, within {} +- {} (a rolling shutter); {}",
        camera, lateness(std::abs(f.readout), recording), lateness(f.readoutSigma, recording),
        inRig));
  return notes;
}

std::vector<std::string> notesOf(const Calibration& calibration, const LightRecording& recording,
                                 const CalibrationOptions& options) {
  // The misfit from which it is worth a note. Raising it notes fewer calibrations.
  constexpr double kMuch = 1.3;
  std::vector<std::string> notes;
  if (!calibration.scaled)
    notes.push_back(
        "the scale is not known: the distance between two cameras was set to 1000; give the true "
        "one with --distance");
  if (const auto& disturbed = calibration.disturbed)
    notes.push_back(fmt::format(
        "{} seems to have moved after {}, by {:.2f} px in its image; the rig holds its place "
        "after the move, so it is wrong for what was recorded before",
        movedName(calibration),
        recording.timed ? fmt::format("{:.1f} s", disturbed->time)
                        : fmt::format("frame {:.0f}", disturbed->time),
        disturbed->pixels));
  for (size_t c = 0; c < calibration.cameras.size(); ++c) {
    const CameraFigures& f = calibration.cameras[c];
    for (std::string& note : timingNotes(calibration, recording, c))
      notes.push_back(std::move(note));
    const double focal = calibration.rig.cameras[c].lens.fx;
    if (f.focalSigma > kWeakFocal * focal)
      notes.push_back(
          fmt::format("the focal length of camera {} is known to {:.1f} % only; so are distances "
                      "along its view",
                      c, 100 * f.focalSigma / focal));
  }
  for (size_t c = 0; c < calibration.cameras.size(); ++c)
    if (liesInOneQuarter(calibration.cameras[c].fields))
      notes.push_back(fmt::format(
          "all that camera {} sees lies in the upper left quarter of its {}x{} pixels: check its "
          "size",
          c, recording.sizes[c].width, recording.sizes[c].height));
  if (!calibration.still.empty())
    notes.push_back(fmt::format("lights that stand still were left out: of camera{} {}",
                                calibration.still.size() == 1 ? "" : "s",
                                fmt::join(calibration.still, ", ")));
  if (!calibration.held.empty())
    notes.push_back(fmt::format("not determined by this recording, so left as assumed: {}",
                                fmt::join(calibration.held, ", ")));
  if (!recording.sigmasKnown)
    notes.push_back(fmt::format("the dots' standard deviation is {:.3f} px, from their residuals",
                                calibration.misfit));
  else if (calibration.misfit >= kMuch)
    notes.push_back(fmt::format(
        "residuals are {:.1f} times as large as sigma_x and sigma_y say; the covariance allows for "
        "it{}",
        calibration.misfit,
        mayNeedLens(calibration, options) ? "; --lens full may fit better" : ""));
  if (const std::string advice = adviceOf(calibration, options.target, recording.timed);
      !advice.empty())
    notes.push_back("what would help most: " + advice);
  return notes;
}

std::string accountText(const Calibration& calibration, const LightRecording& recording,
                        const CalibrationOptions& options) {
  const HeldOut& held = calibration.heldOut;
  std::string text =
      fmt::format("{} camera{}, {} moments, {} found in {} of them\n", calibration.cameras.size(),
                  calibration.cameras.size() == 1 ? "" : "s", calibration.moments,
                  options.target.name(), calibration.found);
  if (recording.worstDelay > 0)
    text += fmt::format("matched by time: the worst frame is {} off its moment\n",
                        lateness(recording.worstDelay, recording));
  text +=
      "camera      f px     +-   centre px         px mean    rms  within 1 px  lights  covered\n";
  for (size_t c = 0; c < calibration.cameras.size(); ++c) {
    const CameraFigures& f = calibration.cameras[c];
    const Lens& l = calibration.rig.cameras[c].lens;
    text += fmt::format(
        "{:<6} {:>9.1f} {:>6.2f}   ({:>7.1f}, {:>7.1f}) {:>7.3f} {:>6.3f} {:>9.1f} % {:>7} "
        "{:>6.0f} %\n",
        c, l.fx, f.focalSigma, l.cx, l.cy, f.mean, f.rms, 100 * f.within, f.dots,
        100 * shareOf(f.fields));
  }
  text += fmt::format("kept back: {} moments, {:.3f} px mean, {:.3f} px rms", held.moments,
                      held.mean, held.rms);
  if (options.target.isWand())
    text += fmt::format("; wand {:.3f} mm, sd {:.3f}, worst {:.3f} mm off", held.lengthMean,
                        held.lengthSigma, held.lengthWorst);
  text += "\n";
  text += sharedText(calibration);
  if (const auto map = mapVolume(calibration))
    text += fmt::format(
        "a light in the volume: +- {:.3g} {}; +- {:.3g} where it is best placed, {:.3g} "
        "where worst\n",
        map->middle, calibration.scaled ? "mm" : "units", map->best, map->worst);
  const Grade grade = gradeOf(calibration, options.target);
  const Grade coverage = coverageOf(calibration, options.target);
  text += fmt::format("accuracy: {} ({})\n", grade.word, grade.because);
  text += fmt::format("coverage: {} ({})\n", coverage.word, coverage.because);
  if (options.target.isWand())
    text += fmt::format("scale: the wand is {:g} mm long, as given\n", options.target.length);
  for (const std::string& note : notesOf(calibration, recording, options)) text += note + "\n";
  return text;
}

std::string accountJson(const Calibration& calibration, const LightRecording& recording,
                        const CalibrationOptions& options) {
  const HeldOut& held = calibration.heldOut;
  const Grade grade = gradeOf(calibration, options.target);
  const Grade coverage = coverageOf(calibration, options.target);
  Json json{{"version", base::kVersion},
            {"moments", calibration.moments},
            {"found", calibration.found},
            {"scale_known", calibration.scaled},
            {"misfit", calibration.misfit},
            {"sigmas_known", recording.sigmasKnown},
            {"worst_delay", recording.worstDelay},
            {"shared_moments", calibration.shared},
            {"not_determined", calibration.held},
            {"grade", grade.word},
            {"because", grade.because},
            {"coverage", coverage.word},
            {"coverage_because", coverage.because},
            {"advice", adviceOf(calibration, options.target, recording.timed)}};
  json["doubts"] = Json::array();
  for (const Doubt& doubt : calibration.doubts) json["doubts"].push_back(doubt.what);
  json["kept_back"] = {{"moments", held.moments}, {"mean_px", held.mean}, {"rms_px", held.rms}};
  if (options.target.isWand())
    json["kept_back"]["wand_mm"] = {{"given", options.target.length},
                                    {"mean", held.lengthMean},
                                    {"sd", held.lengthSigma},
                                    {"worst", held.lengthWorst}};
  if (const auto& disturbed = calibration.disturbed)
    json["moved"] = {
        {"camera", disturbed->camera}, {"after", disturbed->time}, {"px", disturbed->pixels}};
  if (const auto map = mapVolume(calibration)) json["volume"] = volumeJson(*map);
  json["cameras"] = Json::array();
  for (size_t c = 0; c < calibration.cameras.size(); ++c) {
    Json camera = figuresJson(calibration.cameras[c]);
    camera["time_offset_s"] = calibration.cameras[c].timeOffset;
    camera["time_sigma_s"] = calibration.cameras[c].timeSigma;
    camera["readout_s"] = calibration.cameras[c].readout;
    camera["readout_sigma_s"] = calibration.cameras[c].readoutSigma;
    if (c < calibration.shifts.size() && calibration.shifts[c].any()) {
      const FrameShift& shift = calibration.shifts[c];
      camera["frames_late"] = shift.before;
      if (shift.jumps()) camera["frames_late_then"] = shift.after;
    }
    camera["kept_back"] = figuresJson(held.cameras[c]);
    json["cameras"].push_back(std::move(camera));
  }
  const RigCovariance& covariance = calibration.rig.covariance;
  for (size_t i = 0; i < covariance.names.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(i);
    json["sigma"][covariance.names[i]] = std::sqrt(covariance.matrix(at, at));
  }
  return json.dump(2) + "\n";
}

}  // namespace glint::motion
