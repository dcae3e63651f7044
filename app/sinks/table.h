// Tables: every column is declared once, and files, listings and windows follow from that.
#pragma once

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace glint {

/// When a table has a column, which its first frame decides.
enum class Presence {
  always,
  fits,        ///< where a template is sought
  provisional  ///< where ids are provisional
};

/// `Row`: what a line of the table is about.
template <class Row>
struct Column {
  std::string_view name, unit, help;
  /// Appends a number, or a word; nothing: the cell is empty.
  void (*write)(std::string& out, const Row& row);
  bool word = false;
  Presence presence = Presence::always;
};

template <class Row>
using Columns = std::vector<Column<Row>>;

/// For Column::write.
template <class... Values>
void put(std::string& out, fmt::format_string<Values...> format, Values&&... values) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Values>(values)...);
}
inline void putFinite(std::string& out, double value, int decimals) {
  if (std::isfinite(value)) put(out, "{:.{}f}", value, decimals);
}

template <class Row>
const Column<Row>& columnOf(const Columns<Row>& columns, std::string_view name) {
  return *std::find_if(columns.begin(), columns.end(),
                       [&](const auto& column) { return column.name == name; });
}

/// One row's text in a column.
template <class Row>
std::string cellOf(const Column<Row>& column, const Row& row) {
  std::string text;
  column.write(text, row);
  return text;
}

template <class Row>
std::string csvHeader(const Columns<Row>& columns) {
  std::string text;
  for (const auto& column : columns) put(text, "{}{}", text.empty() ? "" : ",", column.name);
  return text + '\n';
}

template <class Row>
void appendCsv(std::string& out, const Columns<Row>& columns, const Row& row) {
  for (size_t i = 0; i < columns.size(); ++i) {
    if (i > 0) out += ',';
    columns[i].write(out, row);
  }
  out += '\n';
}

/// Members of a JSON object, without braces, beginning with column `first`. What is no finite
/// number is null; of columns that are not always there, only what is known.
template <class Row>
void appendJson(std::string& out, const Columns<Row>& columns, const Row& row,
                std::string_view first = {}, std::string_view last = {}) {
  bool begun = first.empty();
  std::string_view comma;
  for (const auto& column : columns) {
    begun = begun || column.name == first;
    if (!begun) continue;
    const size_t before = out.size();
    put(out, "{}\"{}\":{}", comma, column.name, column.word ? "\"" : "");
    const size_t value = out.size();
    column.write(out, row);
    const bool digits =
        out.size() > value && (std::isdigit(static_cast<unsigned char>(out.back())) != 0);
    if (column.word) {
      out += '"';
    } else if (!digits) {
      out.resize(column.presence == Presence::always ? value : before);
      if (column.presence == Presence::always) out += "null";
    }
    if (out.size() > before) comma = ",";
    if (column.name == last) return;
  }
}

/// The table of docs/formats.md.
template <class Row>
std::string markdown(const Columns<Row>& columns) {
  std::string text = "| column | unit | meaning |\n|---|---|---|\n";
  for (const auto& column : columns)
    put(text, "| `{}` | {} | {} |\n", column.name, column.unit, column.help);
  return text;
}

}  // namespace glint
