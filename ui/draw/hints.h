// Tooltips that come once the cursor has stayed on an item for half a second.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include <imgui.h>

namespace glint::ui {

/// Whether the cursor has been on the last item, grey or not, for so long. Main thread, as all of
/// ImGui.
bool restsOnItem();

/// The next tooltip, of words of this size in px, stands below the last item, which it does not
/// cover, or above it where there is no room.
void placeHint(ImVec2 words);

/// A tooltip for the last item at once.
void tip(const std::string& text);

/// A tooltip for the last item, also where it is grey: then it says what it would do.
void hint(const std::string& text);

/// When the cursor will have rested for long enough, if it is on something that has a tooltip: then
/// a picture is due, though nothing happens.
std::optional<std::chrono::steady_clock::time_point> nextHint();

}  // namespace glint::ui
