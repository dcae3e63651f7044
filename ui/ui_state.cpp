#include "ui/ui_state.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include <nlohmann/json.hpp>

#include "ui/draw/names.h"

namespace glint::ui {
namespace {

using nlohmann::json;

json toJson(const Rect& r) {
  json all = json::array();
  for (const float value : {r.x, r.y, r.width, r.height})
    all.push_back(std::round(10 * static_cast<double>(value)) / 10);
  return all;
}

}  // namespace

UiState::UiState() {
  if (const char* file = std::getenv("GLINT_UI_STATE")) file_ = file;
  if (const char* seconds = std::getenv("GLINT_UI_STATE_EVERY"))
    every_ = std::chrono::duration<double>(std::atof(seconds));
}

void UiState::begin() {
  namedPlaces().wanted = !file_.empty() && Clock::now() - written_ >= every_;
}

void UiState::seeInput(const Input::Given& given) {
  keys_ += given.pressedKeys;
  wheel_ += static_cast<uint64_t>(given.wheel);
  releases_ += given.releasedButtons;
  if (given.releasedButtons > 0) released_ = ImGui::GetIO().MousePos;
}

void UiState::write(const Gui& gui, bool inputShown, double redrawn) {
  ++drawn_;
  if (redrawn == 1) ++whole_;
  if (!namedPlaces().wanted) return;
  written_ = Clock::now();
  json all{{"drawn", drawn_},
           {"drawn_whole", whole_},
           {"keys", keys_},
           {"wheel", wheel_},
           {"releases", releases_},
           {"released_x", released_.x},
           {"released_y", released_.y},
           {"mouse_x", ImGui::GetIO().MousePos.x},
           {"mouse_y", ImGui::GetIO().MousePos.y},
           {"input_shown", inputShown},
           {"redrawn", redrawn},
           {"widgets", json::object()},
           {"words", namedPlaces().words}};
  for (const auto& [name, place] : namedPlaces().places) all["widgets"][name] = toJson(place);
  gui.describe(all);
  const std::string draft = file_ + ".new";
  std::ofstream(draft, std::ios::binary)
      << all.dump(-1, ' ', false, json::error_handler_t::replace) << '\n';
  std::rename(draft.c_str(), file_.c_str());
}

}  // namespace glint::ui
