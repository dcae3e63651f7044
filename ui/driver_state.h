// What a test may know of the window: one JSON object a drawn frame, where GLINT_UI_STATE names a
// file.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ui/geometry.h"

namespace glint::ui {

class DriverState {
 public:
  /// Off where the environment names no file.
  DriverState();

  bool on() const { return !file_.empty(); }
  void begin();

  void set(const std::string& name, const std::string& text);
  void set(const std::string& name, const char* text) { set(name, std::string(text)); }
  void set(const std::string& name, bool value);
  void set(const std::string& name, double value);
  void set(const std::string& name, uint64_t value);
  void set(const std::string& name, const std::vector<std::string>& texts);
  /// ImGui's last item, or a place of the window, px.
  void note(const std::string& widget);
  void note(const std::string& widget, const Rect& place);

  /// Writes it, whole or not at all.
  void write();

 private:
  void add(const std::string& name, std::string json);

  std::string file_;
  uint64_t drawn_ = 0;
  std::map<std::string, std::string> values_;  // as JSON
  std::map<std::string, Rect> widgets_;
};

}  // namespace glint::ui
