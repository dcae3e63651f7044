#include "app/output/tables/table.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/output/sinks/edited_sink.h"

namespace glint::output {
namespace {

void appendNumber(std::string& text, double value, int decimals) {
  if (decimals == kEveryDigit)
    fmt::format_to(std::back_inserter(text), "{:.17g}", value);
  else
    fmt::format_to(std::back_inserter(text), "{:.{}f}", value, decimals);
}

/// Appends a text as RFC 4180 demands: in quotes if it contains a separator.
void appendQuoted(std::string& text, const std::string& words) {
  if (words.find_first_of(",\"\r\n") == std::string::npos) {
    text += words;
    return;
  }
  text += '"';
  for (const char c : words) {
    if (c == '"') text += '"';
    text += c;
  }
  text += '"';
}

}  // namespace

bool isUsed(ColumnUse use, const motion::Frame& first) {
  if (use == ColumnUse::provisional) return first.provisional();
  if (use == ColumnUse::sets) return first.cameras.size() > 1;
  if (use == ColumnUse::named) return editsOf(first) != nullptr;
  if (use == ColumnUse::scaled) {
    const EditedTracks* edits = editsOf(first);
    return edits && !edits->edits().mmPerPx.empty();
  }
  return use == ColumnUse::always ||
         std::ranges::any_of(first.cameras, [](const motion::CameraFrame& camera) {
           return camera.measured.matchesTemplate;
         });
}

void appendCsv(std::string& text, const Cell& cell, int decimals) {
  if (const auto* number = std::get_if<double>(&cell)) {
    // A number that is not known, as in tracks of another program's markers, leaves its cell empty.
    if (!std::isnan(*number)) appendNumber(text, *number, decimals);
  } else if (const auto* count = std::get_if<uint64_t>(&cell))
    fmt::format_to(std::back_inserter(text), "{}", *count);
  else if (const auto* words = std::get_if<std::string>(&cell))
    appendQuoted(text, *words);
  else if (const auto* yes = std::get_if<bool>(&cell))
    text += *yes ? '1' : '0';
}

void appendJson(std::string& text, std::string_view name, const Cell& cell, int decimals) {
  if (std::holds_alternative<std::monostate>(cell)) return;
  fmt::format_to(std::back_inserter(text), "{}\"{}\":", text.ends_with('{') ? "" : ",", name);
  const auto* number = std::get_if<double>(&cell);
  if (const auto* words = std::get_if<std::string>(&cell))
    text += nlohmann::json(*words).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  else if (const auto* yes = std::get_if<bool>(&cell))
    text += *yes ? "true" : "false";
  else if (number && !std::isfinite(*number))
    text += "null";
  else
    appendCsv(text, cell, decimals);
}

}  // namespace glint::output
