#include "app/shell/desk/body_keeping.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include <fmt/format.h>

#include "app/base/whole_file.h"
#include "app/motion/space/bodies_file.h"
#include "config/error.h"

namespace glint::shell {
namespace {

/// Returns the text of the file, or an empty text if there is no such file.
std::string textOf(const std::string& file) {
  if (!std::filesystem::exists(file)) return {};
  motion::readBodies(file);  // what is no file of bodies is left alone
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

motion::LearnedBody keepBody(const SpaceHistory& history, std::span<const uint64_t> points,
                             const std::string& name, const std::string& file) {
  if (name.empty()) throw Error("the body needs a name");
  std::vector<motion::LearnPoint> measured;
  for (const motion::SpaceRow& row : history.measured(points))
    measured.push_back({row.frame, row.point, row.at, row.covariance});
  motion::LearnedBody learned = motion::learnBody(measured, points);
  learned.body.name = name;
  std::string text = textOf(file);
  if (!text.empty()) text += text.ends_with('\n') ? "\n" : "\n\n";
  text += motion::bodiesText({learned.body}, {motion::linesOf(learned, "the window")});
  motion::readBodiesText(text, file);  // of this name there is one alone
  base::writeWholeFile(file, std::as_bytes(std::span(text)));
  return learned;
}

}  // namespace glint::shell
