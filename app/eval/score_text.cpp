#include "app/eval/score_text.h"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace glint {
namespace {

using Json = nlohmann::ordered_json;

// Each figure once: its key in JSON, its heading and decimals in the table.
template <class Visit>
void figures(const Score& s, Visit&& visit) {
  visit("frames", "frames", s.frames, 0);
  visit("truth", "truth", s.truth, 0);
  visit("rows", "rows", s.rows, 0);
  visit("ignored", "ignored", s.ignored, 0);
  visit("matched", "TP", s.matched, 0);
  visit("missed", "FN", s.missed, 0);
  visit("spurious", "FP", s.spurious, 0);
  visit("switches", "switch", s.switches, 0);
  visit("fragments", "frag", s.fragments, 0);
  visit("recall", "recall", s.recall, 4);
  visit("precision", "precis", s.precision, 4);
  visit("mota", "MOTA", s.mota, 4);
  visit("idf1", "IDF1", s.idf1, 4);
  visit("hota", "HOTA", s.hota, 4);
  visit("rmse", "RMSE px", s.rmse, 3);
  visit("median_error", "median px", s.medianError, 3);
}

int width(std::string_view heading) {
  return std::max(8, static_cast<int>(heading.size())) + 1;
}

std::string tableLine(std::string_view name, const Score& score) {
  std::string line = fmt::format("{:<6}", name);
  figures(score, [&](const char*, std::string_view heading, auto value, int decimals) {
    const double number = static_cast<double>(value);
    const std::string text = std::isnan(number) ? "-" : fmt::format("{:.{}f}", number, decimals);
    line += fmt::format("{:>{}}", text, width(heading));
  });
  return line + '\n';
}

Json toObject(const Score& score) {
  Json object;
  figures(score, [&](const char* key, std::string_view, auto value, int) { object[key] = value; });
  return object;
}

}  // namespace

std::string toTable(const Scores& scores) {
  std::string table = fmt::format("{:<6}", "camera");
  figures(scores.all, [&](const char*, std::string_view heading, auto, int) {
    table += fmt::format("{:>{}}", heading, width(heading));
  });
  table += '\n';
  for (const CameraScore& camera : scores.cameras)
    table += tableLine(fmt::format("{}", camera.camera), camera.score);
  if (scores.cameras.size() != 1) table += tableLine("all", scores.all);
  return table;
}

std::string toJson(const Scores& scores) {
  Json json{{"radius", scores.options.radius}, {"all", toObject(scores.all)}};
  json["cameras"] = Json::array();
  for (const CameraScore& camera : scores.cameras) {
    Json object{{"camera", camera.camera}};
    object.update(toObject(camera.score));
    json["cameras"].push_back(std::move(object));
  }
  return json.dump(2) + '\n';
}

}  // namespace glint
