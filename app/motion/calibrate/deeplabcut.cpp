#include "app/motion/calibrate/deeplabcut.h"

#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <utility>
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

/// Reads the lines up to and with coords, which name the columns.
DeepLabCutRows rowsOf(PoseLines& lines) {
  std::map<std::string, std::vector<std::string>> heads;
  while (!heads.contains("coords")) {
    if (!lines.next()) lines.refuse("there is no line coords");
    constexpr size_t kMostHeads = 4;
    if (heads.size() == kMostHeads) lines.refuse("there is no line coords");
    const std::vector<std::string>& fields = lines.fields();
    heads[fields[0]].assign(fields.begin() + 1, fields.end());
  }
  try {
    return {heads["individuals"], heads["bodyparts"], heads["coords"]};
  } catch (const Error& error) {
    lines.refuse(error.what());
  }
}

}  // namespace

bool isDeepLabCut(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string start(kScorer.size(), ' ');
  return file.read(start.data(), static_cast<std::streamsize>(start.size())) && start == kScorer;
}

DeepLabCutRows::DeepLabCutRows(const std::vector<std::string>& individuals,
                               const std::vector<std::string>& parts,
                               const std::vector<std::string>& coords) {
  const auto refuse = [] { throw Error("the columns are not x, y and likelihood of body parts"); };
  if (parts.size() != coords.size() || coords.empty() || coords.size() % 3 != 0) refuse();
  for (size_t i = 0; i < coords.size(); i += 3) {
    if (coords[i] != "x" || coords[i + 1] != "y" || coords[i + 2] != "likelihood") refuse();
    const bool named = i < individuals.size() && individuals[i] != "single";
    table_.labels.push_back(named ? individuals[i] + ":" + parts[i] : parts[i]);
  }
}

void DeepLabCutRows::add(long frame, size_t line, std::span<const double> values) {
  for (size_t i = 0; i < table_.labels.size(); ++i) {
    const double x = values[3 * i], y = values[3 * i + 1], likelihood = values[3 * i + 2];
    if (std::isnan(x) || std::isnan(y)) continue;
    if (likelihood < kLeastLikelihood) {
      ++unlikely_;
      continue;
    }
    PointRow row;
    row.frame = frame;
    row.line = line;
    row.dot = {{x, y}, {1, 1}};
    row.label = static_cast<int>(i);
    table_.rows.push_back(row);
  }
}

PointTable DeepLabCutRows::take(const std::string& path) {
  if (unlikely_ > 0)
    table_.remarks.push_back(fmt::format("{}: {} whose likelihood is below {} {} left out", path,
                                         counted(unlikely_, "position"), kLeastLikelihood,
                                         unlikely_ == 1 ? "is" : "are"));
  return std::move(table_);
}

PointTable readDeepLabCut(const std::string& path) {
  PoseLines lines(path);
  DeepLabCutRows rows = rowsOf(lines);
  std::vector<double> values(rows.width());
  while (lines.next()) {
    if (lines.fields().size() == 1 && lines.fields()[0].empty()) continue;
    if (lines.fields().size() != 1 + values.size())
      lines.refuse(fmt::format("{} where {} are expected", counted(lines.fields().size(), "field"),
                               1 + values.size()));
    const auto frame = base::parseNumber<long>(lines.fields()[0]);
    if (!frame)
      lines.refuse(
          fmt::format("\"{}\" is not the number of a frame", shortened(lines.fields()[0], 60)));
    for (size_t i = 0; i < values.size(); ++i)
      values[i] = lines.number(i + 1).value_or(std::numeric_limits<double>::quiet_NaN());
    rows.add(*frame, lines.line(), values);
  }
  return rows.take(path);
}

}  // namespace glint::motion
