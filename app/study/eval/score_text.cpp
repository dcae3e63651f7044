#include "app/study/eval/score_text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/study/eval/figures.h"

namespace glint::study {
namespace {

Figures figuresOf(const Score& s) {
  return {{"frames", "frames", double(s.frames), 0},
          {"truth", "truth", double(s.truth), 0},
          {"rows", "rows", double(s.rows), 0},
          {"ignored", "ignored", double(s.ignored), 0},
          {"matched", "TP", double(s.matched), 0},
          {"missed", "FN", double(s.missed), 0},
          {"spurious", "FP", double(s.spurious), 0},
          {"switches", "switch", double(s.switches), 0},
          {"fragments", "frag", double(s.fragments), 0},
          {"recall", "recall", s.recall, 4},
          {"precision", "precis", s.precision, 4},
          {"mota", "MOTA", s.mota, 4},
          {"idf1", "IDF1", s.idf1, 4},
          {"hota", "HOTA", s.hota, 4},
          {"rmse", "RMSE px", s.rmse, 3},
          {"median_error", "median px", s.medianError, 3}};
}

}  // namespace

std::string toTable(const Scores& scores) {
  std::vector<std::pair<std::string, Figures>> lines;
  for (const CameraScore& camera : scores.cameras)
    lines.emplace_back(fmt::format("{}", camera.camera), figuresOf(camera.score));
  if (scores.cameras.size() != 1) lines.emplace_back("all", figuresOf(scores.all));
  return figureTable("camera", lines);
}

std::string toJson(const Scores& scores) {
  nlohmann::ordered_json json{{"radius", scores.options.radius}};
  addFigures(json["all"], figuresOf(scores.all));
  json["cameras"] = nlohmann::ordered_json::array();
  for (const CameraScore& camera : scores.cameras) {
    nlohmann::ordered_json object{{"camera", camera.camera}};
    addFigures(object, figuresOf(camera.score));
    json["cameras"].push_back(std::move(object));
  }
  return json.dump(2) + '\n';
}

}  // namespace glint::study
