#include "app/output/takes/text_lines.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <iterator>

#include <fmt/format.h>

#include "app/base/text.h"
#include "config/lower_case.h"
#include "config/printable.h"

namespace glint::output {
namespace {

constexpr size_t kShown = 60;  // bytes of a field in a message

}  // namespace

LineReader::LineReader(const std::string& path) : path_(path), file_(path, std::ios::binary) {
  std::error_code unknown;
  if (std::filesystem::is_directory(path, unknown)) throw Error("{} is a folder, not a file", path);
  if (!file_) throw Error("{} cannot be opened for reading", path);
}

bool LineReader::next() {
  text_.clear();
  std::streambuf& buffer = *file_.rdbuf();
  bool any = false;
  for (int c; (c = buffer.sbumpc()) != std::char_traits<char>::eof();) {
    any = true;
    if (c == '\n') break;
    text_ += static_cast<char>(c);
    if (text_.size() > kMostLine) {
      ++line_;
      refuse("longer than {} bytes, so this is no table", kMostLine);
    }
  }
  if (!any) return false;
  if (++line_ == 1 && text_.starts_with("\xEF\xBB\xBF")) text_.erase(0, 3);  // byte-order mark
  if (text_.ends_with('\r')) text_.pop_back();
  return true;
}

const std::vector<std::string>& LineReader::split(char separator) {
  fields_.clear();
  if (separator == ',' && text_.find('"') != std::string::npos) {
    splitQuoted();
    return fields_;
  }
  std::string_view rest = text_;
  for (size_t at; (at = rest.find(separator)) != rest.npos; rest.remove_prefix(at + 1))
    fields_.emplace_back(rest.substr(0, at));
  fields_.emplace_back(rest);
  return fields_;
}

void LineReader::splitQuoted() {
  std::string field;
  bool quoted = false;
  for (size_t i = 0; i < text_.size(); ++i) {
    const char c = text_[i];
    if (c == '"' && quoted && i + 1 < text_.size() && text_[i + 1] == '"') {
      field += '"';
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields_.push_back(std::move(field));
      field.clear();
    } else {
      field += c;
    }
  }
  if (quoted) refuse("a quotation mark is not closed in its line");
  fields_.push_back(std::move(field));
}

std::optional<double> LineReader::number(const std::string& field) const {
  std::string_view text = field;
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  if (text.starts_with('+')) text.remove_prefix(1);
  if (text.empty()) return std::nullopt;
  if (const auto value = base::parseNumber<double>(text)) return value;
  const std::string word = lowerCase(std::string(text));
  if (word == "nan" || word == "null" || word == "-nan" || word == "na") return std::nullopt;
  refuse("\"{}\" is not a number", shortened(field, kShown));
}

uint64_t LineReader::count(const std::string& field) const {
  const auto value = number(field);
  constexpr double kMost = 9007199254740992;  // 2^53
  if (!value || *value < 0 || *value > kMost || *value != std::floor(*value))
    refuse("\"{}\" is not a whole number", shortened(field, kShown));
  return static_cast<uint64_t>(*value);
}

void appendLength(std::string& text, double mm, double mmPerUnit) {
  fmt::format_to(std::back_inserter(text), "{:.15g}", mm / mmPerUnit);
}

std::optional<double> mmPerUnit(std::string_view unit) {
  std::string name = lowerCase(std::string(unit));
  while (name.ends_with(' ')) name.pop_back();
  constexpr double kInch = 25.4, kFoot = 304.8;
  struct Unit {
    std::string_view name;
    double mm;
  };
  static constexpr std::array kUnits{
      Unit{"mm", 1},           Unit{"millimeters", 1}, Unit{"millimetres", 1},
      Unit{"millimeter", 1},   Unit{"cm", 10},         Unit{"centimeters", 10},
      Unit{"centimetres", 10}, Unit{"m", 1000},        Unit{"meters", 1000},
      Unit{"metres", 1000},    Unit{"meter", 1000},    Unit{"in", kInch},
      Unit{"inches", kInch},   Unit{"ft", kFoot},      Unit{"feet", kFoot}};
  for (const Unit& one : kUnits)
    if (one.name == name) return one.mm;
  return std::nullopt;
}

std::string leftOut(uint64_t count, const char* what) {
  return counted(count, what) + (count == 1 ? " is left out" : " are left out");
}

std::string onOneField(std::string name) {
  std::ranges::replace_if(
      name, [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
  return name;
}

}  // namespace glint::output
