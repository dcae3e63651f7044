// Tooltips that appear once the cursor has rested on an item for half a second.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include <imgui.h>

namespace glint::ui {

/// Returns true if the cursor has rested on the last item, grey or not, for half a second. Main
/// thread, as all of ImGui.
bool restsOnItem();

/// Places the next tooltip, whose words have this size in px, below the last item without covering
/// it, or above it if there is no room.
void placeHint(ImVec2 words);

/// Shows a tooltip for the last item at once.
void tip(const std::string& text);

/// Shows a tooltip for the last item once the cursor rests on it, also if the item is grey.
void hint(const std::string& text);

/// Returns the time at which the cursor will have rested on an item with a tooltip for long enough;
/// empty if it is on none. A picture is due then, even if nothing else happens.
std::optional<std::chrono::steady_clock::time_point> nextHint();

}  // namespace glint::ui
