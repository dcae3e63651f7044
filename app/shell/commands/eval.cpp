#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "app/motion/track/samples.h"
#include "app/shell/commands/commands.h"
#include "app/shell/commands/options.h"
#include "app/study/eval/pose_score.h"
#include "app/study/eval/score.h"
#include "app/study/eval/space_score.h"
#include "app/study/eval/tracked_frames.h"

namespace glint::shell {
namespace {

struct EvalOptions {
  std::string tracks, truth;
  std::optional<double> radius;
  bool json = false;
};

/// Returns a line that says so if the truth goes on after the last row, or an empty text. Points
/// and poses have no record that says which frames were tracked. Both must be sorted by frame.
std::string missedEnd(const auto& rows, const auto& truth) {
  if (truth.empty() || (!rows.empty() && rows.back().frame >= truth.back().frame)) return "";
  const std::string last = rows.empty()
                               ? "there are no rows"
                               : fmt::format("the last row is of frame {}", rows.back().frame);
  return fmt::format("{}, and the truth goes on to frame {}; its markers count as missed\n", last,
                     truth.back().frame);
}

void evaluate(const EvalOptions& options) {
  if (study::holdsPoses(options.tracks)) {
    const double radius = options.radius.value_or(study::kPoseRadius);
    const auto truth = study::readPosesTruth(options.truth);
    const auto poses = study::readPoses(options.tracks);
    const auto found = study::scorePoses(poses, truth, radius);
    fmt::print("{}", options.json ? study::toJson(found, radius)
                                  : study::toTable(found) + missedEnd(poses, truth));
    return;
  }
  if (study::holdsPoints(options.tracks)) {
    const double radius = options.radius.value_or(study::kSpaceRadius);
    const auto truth = study::readSpaceTruth(options.truth);
    const auto points = study::readSpacePoints(options.tracks);
    const auto found = study::scoreSpace(points, truth, radius);
    fmt::print("{}", options.json ? study::toJson(found, radius)
                                  : study::toTable(found) + missedEnd(points, truth));
    return;
  }
  study::ScoreOptions as;
  as.radius = options.radius.value_or(as.radius);
  const auto tracks = motion::readTracks(options.tracks);
  const auto scores = study::scoreTracked(tracks, motion::readTruth(options.truth),
                                          study::trackedFrames(options.tracks, tracks), as);
  fmt::print("{}", options.json ? study::toJson(scores) : study::toTable(scores));
}

}  // namespace

void addEvalCommand(CLI::App& app) {
  const auto options = std::make_shared<EvalOptions>();
  CLI::App* command = app.add_subcommand(
      "eval", "Score tracks, points or poses against truth: recall, IDF1, errors");
  command
      ->add_option("tracks", options->tracks,
                   "tracks.csv, points.csv or poses.csv from `glint track`")
      ->required();
  command
      ->add_option("truth", options->truth,
                   "truth.csv, truth3d.csv, or the file of --truth-poses, from `glint synth`")
      ->required();
  command
      ->add_option("--radius", options->radius,
                   "Maximum distance of a match [5 px; of points and poses 20 mm]")
      ->check(numberIn(study::kLeastRadius, study::kMostRadius));
  command->add_flag("--json", options->json, "Print JSON instead of a table");
  command->callback([options] { evaluate(*options); });
}

}  // namespace glint::shell
