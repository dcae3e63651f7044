#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/base/log.h"
#include "app/base/suffix.h"
#include "app/base/whole_file.h"
#include "app/motion/space/bodies_file.h"
#include "app/motion/space/body_doubts.h"
#include "app/motion/space/body_learn.h"
#include "app/output/sinks/run_files.h"
#include "app/shell/commands/commands.h"
#include "app/shell/commands/options.h"
#include "app/shell/commands/print_text.h"
#include "app/study/eval/space_score.h"
#include "config/error.h"

namespace glint::shell {
namespace {

struct BodiesCommand {
  std::string bodies, learn, name, output;
  std::vector<uint64_t> points;
};

void warnOfDoubts(const std::string& file, const std::vector<motion::Body>& bodies) {
  for (const std::string& doubt : motion::doubtsOf(bodies)) base::warn("{}: {}", file, doubt);
}

void show(const BodiesCommand& command) {
  const auto bodies = motion::readBodies(command.bodies);
  for (const motion::Body& body : bodies) {
    printText("{}: {} markers, known to {:g} mm\n", body.name, body.markers.size(), body.sigma);
    for (size_t a = 0; a < body.markers.size(); ++a)
      for (size_t b = a + 1; b < body.markers.size(); ++b)
        printText("  {} - {}: {:.2f} mm\n", body.markers[a].label, body.markers[b].label,
                  (body.markers[a].at - body.markers[b].at).norm());
  }
  warnOfDoubts(command.bodies, bodies);
}

std::vector<motion::LearnPoint> measuredPoints(const std::string& path) {
  std::vector<motion::LearnPoint> points;
  for (const study::SpaceSample& sample : study::readSpacePoints(path)) {
    if (!sample.measured) continue;
    const auto& c = sample.covariance;
    motion::LearnPoint& point = points.emplace_back();
    point.frame = sample.frame;
    point.id = sample.id;
    point.at = Eigen::Vector3d(sample.at.data());
    point.covariance << c[0], c[3], c[4], c[3], c[1], c[5], c[4], c[5], c[2];
  }
  if (points.empty()) throw Error("{} has no measured points", path);
  return points;
}

void printBody(const motion::LearnedBody& learned, std::FILE* out) {
  double least = 1e9, most = 0, sd = 0;
  for (const auto& d : learned.distances) {
    least = std::min(least, d.mean), most = std::max(most, d.mean);
    sd = std::max(sd, d.sd);
  }
  printText(
      out,
      "{}: points {} in {} frames; {:.1f} to {:.1f} mm apart, sd {:.2f} mm at most; residuals "
      "{:.2f} "
      "mm where {:.2f} mm are stated\n",
      learned.body.name, fmt::join(learned.points, " "), learned.frames, least, most, sd,
      learned.residual, learned.stated);
}

void learn(const BodiesCommand& command, std::FILE* out) {
  const auto points = measuredPoints(command.learn);
  motion::LearnedBodies learned;
  auto& found = learned.bodies;
  try {
    if (command.points.empty())
      learned = motion::learnBodies(points);
    else
      found.push_back(motion::learnBody(points, command.points));
  } catch (const Error& error) {
    throw Error("{}: {}", command.learn, error.what());
  }
  if (found.empty())
    throw Error("{}: {}", command.learn,
                learned.leftOut.empty()
                    ? "no three points keep their distances; move the body through "
                      "the volume for some seconds"
                    : learned.leftOut.front());
  if (!command.name.empty()) {
    for (size_t b = 0; b < found.size(); ++b)
      found[b].body.name =
          found.size() == 1 ? command.name : fmt::format("{}{}", command.name, b + 1);
  }
  std::vector<motion::Body> bodies;
  std::vector<std::vector<std::string>> comments;
  for (const motion::LearnedBody& one : found) {
    bodies.push_back(one.body);
    comments.push_back(motion::linesOf(one, command.learn));
  }
  const std::string text = motion::bodiesText(bodies, comments);
  for (const motion::LearnedBody& one : found) {
    constexpr double kStill = 20;  // mm
    printBody(one, out);
    if (command.points.empty() && one.moved < kStill)
      base::warn("{} hardly moved: what lies still looks rigid; --points names a body's points",
                 one.body.name);
  }
  for (const std::string& why : learned.leftOut) base::log(base::LogLevel::warning, why);
  warnOfDoubts(command.output, bodies);
  base::writeWholeFile(command.output, text);
}

void run(const BodiesCommand& command) {
  if (command.bodies.empty() == command.learn.empty())
    throw UsageError("give a file of bodies to describe, or --learn FILE");
  if (!command.bodies.empty()) {
    if (!command.points.empty() || !command.name.empty() || !command.output.empty())
      throw UsageError("--points, --name and -o belong to --learn FILE");
    return show(command);
  }
  if (command.output.empty()) throw UsageError("--learn needs -o FILE");
  if (!command.name.empty() && !motion::isBodyName(command.name))
    throw UsageError("--name: a body's name has at most 64 bytes, in one line");
  if (!command.points.empty() && command.points.size() < 3)
    throw UsageError("--points needs three points or more");
  for (const uint64_t id : command.points)
    if (std::ranges::count(command.points, id) > 1)
      throw UsageError("--points: point {} is named twice", id);
  output::RunFiles files({command.learn});
  files.write(command.output);
  base::checkSuffix(command.output, "the bodies", ".toml");
  learn(command, files.words());
}

}  // namespace

void addBodiesCommand(CLI::App& app) {
  const auto options = std::make_shared<BodiesCommand>();
  CLI::App* command =
      app.add_subcommand("bodies", "Describe rigid bodies, or learn them from points in space");
  addFile(*command, "bodies", options->bodies, "bodies.toml to describe");
  addFile(*command, "--learn", options->learn,
          "points.csv of a recording in which bodies move\nFinds the points that keep their "
          "distances.");
  addValue(*command, "--points", options->points, "The points of one body, such as 3,5,8 [all]",
           "ID,ID,...", wholeNumber(1))
      ->delimiter(',');
  addValue(*command, "--name", options->name, "Name of the body [body1]", "NAME");
  addFile(*command, "-o,--output", options->output, "bodies.toml to write");
  command->callback([options] { run(*options); });
}

}  // namespace glint::shell
