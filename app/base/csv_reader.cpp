#include "app/base/csv_reader.h"

#include <algorithm>

#include <fmt/format.h>

#include "config/error.h"

namespace glint {

CsvReader::CsvReader(const std::string& path, std::span<const std::string_view> columns)
    : path_(path), columns_(columns.begin(), columns.end()), file_(path) {
  if (!file_) throw Error(fmt::format("{} cannot be opened for reading.", path));
  if (!readLine()) throw Error(fmt::format("{} is empty: a header line is missing.", path));
  if (text_.starts_with("\xEF\xBB\xBF")) text_.erase(0, 3);  // a spreadsheet's byte-order mark
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

bool CsvReader::next() {
  do {
    if (!readLine()) return false;
  } while (text_.empty());
  split(fields_);
  if (fields_.size() != width_)
    throw Error(fmt::format("{}, line {}: {} fields where the header has {}.", path_, line_,
                            fields_.size(), width_));
  return true;
}

bool CsvReader::flag(size_t index) const {
  const int number = value<int>(index);
  if (number != 0 && number != 1) refuse(index);
  return number == 1;
}

void CsvReader::refuse(size_t index) const {
  throw Error(fmt::format("{}, line {}: \"{}\" is no valid {}.", path_, line_, text(index),
                          columns_[index]));
}

bool CsvReader::readLine() {
  if (!std::getline(file_, text_)) {
    if (file_.bad()) throw Error(fmt::format("{} cannot be read to its end.", path_));
    return false;
  }
  if (!text_.empty() && text_.back() == '\r') text_.pop_back();
  ++line_;
  return true;
}

void CsvReader::split(std::vector<std::string_view>& fields) const {
  fields.clear();
  std::string_view rest = text_;
  for (size_t comma; (comma = rest.find(',')) != rest.npos; rest.remove_prefix(comma + 1))
    fields.push_back(rest.substr(0, comma));
  fields.push_back(rest);
}

}  // namespace glint
