// Tables whose columns are declared once, for files, streams, the window and the documentation.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "app/motion/frame/frame.h"

namespace glint::output {

/// The value of a cell; std::monostate if it is empty.
using Cell = std::variant<std::monostate, bool, uint64_t, double, std::string>;

/// The files in which a column appears.
enum class ColumnUse {
  always,
  fitted,       ///< files whose first frame was tracked with a filter that searches a picture
  sets,         ///< files of several cameras, in which the frame numbers of one moment may differ
  provisional,  ///< files with provisional ids
  named,        ///< files to which edits of tracks are applied
  scaled        ///< files to which edits with the scale of a camera are applied
};

template <class Row>
struct Column {
  std::string_view name;
  std::string_view unit;
  std::string_view help;
  Cell (*cell)(const Row& row);
  int decimals = 0;  ///< digits after the point of cells of type double
  ColumnUse use = ColumnUse::always;
};

/// Number of decimals that means all 17 digits, which distinguish every double.
inline constexpr int kEveryDigit = -1;

/// Returns true if a file that begins with this frame has the column.
bool isUsed(ColumnUse use, const motion::Frame& first);

/// Appends a cell as CSV has it: true is 1, and no value is empty.
void appendCsv(std::string& text, const Cell& cell, int decimals);

/// Appends `,"name":value`, without the comma at the beginning of an object. Appends nothing if
/// there is no value. Numbers that are not finite, for which JSON has no word, become null.
void appendJson(std::string& text, std::string_view name, const Cell& cell, int decimals);

/// Returns the column of this name, which must exist.
template <class Row>
const Column<Row>& columnOf(std::span<const Column<Row>> columns, std::string_view name) {
  for (const Column<Row>& column : columns)
    if (column.name == name) return column;
  throw Error("there is no column " + std::string(name));
}

}  // namespace glint::output
