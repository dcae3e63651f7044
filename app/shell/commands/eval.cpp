#include <memory>
#include <optional>

#include <fmt/format.h>

#include "app/motion/track/samples.h"
#include "app/shell/commands/commands.h"
#include "app/shell/commands/options.h"
#include "app/study/eval/pose_score.h"
#include "app/study/eval/score.h"
#include "app/study/eval/space_score.h"

namespace glint::shell {
namespace {

struct EvalOptions {
  std::string tracks, truth;
  std::optional<double> radius;
  bool json = false;
};

void evaluate(const EvalOptions& options) {
  if (study::holdsPoses(options.tracks)) {
    const double radius = options.radius.value_or(study::kPoseRadius);
    const auto found = study::scorePoses(study::readPoses(options.tracks),
                                         study::readPosesTruth(options.truth), radius);
    fmt::print("{}", options.json ? study::toJson(found, radius) : study::toTable(found));
    return;
  }
  if (study::holdsPoints(options.tracks)) {
    const double radius = options.radius.value_or(study::kSpaceRadius);
    const auto found = study::scoreSpace(study::readSpacePoints(options.tracks),
                                         study::readSpaceTruth(options.truth), radius);
    fmt::print("{}", options.json ? study::toJson(found, radius) : study::toTable(found));
    return;
  }
  study::ScoreOptions as;
  as.radius = options.radius.value_or(as.radius);
  const auto scores =
      study::score(motion::readTracks(options.tracks), motion::readTruth(options.truth), as);
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
                   "Largest distance of a match [5 px; of points and poses 20 mm]")
      ->check(numberIn(study::kLeastRadius, study::kMostRadius));
  command->add_flag("--json", options->json, "Print JSON instead of a table");
  command->callback([options] { evaluate(*options); });
}

}  // namespace glint::shell
