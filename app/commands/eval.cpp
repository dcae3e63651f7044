#include <memory>
#include <optional>

#include <fmt/format.h>

#include "app/commands/commands.h"
#include "app/commands/options.h"
#include "app/eval/pose_score.h"
#include "app/eval/samples.h"
#include "app/eval/score.h"
#include "app/eval/score_text.h"
#include "app/eval/space_score.h"

namespace glint {
namespace {

struct EvalOptions {
  std::string tracks, truth;
  std::optional<double> radius;
  bool json = false;
};

void evaluate(const EvalOptions& options) {
  if (holdsPoses(options.tracks)) {
    const double radius = options.radius.value_or(kPoseRadius);
    const auto found = scorePoses(readPoses(options.tracks), readPosesTruth(options.truth), radius);
    fmt::print("{}", options.json ? toJson(found, radius) : toTable(found));
    return;
  }
  if (holdsPoints(options.tracks)) {
    const double radius = options.radius.value_or(kSpaceRadius);
    const auto found =
        scoreSpace(readSpacePoints(options.tracks), readSpaceTruth(options.truth), radius);
    fmt::print("{}", options.json ? toJson(found, radius) : toTable(found));
    return;
  }
  ScoreOptions as;
  as.radius = options.radius.value_or(as.radius);
  const auto scores = score(readTracks(options.tracks), readTruth(options.truth), as);
  fmt::print("{}", options.json ? toJson(scores) : toTable(scores));
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
      ->check(numberIn(kLeastRadius, kMostRadius));
  command->add_flag("--json", options->json, "Print JSON instead of a table");
  command->callback([options] { evaluate(*options); });
}

}  // namespace glint
