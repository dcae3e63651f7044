#include "ui/panels/help.h"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "ui/draw/dialog.h"
#include "ui/draw/widgets.h"

namespace glint::ui {

void FirstHint::draw(Context& context) {
  if (context.viewState.copied || context.layout.hintSeen || !context.messages.toasts().empty())
    return;
  const Rect& views = context.layout.places.views;
  const float room = views.width - 2 * ImGui::GetFontSize();
  if (room < 8 * ImGui::GetFontSize()) return;
  const Box box("hint", {views.x + views.width / 2, views.y + views.height - wholePx(16)},
                {0.5F, 1}, kAccent, 0.85F, ImGuiWindowFlags_NoInputs);
  ImGui::PushTextWrapPos(room);
  ImGui::TextUnformatted("Space plays and pauses. H shows all keys.");
  ImGui::TextUnformatted("The wheel zooms, dragging moves the image.");
  ImGui::TextUnformatted("Click a marker for its numbers.");
  ImGui::PopTextWrapPos();
  nameWindow("first_hint");
}

namespace {

struct MouseDeed {
  std::string_view keys, name, help;
};

constexpr std::array kMouse{
    MouseDeed{"Wheel", "Zoom", "At the cursor."},
    MouseDeed{"Drag", "Move the image", "Or with the middle button, also while painting."},
    MouseDeed{"Click a marker", "Select", "Shows its numbers. Right click for actions."},
    MouseDeed{"Click an x", "Rejected", "Shows the setting that rejected it."},
    MouseDeed{"Double click", "Enlarge", "One of several cameras, and back."},
    MouseDeed{"Drag the timeline", "Go to a frame", "Drag its upper edge to make it taller."},
    MouseDeed{"Drop files", "Open", "Recordings, settings (.toml) or a project (.glint)."}};

void drawDeed(const MouseDeed& deed) {
  ImGui::TableNextRow();
  for (const auto& [colour, words] :
       {std::pair{kAccent, deed.keys}, {kText, deed.name}, {kFaint, deed.help}}) {
    ImGui::TableNextColumn();
    text(colour, std::string(words));
  }
}

/// Returns the first two of the alternative keys: "Left or ,".
std::string firstTwo(std::string_view keys) {
  const size_t one = keys.find(' ');
  if (one == std::string_view::npos) return std::string(keys);
  const std::string_view other = keys.substr(one + 1);
  return fmt::format("{} or {}", keys.substr(0, one), other.substr(0, other.find(' ')));
}

bool beginDeeds(const char* name) {
  return ImGui::BeginTable(name, 3, ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingFixedFit);
}

void drawKeys(std::span<const Shortcut> some) {
  for (const Shortcut& shortcut : some) {
    const std::string keys = firstTwo(shortcut.keys);
    drawDeed({keys, shortcut.name, shortcut.help});
  }
}

void drawMouse() {
  drawDeed({"", "", ""});
  drawDeed({"", "Mouse", ""});
  for (const MouseDeed& deed : kMouse) drawDeed(deed);
}

}  // namespace

void Help::draw(Context& context) {
  Layout& layout = context.layout;
  if (!layout.help && !shown_) return;
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float em = ImGui::GetFontSize();
  ImGui::SetNextWindowSizeConstraints({0, 0}, {screen.x - 16, screen.y - 16});
  bool opens = !std::exchange(shown_, true);
  if (!beginDialog("Keys and mouse", opens, {0, 0}, &layout.help)) {
    layout.help = shown_ = false;
    return;
  }
  const ImGuiStyle& style = ImGui::GetStyle();
  ImGui::PushTextWrapPos(screen.x - 16 - style.ScrollbarSize - 2 * style.WindowPadding.x);
  // Draws keys and mouse beside each other if there is room.
  const auto all = shortcuts();
  const bool wide = screen.x > 82 * em;
  const size_t left = wide ? (all.size() + kMouse.size() + 2) / 2 : all.size();
  ImGui::BeginGroup();
  if (beginDeeds("keys")) {
    drawKeys(all.first(left));
    if (!wide) drawMouse();
    ImGui::EndTable();
  }
  ImGui::EndGroup();
  named("help_keys");
  if (wide) {
    ImGui::SameLine(0, 2 * em);
    ImGui::BeginGroup();
    if (beginDeeds("more keys")) {
      drawKeys(all.subspan(left));
      drawMouse();
      ImGui::EndTable();
    }
    ImGui::EndGroup();
    named("help_mouse");
  }
  ImGui::PopTextWrapPos();
  if (layout.help) named("help");
  endDialog(!layout.help);
  shown_ = layout.help;
}

}  // namespace glint::ui
