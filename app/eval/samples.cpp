#include "app/eval/samples.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fstream>
#include <span>
#include <string_view>
#include <tuple>

#include <fmt/format.h>

#include "config/error.h"

namespace glint {
namespace {

// A reader of the wanted columns of a comma-separated file, line by line.
class CsvReader {
 public:
  CsvReader(const std::string& path, std::span<const std::string_view> columns)
      : path_(path), columns_(columns.begin(), columns.end()), file_(path) {
    if (!file_) throw Error(fmt::format("{} cannot be opened for reading.", path));
    if (!readLine()) throw Error(fmt::format("{} is empty: a header line is missing.", path));
    std::vector<std::string_view> names;
    split(names);
    for (const std::string_view column : columns_) {
      const auto found = std::find(names.begin(), names.end(), column);
      if (found == names.end())
        throw Error(fmt::format("{}, line 1: there is no column \"{}\".", path, column));
      positions_.push_back(static_cast<size_t>(found - names.begin()));
    }
    width_ = names.size();
  }

  // Steps to the next line that is not empty; false at the end of the file.
  bool next() {
    do {
      if (!readLine()) return false;
    } while (text_.empty());
    split(fields_);
    if (fields_.size() != width_)
      throw Error(fmt::format("{}, line {}: {} fields where the header has {}.", path_, line_,
                              fields_.size(), width_));
    return true;
  }

  // The value of the wanted column `index` in this line.
  template <class T>
  T value(size_t index) const {
    const std::string_view field = fields_[positions_[index]];
    T value{};
    const auto [end, status] = std::from_chars(field.data(), field.data() + field.size(), value);
    bool good = status == std::errc{} && end == field.data() + field.size();
    if constexpr (std::is_floating_point_v<T>) good = good && std::isfinite(value);
    if (!good) refuse(index);
    return value;
  }

  bool flag(size_t index) const {
    const int number = value<int>(index);
    if (number != 0 && number != 1) refuse(index);
    return number == 1;
  }

 private:
  [[noreturn]] void refuse(size_t index) const {
    throw Error(fmt::format("{}, line {}: \"{}\" is no valid {}.", path_, line_,
                            fields_[positions_[index]], columns_[index]));
  }

  bool readLine() {
    if (!std::getline(file_, text_)) {
      if (file_.bad()) throw Error(fmt::format("{} cannot be read to its end.", path_));
      return false;
    }
    if (!text_.empty() && text_.back() == '\r') text_.pop_back();
    ++line_;
    return true;
  }

  void split(std::vector<std::string_view>& fields) const {
    fields.clear();
    std::string_view rest = text_;
    for (size_t comma; (comma = rest.find(',')) != rest.npos; rest.remove_prefix(comma + 1))
      fields.push_back(rest.substr(0, comma));
    fields.push_back(rest);
  }

  std::string path_;
  std::vector<std::string_view> columns_;
  std::ifstream file_;
  std::string text_;
  size_t line_ = 0, width_ = 0;
  std::vector<size_t> positions_;  // of columns_ in a line
  std::vector<std::string_view> fields_;
};

std::vector<Sample> readSamples(const std::string& path,
                                std::span<const std::string_view> columns) {
  CsvReader csv(path, columns);
  std::vector<Sample> samples;
  while (csv.next()) {
    Sample sample;
    sample.camera = csv.value<uint16_t>(0);
    sample.frame = csv.value<uint32_t>(1);
    sample.id = csv.value<uint64_t>(2);
    sample.x = csv.value<double>(3);
    sample.y = csv.value<double>(4);
    if (columns.size() > 5) sample.visible = csv.flag(5);
    samples.push_back(sample);
  }
  const auto key = [](const Sample& s) { return std::tie(s.camera, s.frame, s.id); };
  std::sort(samples.begin(), samples.end(),
            [&](const Sample& a, const Sample& b) { return key(a) < key(b); });
  const auto twice =
      std::adjacent_find(samples.begin(), samples.end(),
                         [&](const Sample& a, const Sample& b) { return key(a) == key(b); });
  if (twice != samples.end())
    throw Error(fmt::format("{}: camera {}, frame {} has {} {} twice.", path, twice->camera,
                            twice->frame, columns[2], twice->id));
  return samples;
}

}  // namespace

std::vector<Sample> readTracks(const std::string& path) {
  constexpr std::array<std::string_view, 5> columns{"camera", "frame", "track", "x", "y"};
  return readSamples(path, columns);
}

std::vector<Sample> readTruth(const std::string& path) {
  constexpr std::array<std::string_view, 6> columns{"camera", "frame", "id", "x", "y", "visible"};
  return readSamples(path, columns);
}

}  // namespace glint
