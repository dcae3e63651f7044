#include "app/base/csv_reader.h"

#include <algorithm>
#include <filesystem>

#include "config/error.h"
#include "config/printable.h"

namespace glint::base {

CsvReader::CsvReader(const std::string& path, std::span<const std::string_view> columns,
                     std::span<const std::string_view> others)
    : path_(path),
      columns_(columns.begin(), columns.end()),
      file_(path),
      buffer_(kMostLine + 2) {  // room for the line's end and for the 0 that getline() adds
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) throw Error("{} is a folder, not a table", path);
  if (!file_) throw Error("{} cannot be opened for reading", path);
  if (!readLine()) throw Error("{} is empty: a header line is missing", path);
  if (text_.starts_with("\xEF\xBB\xBF")) text_.remove_prefix(3);  // a spreadsheet's byte-order mark
  while (text_.starts_with("# "))
    if (!readLine()) throw Error("{} contains only remarks: a header line is missing", path);
  std::vector<std::string_view> names;
  split(names);
  columns_.insert(columns_.end(), others.begin(), others.end());
  for (size_t i = 0; i < columns_.size(); ++i) {
    const auto found = std::ranges::find(names, columns_[i]);
    if (found == names.end() && i < columns.size())
      throw Error("{}, line 1: there is no column \"{}\"", path, columns_[i]);
    if (std::ranges::count(names, columns_[i]) > 1)
      throw Error("{}, line 1: there are two columns \"{}\"; rename or remove one", path,
                  columns_[i]);
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
    throw Error("{}, line {}: {} fields where the header has {}", path_, line_, fields_.size(),
                width_);
  return true;
}

bool CsvReader::flag(size_t index) const {
  const int number = value<int>(index);
  if (number != 0 && number != 1) refuse(index);
  return number == 1;
}

void CsvReader::refuse(size_t index) const {
  constexpr size_t kShown = 60;  // bytes
  throw Error("{}, line {}: \"{}\" is not a valid {}", path_, line_, shortened(text(index), kShown),
              columns_[index]);
}

bool CsvReader::readLine() {
  file_.getline(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
  const auto read = static_cast<size_t>(file_.gcount());
  if (file_.bad()) throw Error("{} cannot be read to its end", path_);
  if (read == 0) return false;
  ++line_;
  const bool ended = !file_.fail() && !file_.eof();  // true if the line's end was read, too
  text_ = std::string_view(buffer_.data(), ended ? read - 1 : read);
  if (text_.size() > kMostLine || (file_.fail() && !file_.eof()))
    throw Error("{}, line {}: longer than {} bytes, so this is not a table", path_, line_,
                kMostLine);
  if (!text_.empty() && text_.back() == '\r') text_.remove_suffix(1);
  return true;
}

void CsvReader::split(std::vector<std::string_view>& fields) {
  fields.clear();
  if (text_.find('"') != text_.npos) return splitQuoted(fields);
  std::string_view rest = text_;
  for (size_t comma; (comma = rest.find(',')) != rest.npos; rest.remove_prefix(comma + 1))
    fields.push_back(rest.substr(0, comma));
  fields.push_back(rest);
}

void CsvReader::splitQuoted(std::vector<std::string_view>& fields) {
  char* at = buffer_.data() + (text_.data() - buffer_.data());
  char* const end = at + text_.size();
  while (true) {
    char* const begin = at;
    char* last = begin;  // end of the field, which loses its quotation marks in place
    bool quoted = at != end && *at == '"';
    if (quoted) ++at;
    for (; at != end && (quoted || *at != ','); ++at) {
      const bool twice = at + 1 != end && at[0] == '"' && at[1] == '"';
      if (quoted && *at == '"' && !twice) {
        quoted = false;
        continue;
      }
      if (quoted && twice) ++at;
      *last++ = *at;
    }
    if (quoted)
      throw Error("{}, line {}: a quotation mark is not closed in its line", path_, line_);
    fields.emplace_back(begin, static_cast<size_t>(last - begin));
    if (at++ == end) return;
  }
}

}  // namespace glint::base
