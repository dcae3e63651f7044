#include <memory>

#include <fmt/format.h>

#include "app/commands/commands.h"
#include "app/commands/options.h"
#include "app/eval/samples.h"
#include "app/eval/score.h"
#include "app/eval/score_text.h"

namespace glint {
namespace {

struct EvalOptions {
  std::string tracks, truth;
  ScoreOptions score;
  bool json = false;
};

void evaluate(const EvalOptions& options) {
  const auto scores = score(readTracks(options.tracks), readTruth(options.truth), options.score);
  fmt::print("{}", options.json ? toJson(scores) : toTable(scores));
}

}  // namespace

void addEvalCommand(CLI::App& app) {
  const auto options = std::make_shared<EvalOptions>();
  CLI::App* command =
      app.add_subcommand("eval", "Score tracks against truth: recall, IDF1, HOTA, errors");
  command->add_option("tracks", options->tracks, "tracks.csv from `glint track`")->required();
  command->add_option("truth", options->truth, "truth.csv from `glint synth`")->required();
  command->add_option("--radius", options->score.radius, "Largest distance of a match, px")
      ->capture_default_str()
      ->check(numberIn(kLeastRadius, kMostRadius));
  command->add_flag("--json", options->json, "Print JSON instead of a table");
  command->callback([options] { evaluate(*options); });
}

}  // namespace glint
