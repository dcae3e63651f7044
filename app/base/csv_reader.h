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

/// A reader of chosen columns of a file, which are found by their names in the header line, in any
/// order; other columns are passed over. All members throw Error, which names the file and, if
/// there is one, the line: for a file that cannot be read, a missing column, a line that has
/// another number of fields than the header or is longer than kMostLine, or a field that is not a
/// valid value of its column. Fields may be quoted (RFC 4180), but not continue in the next line.
class CsvReader {
 public:
  static constexpr size_t kMostLine = 1 << 20;  ///< bytes of the longest line

  /// The file must have `columns`; it need not have `others`, whose indices follow those of
  /// `columns`.
  CsvReader(const std::string& path, std::span<const std::string_view> columns,
            std::span<const std::string_view> others = {});

  /// The number of columns of the file, and the place of the column `index` among them, from 0.
  size_t width() const { return width_; }
  size_t place(size_t index) const { return positions_[index]; }

  /// True if the file has the column `index`.
  bool has(size_t index) const { return positions_[index] < width_; }

  /// Steps to the next line that is not empty, and returns false at the end of the file.
  bool next();

  /// Returns the field of the column `index`, which the file must have, in the present line. The
  /// text is valid until next().
  std::string_view text(size_t index) const { return fields_[positions_[index]]; }

  /// Returns true if the field has no number: it is empty, or NA, as R writes missing values.
  bool missing(size_t index) const { return text(index).empty() || text(index) == "NA"; }

  /// Returns the field as a number. Infinities and nan are refused.
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

  /// Returns the field, which must be 0 or 1, as false or true.
  bool flag(size_t index) const;

  /// Throws the Error of value(), for fields that only the caller can judge.
  [[noreturn]] void refuse(size_t index) const;

  /// Returns the number of the present line, counted from 1.
  size_t line() const { return line_; }

 private:
  bool readLine();
  void split(std::vector<std::string_view>& fields);
  void splitQuoted(std::vector<std::string_view>& fields);

  std::string path_;
  std::vector<std::string_view> columns_;
  std::ifstream file_;
  std::vector<char> buffer_;
  std::string_view text_;          // the present line, in buffer_
  size_t line_ = 0, width_ = 0;    // number of the line; number of fields in the header
  std::vector<size_t> positions_;  // place of each of columns_ in a line; width_: missing
  std::vector<std::string_view> fields_;
};

}  // namespace glint::base
