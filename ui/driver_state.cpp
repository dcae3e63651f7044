#include "ui/driver_state.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <utility>

#include <fmt/format.h>
#include <imgui.h>
#include <nlohmann/json.hpp>

namespace glint::ui {

DriverState::DriverState() {
  if (const char* file = std::getenv("GLINT_UI_STATE")) file_ = file;
}

void DriverState::begin() {
  values_.clear();
  widgets_.clear();
}

void DriverState::add(const std::string& name, std::string json) {
  if (on()) values_[name] = std::move(json);
}

void DriverState::set(const std::string& name, const std::string& text) {
  if (!on()) return;
  using Handler = nlohmann::json::error_handler_t;
  add(name, nlohmann::json(text).dump(-1, ' ', false, Handler::replace));
}

void DriverState::set(const std::string& name, bool value) {
  add(name, value ? "true" : "false");
}

void DriverState::set(const std::string& name, double value) {
  add(name, nlohmann::json(value).dump());
}

void DriverState::set(const std::string& name, uint64_t value) {
  add(name, std::to_string(value));
}

void DriverState::set(const std::string& name, const std::vector<std::string>& texts) {
  using Handler = nlohmann::json::error_handler_t;
  add(name, nlohmann::json(texts).dump(-1, ' ', false, Handler::replace));
}

void DriverState::note(const std::string& widget) {
  if (!on() || ImGui::IsWindowAppearing()) return;  // popups measure themselves first, elsewhere
  const ImVec2 from = ImGui::GetItemRectMin(), size = ImGui::GetItemRectSize();
  note(widget, {from.x, from.y, size.x, size.y});
}

void DriverState::note(const std::string& widget, const Rect& place) {
  if (on()) widgets_[widget] = place;
}

void DriverState::write() {
  if (!on()) return;
  std::string text = fmt::format("{{\"drawn\":{}", ++drawn_);
  for (const auto& [name, json] : values_) text += fmt::format(",\"{}\":{}", name, json);
  text += ",\"widgets\":{";
  const char* comma = "";
  for (const auto& [name, r] : widgets_) {
    text += fmt::format("{}\"{}\":[{:.1f},{:.1f},{:.1f},{:.1f}]", std::exchange(comma, ","), name,
                        r.x, r.y, r.width, r.height);
  }
  text += "}}\n";
  const std::string draft = file_ + ".new";
  std::ofstream(draft, std::ios::binary) << text;
  std::rename(draft.c_str(), file_.c_str());
}

}  // namespace glint::ui
