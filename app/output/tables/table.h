// Tables whose columns are declared once, for files, streams, the window and the documentation.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "app/motion/frame/frame.h"

namespace glint::output {

/// A value of a row; std::monostate where there is none.
using Cell = std::variant<std::monostate, bool, uint64_t, double, std::string>;

/// In which files a column is.
enum class ColumnUse {
  always,
  fitted,       ///< where filters seek a picture when the first frame is written
  sets,         ///< of several cameras, whose numbers of one moment may differ
  provisional,  ///< where ids are provisional
  named,        ///< where edits of tracks are applied
  scaled        ///< where those have the scale of a camera
};

template <class Row>
struct Column {
  std::string_view name;
  std::string_view unit;
  std::string_view help;
  Cell (*cell)(const Row& row);
  int decimals = 0;  ///< of a double
  ColumnUse use = ColumnUse::always;
};

/// All 17 digits, which distinguish every double.
inline constexpr int kEveryDigit = -1;

/// Whether a file that begins with this frame has the column.
bool isUsed(ColumnUse use, const motion::Frame& first);

/// As CSV has it: true is 1, nothing is empty.
void appendCsv(std::string& text, const Cell& cell, int decimals);

/// `,"name":value`, or without the comma at the beginning of an object; nothing where there is no
/// value. What is no finite number, for which JSON has no word, is null.
void appendJson(std::string& text, std::string_view name, const Cell& cell, int decimals);

/// The column of this name, which must be there.
template <class Row>
const Column<Row>& columnOf(std::span<const Column<Row>> columns, std::string_view name) {
  for (const Column<Row>& column : columns)
    if (column.name == name) return column;
  throw Error("there is no column " + std::string(name));
}

}  // namespace glint::output
