// Lines of the text formats of takes: reading them, and writing numbers into them. Internal to
// takes/.
#pragma once

#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/error.h"

namespace glint::output {

/// Reads a text file line by line. All members throw Error naming the file.
class LineReader {
 public:
  static constexpr size_t kMostLine = size_t{1} << 26;  ///< bytes

  explicit LineReader(const std::string& path);

  /// Steps to the next line, without its end (LF or CR LF); returns false at the end of the file.
  bool next();
  const std::string& text() const { return text_; }
  const std::string& path() const { return path_; }

  /// Cuts the line into fields. Fields may be in quotes if `separator` is a comma (RFC 4180).
  const std::vector<std::string>& split(char separator);

  /// Returns a field as a finite number; empty where it is empty, NaN or NULL. Throws Error.
  std::optional<double> number(const std::string& field) const;
  /// Returns a field as a whole number from 0 to 2^53. Throws Error.
  uint64_t count(const std::string& field) const;

  /// Throws Error that begins with the file and the line.
  template <class... Values>
  [[noreturn]] void refuse(fmt::format_string<Values...> format, Values&&... values) const {
    throw Error("{}, line {}: {}", path_, line_,
                fmt::format(format, std::forward<Values>(values)...));
  }

 private:
  void splitQuoted();

  std::string path_;
  std::ifstream file_;
  std::string text_;
  size_t line_ = 0;
  std::vector<std::string> fields_;
};

/// Appends a length in its unit with up to 15 significant digits: a value of four decimals in mm
/// stays as short as it is, in m, too.
void appendLength(std::string& text, double mm, double mmPerUnit);

/// Returns how many mm a unit has: "mm", "cm", "m", "in", "ft", their words, in any case; empty for
/// another text.
std::optional<double> mmPerUnit(std::string_view unit);

/// Returns "1 event is left out", "2 events are left out" and so on.
std::string leftOut(uint64_t count, const char* what);

/// Returns the name without what ends a field or a line: tabs and line ends become spaces.
std::string onOneField(std::string name);

}  // namespace glint::output
