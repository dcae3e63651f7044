// Names of the items in a picture, by which tests find them.
#pragma once

#include <map>
#include <string>

#include "ui/model/view.h"

namespace glint::ui {

/// The places of the named items in this picture, px of the window. Main thread, as all of ImGui.
struct NamedPlaces {
  bool wanted = false;
  std::map<std::string, Rect> places = {};
  std::map<std::string, std::string> words = {};  ///< the words of some of the items
};
NamedPlaces& namedPlaces();

void namePlace(const std::string& name, const Rect& place);
/// Names ImGui's present window. Does nothing in its first picture, in which the window only
/// measures itself.
void nameWindow(const std::string& name);
/// Names ImGui's last item, and returns `result`, which is usually what the item returned.
bool named(const std::string& name, bool result = false);
/// Names the text that was drawn last, and notes its words.
void namedWords(const std::string& name, const std::string& words);

}  // namespace glint::ui
