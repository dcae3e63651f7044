// Names of what a picture shows, by which the window is driven from outside.
#pragma once

#include <map>
#include <string>

#include "ui/model/view.h"

namespace glint::ui {

/// Where each named item of this picture is, px of the window. Main thread, as all of ImGui.
struct NamedPlaces {
  bool wanted = false;
  std::map<std::string, Rect> places = {};
  std::map<std::string, std::string> words = {};  ///< that some of them tell
};
NamedPlaces& namedPlaces();

void namePlace(const std::string& name, const Rect& place);
/// Names ImGui's window; not in its first picture, in which it only measures itself.
void nameWindow(const std::string& name);
/// Names ImGui's last item; gives what it gave.
bool named(const std::string& name, bool result = false);
/// Names a text that was drawn last, with its words.
void namedWords(const std::string& name, const std::string& words);

}  // namespace glint::ui
