// The items of ImGui as this window has them: with a name, by which tests find them, and with a
// hint.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <imgui.h>

#include "config/printable.h"
#include "ui/draw/hints.h"
#include "ui/draw/letters.h"
#include "ui/draw/names.h"
#include "ui/draw/style.h"
#include "ui/model/view.h"

namespace glint::ui {

/// Puts the next item beside the last one, at this distance in points.
inline void beside(float points) {
  ImGui::SameLine(0, wholePx(points));
}
/// Returns the width, px, of a button with this label.
float buttonWidth(const char* label);
/// Puts the next button, which has this label, beside the last item, or below it if there is no
/// room.
inline void besideIfRoom(const char* label, float points) {
  const float end = ImGui::GetItemRectMax().x - ImGui::GetWindowPos().x;
  if (end + wholePx(points) + buttonWidth(label) <= ImGui::GetWindowContentRegionMax().x)
    beside(points);
}

/// Items of one line. `about` is shown as a hint if it is not empty.
bool button(const std::string& name, const char* label, const std::string& about = {},
            ImVec2 size = {}, bool enabled = true);
bool smallButton(const std::string& name, const char* label);
bool invisibleButton(const std::string& name, ImVec2 size,
                     ImGuiButtonFlags flags = ImGuiButtonFlags_None);
bool checkbox(const std::string& name, const char* label, bool& on, const std::string& about = {});
bool selectable(const std::string& name, const std::string& label, bool chosen = false,
                ImGuiSelectableFlags flags = 0, ImVec2 size = {});
/// Draws a heading; a click on it shows or hides what is below. Returns true if that is shown.
bool foldable(const std::string& name, const std::string& label);
/// Draws a list to choose one of several names. Returns true if another one was chosen.
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
/// Draws a number in a column, aligned to the right as if the column's widest number were `widest`,
/// such as "0000.0".
void columnNumber(ImU32 colour, const std::string& digits, const char* widest);
/// Draws words. If they are wider than `room` px, they are cut with "...", and a hint shows them in
/// full.
void textThatFits(ImU32 colour, const std::string& words, float room);
/// Returns the flags of a table's column for such words. If they are `cut`, the column takes the
/// room that the others leave.
inline ImGuiTableColumnFlags columnFlags(bool cut) {
  return cut ? ImGuiTableColumnFlags_WidthStretch : ImGuiTableColumnFlags_WidthFixed;
}
/// Breaks words into lines of at most `width` px, at blanks. Longer paths are broken after a
/// folder.
std::string inLines(const std::string& words, float width);
/// Returns the words, or "..." and as much of their end as fits if they are wider than `width` px.
/// Empty if not even a letter fits.
std::string endThatFits(const std::string& words, float width);
/// Returns the words, or as much of their beginning as fits and "..." if they are wider than
/// `width` px. Empty if not even a letter fits.
std::string beginningThatFits(const std::string& words, float width);
/// Draws a faint name and its value, such as "rate   30 /s". The value begins `column` font sizes
/// from the left.
void labelled(const char* name, float column, const std::string& value);

/// Begins a table whose rows have a name and a value that can be set. With `back`, there is a third
/// column for a button that resets the value. Returns true if the table is open; then
/// ImGui::EndTable() must follow.
bool beginValues(const char* name, bool back = false);
/// Returns the distance, px, from the beginning of such rows to their values, so that other rows
/// can be aligned with them.
float valuesBegin();
/// Begins the next row, in the column of the name.
void nextRow();
void nextValue();

/// A dark field for curves and bars.
struct Plot {
  ImVec2 from, to;
  float width() const { return to.x - from.x; }
  float height() const { return to.y - from.y - 2; }
  /// Draws bars beside each other, and those of `upper` on top of them if there are any.
  void drawBars(const std::vector<uint32_t>& lower, ImU32 colour,
                const std::vector<uint32_t>& upper = {}, ImU32 upperColour = 0) const;
};
Plot beginPlot(float height);

/// Puts the next window, from Begin() or BeginPopupModal(), into the middle of the screen.
void placeInMiddle();

/// A box over the views that is as large as its content: the items of ImGui that are drawn between
/// its construction and destruction.
class Box {
 public:
  /// `at` is the place of the box's point `pivot`, which is given in shares of its size.
  Box(const std::string& name, ImVec2 at, ImVec2 pivot, ImU32 border, float opacity = 1,
      ImGuiWindowFlags flags = 0);
  ~Box();
  Box(const Box&) = delete;
  Box& operator=(const Box&) = delete;
};

/// A part of the window that does not move and has no frame. The items of ImGui that are drawn
/// between its construction and destruction stand within `place`.
class Area {
 public:
  Area(const char* name, const Rect& place, float padX = wholePx(8), float padY = wholePx(4));
  ~Area() { ImGui::End(); }
  Area(const Area&) = delete;
  Area& operator=(const Area&) = delete;
};

}  // namespace glint::ui
