// Reads comma-separated files with a header line, row by row, in constant memory.
#pragma once

#include <charconv>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace glint::base {

/// A reader of the wanted columns of a file, which are found by their names in the header line, in
/// any order; others are passed over. All members throw Error naming the file, and the line where
/// there is one: for a file that cannot be read, a missing column, a line of another width than the
/// header or longer than kMostLine, or a field that is no valid value of its column. Fields may be
/// quoted (RFC 4180), but not go on in the next line. Lines before the header that begin with "# "
/// are remarks, and passed over.
class CsvReader {
 public:
  static constexpr size_t kMostLine = 1 << 20;  ///< bytes

  /// `others` may be missing; their indices follow those of `columns`.
  CsvReader(const std::string& path, std::span<const std::string_view> columns,
            std::span<const std::string_view> others = {});

  /// Whether the file has the column `index`.
  bool has(size_t index) const { return positions_[index] < width_; }

  /// Steps to the next line that is not empty; false at the end of the file.
  bool next();

  /// The wanted column `index`, which the file has, in this line; valid until next().
  std::string_view text(size_t index) const { return fields_[positions_[index]]; }

  /// Whether there is no number: the field is empty, or NA as R writes that.
  bool missing(size_t index) const { return text(index).empty() || text(index) == "NA"; }

  /// The field as a number; infinities and nan are refused.
  template <class T>
  T value(size_t index) const {
    const std::string_view field = text(index);
    T value{};
    const auto [end, status] = std::from_chars(field.data(), field.data() + field.size(), value);
    bool good = status == std::errc{} && end == field.data() + field.size();
    if constexpr (std::is_floating_point_v<T>) good = good && std::isfinite(value);
    if (!good) refuse(index);
    return value;
  }

  /// The same as 0 or 1.
  bool flag(size_t index) const;

  /// Throws what value() throws, for fields that only the caller can judge.
  [[noreturn]] void refuse(size_t index) const;

  /// The number of this line, from 1.
  size_t line() const { return line_; }

 private:
  bool readLine();
  void split(std::vector<std::string_view>& fields);
  void splitQuoted(std::vector<std::string_view>& fields);

  std::string path_;
  std::vector<std::string_view> columns_;
  std::ifstream file_;
  std::vector<char> buffer_;
  std::string_view text_;  // this line, in buffer_
  size_t line_ = 0, width_ = 0;
  std::vector<size_t> positions_;  // of columns_ in a line
  std::vector<std::string_view> fields_;
};

}  // namespace glint::base
