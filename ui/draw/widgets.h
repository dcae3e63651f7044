// ImGui's items as this window has them: with a name, by which the window is driven from outside,
// and a word about what they do.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <imgui.h>

#include "config/printable.h"
#include "ui/draw/hints.h"
#include "ui/draw/names.h"
#include "ui/draw/style.h"
#include "ui/model/view.h"

namespace glint::ui {

/// The next item stands beside the last one, so many points apart.
inline void beside(float points) {
  ImGui::SameLine(0, wholePx(points));
}
/// px that a button of this label is wide.
float buttonWidth(const char* label);
/// The next button, of this label, stands beside the last item, or below where it has no room.
inline void besideIfRoom(const char* label, float points) {
  const float end = ImGui::GetItemRectMax().x - ImGui::GetWindowPos().x;
  if (end + wholePx(points) + buttonWidth(label) <= ImGui::GetWindowContentRegionMax().x)
    beside(points);
}

/// Items of one line, with a hint where there is a text.
bool button(const std::string& name, const char* label, const std::string& about = {},
            ImVec2 size = {}, bool enabled = true);
bool smallButton(const std::string& name, const char* label);
bool invisibleButton(const std::string& name, ImVec2 size,
                     ImGuiButtonFlags flags = ImGuiButtonFlags_None);
bool checkbox(const std::string& name, const char* label, bool& on, const std::string& about = {});
bool selectable(const std::string& name, const std::string& label, bool chosen = false,
                ImGuiSelectableFlags flags = 0, ImVec2 size = {});
/// A heading at which a click shows or hides what is below; whether it is shown. Quieter than what
/// is selected.
bool foldable(const std::string& name, const std::string& label);
/// One of several; whether another one was chosen.
bool choose(const char* label, const std::vector<std::string>& names, size_t& chosen);

/// Draws a field for text, `width` px wide, with a faint hint while it is empty. Returns true if
/// the text was changed or, with ImGuiInputTextFlags_EnterReturnsTrue, once Enter is pressed.
bool textField(const std::string& name, std::span<char> text, float width,
               const char* hint = nullptr, ImGuiInputTextFlags flags = 0);

void text(ImU32 colour, const std::string& words);
inline void faint(const std::string& words) {
  text(kFaint, words);
}
/// Draws words in as many lines as it takes.
void wrapped(ImU32 colour, const std::string& words);
/// Draws a line of a list, named `name`, with a button before it that takes it away. Returns true
/// if that was pressed; `about` says what it does.
bool removableLine(const std::string& name, const std::string& about, ImU32 colour,
                   const std::string& words);
/// Draws how far something is; an empty bar where it is not known how much there is to do.
void progressBar(const std::string& name, uint64_t done, std::optional<uint64_t> total,
                 const std::string& words);
/// A number in a column: it ends where all do that are no wider than `widest`, such as "0000.0".
void columnNumber(ImU32 colour, const std::string& digits, const char* widest);
/// Cut with "..." where it is wider than `room` px, with the whole in a hint.
void textThatFits(ImU32 colour, const std::string& words, float room);
/// Of a table with a column of such words, which alone is narrower where there is no room.
inline ImGuiTableColumnFlags columnFlags(bool cut) {
  return cut ? ImGuiTableColumnFlags_WidthStretch : ImGuiTableColumnFlags_WidthFixed;
}
/// In lines of at most `width` px: broken at blanks, and a path that is longer behind its folders.
std::string inLines(const std::string& words, float width);
/// Its end, behind "...", where it is wider than `width` px; empty where nothing of it fits.
std::string endThatFits(const std::string& words, float width);
/// Its beginning, before "...", likewise.
std::string beginningThatFits(const std::string& words, float width);
/// "rate   30 /s": so many font sizes from one to the other.
void labelled(const char* name, float column, const std::string& value);

/// Rows of a name and what it can be set to, with `back` room for a way back; ImGui::EndTable()
/// where it is open.
bool beginValues(const char* name, bool back = false);
/// px from where such rows begin to their values, for other rows that shall be in line.
float valuesBegin();
/// The name's column of the next row, then the value's once that was drawn.
void nextRow();
void nextValue();

/// A dark field for curves and bars, as wide as there is room.
struct Plot {
  ImVec2 from, to;
  float width() const { return to.x - from.x; }
  float height() const { return to.y - from.y - 2; }
  /// Bars beside each other, with `upper` on top of them where there are any.
  void drawBars(const std::vector<uint32_t>& lower, ImU32 colour,
                const std::vector<uint32_t>& upper = {}, ImU32 upperColour = 0) const;
};
Plot beginPlot(float height);

/// A window about the middle of the screen, from Begin or BeginPopupModal; the next one.
void placeInMiddle();

/// A box over the views, as large as the words in it: ImGui's items between its construction and
/// destruction.
class Box {
 public:
  /// `at` is the place of the box's point `pivot`, which is given in shares of its size.
  Box(const std::string& name, ImVec2 at, ImVec2 pivot, ImU32 border, float opacity = 1,
      ImGuiWindowFlags flags = 0);
  ~Box();
  Box(const Box&) = delete;
  Box& operator=(const Box&) = delete;
};

/// A part of the window that neither moves nor has a frame: between its construction and
/// destruction ImGui's items stand within `place`.
class Area {
 public:
  Area(const char* name, const Rect& place, float padX = wholePx(8), float padY = wholePx(4));
  ~Area() { ImGui::End(); }
  Area(const Area&) = delete;
  Area& operator=(const Area&) = delete;
};

}  // namespace glint::ui
