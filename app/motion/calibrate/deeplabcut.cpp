#include "app/motion/calibrate/deeplabcut.h"

#include <cmath>
#include <fstream>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "app/base/text.h"
#include "config/error.h"
#include "config/printable.h"

namespace glint::motion {
namespace {

constexpr std::string_view kScorer = "scorer,";
constexpr double kLeastLikelihood = 0.6;  // DeepLabCut's own limit, pcutoff

/// The lines of the file, cut into fields at commas.
class PoseLines {
 public:
  explicit PoseLines(const std::string& path) : path_(path), file_(path, std::ios::binary) {
    if (!file_) throw Error("{} cannot be opened for reading", path);
  }

  bool next() {
    if (!std::getline(file_, text_)) return false;
    ++line_;
    if (text_.ends_with('\r')) text_.pop_back();
    fields_.clear();
    std::string_view rest = text_;
    for (size_t comma; (comma = rest.find(',')) != rest.npos; rest.remove_prefix(comma + 1))
      fields_.emplace_back(rest.substr(0, comma));
    fields_.emplace_back(rest);
    return true;
  }

  const std::vector<std::string>& fields() const { return fields_; }
  size_t line() const { return line_; }

  /// Returns a field as a number; nothing if it is empty. Throws Error.
  std::optional<double> number(size_t index) const {
    const std::string& field = fields_.at(index);
    if (field.empty() || field == "nan" || field == "NaN") return std::nullopt;
    const auto value = base::parseNumber<double>(field);
    if (!value) refuse(fmt::format("\"{}\" is not a number", shortened(field, kShown)));
    return value;
  }

  [[noreturn]] void refuse(const std::string& what) const {
    throw Error(fmt::format("{}, line {}: {}", path_, line_, what));
  }

 private:
  static constexpr size_t kShown = 60;  // bytes

  std::string path_, text_;
  std::ifstream file_;
  std::vector<std::string> fields_;
  size_t line_ = 0;
};

/// Returns the label of each group of three columns. Stops after the line coords.
std::vector<std::string> labelsOf(PoseLines& lines) {
  std::map<std::string, std::vector<std::string>> heads;
  while (!heads.contains("coords")) {
    if (!lines.next()) lines.refuse("there is no line coords");
    constexpr size_t kMostHeads = 4;
    if (heads.size() == kMostHeads) lines.refuse("there is no line coords");
    heads[lines.fields()[0]] = lines.fields();
  }
  const std::vector<std::string>& coords = heads["coords"];
  const std::vector<std::string>& parts = heads["bodyparts"];
  const std::vector<std::string>& individuals = heads["individuals"];
  if (parts.size() != coords.size() || coords.size() < 4 || coords.size() % 3 != 1)
    lines.refuse("the columns are not x, y and likelihood of body parts");
  std::vector<std::string> labels;
  for (size_t i = 1; i < coords.size(); i += 3) {
    if (coords[i] != "x" || coords[i + 1] != "y" || coords[i + 2] != "likelihood")
      lines.refuse("the columns are not x, y and likelihood of body parts");
    const bool named = i < individuals.size() && individuals[i] != "single";
    labels.push_back(named ? individuals[i] + ":" + parts[i] : parts[i]);
  }
  return labels;
}

}  // namespace

bool isDeepLabCut(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string start(kScorer.size(), ' ');
  return file.read(start.data(), static_cast<std::streamsize>(start.size())) && start == kScorer;
}

PointTable readDeepLabCut(const std::string& path) {
  PoseLines lines(path);
  PointTable table;
  table.labels = labelsOf(lines);
  uint64_t unlikely = 0;
  while (lines.next()) {
    if (lines.fields().size() == 1 && lines.fields()[0].empty()) continue;
    if (lines.fields().size() != 1 + 3 * table.labels.size())
      lines.refuse(fmt::format("{} where {} are expected", counted(lines.fields().size(), "field"),
                               1 + 3 * table.labels.size()));
    const auto frame = base::parseNumber<long>(lines.fields()[0]);
    if (!frame)
      lines.refuse(
          fmt::format("\"{}\" is not the number of a frame", shortened(lines.fields()[0], 60)));
    for (size_t i = 0; i < table.labels.size(); ++i) {
      const auto x = lines.number(1 + 3 * i), y = lines.number(2 + 3 * i),
                 likelihood = lines.number(3 + 3 * i);
      if (!x || !y) continue;
      if (likelihood.value_or(1) < kLeastLikelihood) {
        ++unlikely;
        continue;
      }
      PointRow row;
      row.frame = *frame;
      row.line = lines.line();
      row.dot = {{*x, *y}, {1, 1}};
      row.label = static_cast<int>(i);
      table.rows.push_back(row);
    }
  }
  if (unlikely > 0)
    table.remarks.push_back(fmt::format("{}: {} whose likelihood is below {} {} left out", path,
                                        counted(unlikely, "position"), kLeastLikelihood,
                                        unlikely == 1 ? "is" : "are"));
  return table;
}

}  // namespace glint::motion
