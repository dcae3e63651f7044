#include "ui/draw/widgets.h"

#include <algorithm>
#include <cmath>

namespace glint::ui {
namespace {

// Font sizes, width of the name in a row of a name and a value.
constexpr float kNamesWide = 9.5F;

float wide(const std::string& words) {
  return ImGui::CalcTextSize(words.c_str()).x;
}

/// Returns true if a letter of UTF-8 begins with this byte.
bool beginsLetter(const std::string& words, size_t byte) {
  return (words[byte] & 0xc0) != 0x80;
}

}  // namespace

float buttonWidth(const char* label) {
  return ImGui::CalcTextSize(label, nullptr, true).x + 2 * ImGui::GetStyle().FramePadding.x;
}

bool button(const std::string& name, const char* label, const std::string& about, ImVec2 size,
            bool enabled) {
  noteLetters(label);
  ImGui::BeginDisabled(!enabled);
  const bool pressed = named(name, ImGui::Button(label, size));
  ImGui::EndDisabled();
  hint(about);
  return pressed;
}

bool smallButton(const std::string& name, const char* label) {
  return named(name, ImGui::SmallButton(label));
}

bool invisibleButton(const std::string& name, ImVec2 size, ImGuiButtonFlags flags) {
  return named(name, ImGui::InvisibleButton(name.c_str(), size, flags));
}

bool checkbox(const std::string& name, const char* label, bool& on, const std::string& about) {
  const bool pressed = named(name, ImGui::Checkbox(label, &on));
  hint(about);
  return pressed;
}

bool selectable(const std::string& name, const std::string& label, bool chosen,
                ImGuiSelectableFlags flags, ImVec2 size) {
  noteLetters(label);
  return named(name, ImGui::Selectable(label.c_str(), chosen, flags, size));
}

bool foldable(const std::string& name, const std::string& label) {
  // Uses calmer colours than those of a list's chosen item, which are ImGui's default for headings.
  ImGui::PushStyleColor(ImGuiCol_Header, IM_COL32(37, 42, 50, 255));
  ImGui::PushStyleColor(ImGuiCol_HeaderHovered, IM_COL32(48, 55, 66, 255));
  ImGui::PushStyleColor(ImGuiCol_HeaderActive, IM_COL32(56, 64, 77, 255));
  const bool open = ImGui::CollapsingHeader(label.c_str());
  ImGui::PopStyleColor(3);
  return named(name, open);
}

bool choose(const char* label, const std::vector<std::string>& names, size_t& chosen) {
  if (!ImGui::BeginCombo(label, chosen < names.size() ? names[chosen].c_str() : "")) return false;
  bool changed = false;
  for (size_t i = 0; i < names.size(); ++i) {
    const bool now = ImGui::Selectable(names[i].c_str(), i == chosen);
    named("choice:" + names[i]);
    if (!now) continue;
    chosen = i;
    changed = true;
  }
  ImGui::EndCombo();
  return changed;
}

bool textField(const std::string& name, std::span<char> text, float width, const char* hint,
               ImGuiInputTextFlags flags) {
  ImGui::SetNextItemWidth(width);
  return named(
      name, ImGui::InputTextWithHint(("##" + name).c_str(), hint, text.data(), text.size(), flags));
}

void text(ImU32 colour, const std::string& words) {
  noteLetters(words);
  ImGui::PushStyleColor(ImGuiCol_Text, colour);
  ImGui::TextUnformatted(words.c_str());
  ImGui::PopStyleColor();
}

void wrapped(ImU32 colour, const std::string& words) {
  ImGui::PushTextWrapPos(0);
  text(colour, words);
  ImGui::PopTextWrapPos();
}

bool removableLine(const std::string& name, const std::string& about, ImU32 colour,
                   const std::string& words) {
  ImGui::PushID(name.c_str());
  const bool pressed = smallButton(name, "x");
  hint(about);
  ImGui::SameLine();
  wrapped(colour, words);
  ImGui::PopID();
  return pressed;
}

void progressBar(const std::string& name, uint64_t done, std::optional<uint64_t> total,
                 const std::string& words) {
  const bool known = total && *total > 0;
  ImGui::ProgressBar(known ? static_cast<float>(done) / static_cast<float>(*total) : 0, {-1, 0},
                     words.c_str());
  named(name);
}

void columnNumber(ImU32 colour, const std::string& digits, const char* widest) {
  const float room = ImGui::CalcTextSize(widest).x - ImGui::CalcTextSize(digits.c_str()).x;
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0F, std::round(room)));
  text(colour, digits);
}

void textThatFits(ImU32 colour, const std::string& words, float room) {
  const std::string fitting = beginningThatFits(words, room);
  text(colour, fitting.empty() && !words.empty() ? "..." : fitting);
  if (fitting != words) hint(words);
}

std::string inLines(const std::string& words, float width) {
  std::string all, line;
  const auto add = [&](const std::string& piece) {
    if (!line.empty() && wide(line + piece) > width) {
      all += line + "\n";
      line.clear();
    }
    line += piece;
  };
  for (size_t begin = 0, end = 0; begin < words.size(); begin = end) {
    end = std::min(words.find(' ', begin), words.size() - 1) + 1;
    const std::string word = words.substr(begin, end - begin);
    if (wide(word) <= width) {
      add(word);
      continue;
    }
    for (size_t from = 0, to = 0; from < word.size(); from = to) {
      to = std::min(word.find('/', from), word.size() - 1) + 1;
      add(word.substr(from, to - from));
    }
  }
  return all + line;
}

std::string endThatFits(const std::string& words, float width) {
  noteLetters(words);
  if (wide(words) <= width) return words;
  for (size_t i = 1; i < words.size(); ++i)
    if (beginsLetter(words, i) && wide("..." + words.substr(i)) <= width)
      return "..." + words.substr(i);
  return "";
}

std::string beginningThatFits(const std::string& words, float width) {
  noteLetters(words);
  if (wide(words) <= width) return words;
  for (size_t i = words.size(); i-- > 1;)
    if (beginsLetter(words, i) && wide(words.substr(0, i) + "...") <= width)
      return words.substr(0, i) + "...";
  return "";
}

void labelled(const char* name, float column, const std::string& value) {
  faint(name);
  ImGui::SameLine(ImGui::GetFontSize() * column);
  ImGui::TextWrapped("%s", value.c_str());
}

float valuesBegin() {
  return kNamesWide * ImGui::GetFontSize() + 2 * ImGui::GetStyle().CellPadding.x;
}

bool beginValues(const char* name, bool back) {
  if (!ImGui::BeginTable(name, back ? 3 : 2, ImGuiTableFlags_SizingFixedFit)) return false;
  ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthFixed,
                          ImGui::GetFontSize() * kNamesWide);
  ImGui::TableSetupColumn("value", ImGuiTableColumnFlags_WidthStretch);
  if (back)
    ImGui::TableSetupColumn("back", ImGuiTableColumnFlags_WidthFixed, ImGui::GetFontSize() * 1.3F);
  return true;
}

void nextRow() {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::AlignTextToFramePadding();
}

void nextValue() {
  ImGui::TableNextColumn();
  ImGui::SetNextItemWidth(-1);
}

Plot beginPlot(float height) {
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const ImVec2 to{from.x + ImGui::GetContentRegionAvail().x - wholePx(4), from.y + height};
  ImGui::GetWindowDrawList()->AddRectFilled(from, to, IM_COL32(20, 22, 27, 255), 3);
  return {from, to};
}

void Plot::drawBars(const std::vector<uint32_t>& lower, ImU32 colour,
                    const std::vector<uint32_t>& upper, ImU32 upperColour) const {
  const auto above = [&](size_t i) { return i < upper.size() ? upper[i] : 0; };
  uint32_t most = 1;
  for (size_t i = 0; i < lower.size(); ++i) most = std::max(most, lower[i] + above(i));
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float wide = width() / static_cast<float>(lower.size());
  const float unit = height() / static_cast<float>(most);
  for (size_t i = 0; i < lower.size(); ++i) {
    const float x = from.x + wide * static_cast<float>(i), right = x + wide - 0.5F;
    const float y = to.y - unit * static_cast<float>(lower[i]);
    const float top = y - unit * static_cast<float>(above(i));
    if (y < to.y) list.AddRectFilled({x, y}, {right, to.y}, colour);
    if (top < y) list.AddRectFilled({x, top}, {right, y}, upperColour);
  }
}

void placeInMiddle() {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({screen.x / 2, screen.y / 2}, ImGuiCond_Always, {0.5F, 0.5F});
}

Box::Box(const std::string& name, ImVec2 at, ImVec2 pivot, ImU32 border, float opacity,
         ImGuiWindowFlags flags) {
  ImGui::SetNextWindowPos(at, ImGuiCond_Always, pivot);
  if (opacity < 1) ImGui::SetNextWindowBgAlpha(opacity);
  ImGui::PushStyleColor(ImGuiCol_Border, border);
  ImGui::Begin(("##" + name).c_str(), nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize |
                   ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav | flags);
}

Box::~Box() {
  ImGui::End();
  ImGui::PopStyleColor();
}

Area::Area(const char* name, const Rect& place, float padX, float padY) {
  ImGui::SetNextWindowPos({place.x, place.y});
  ImGui::SetNextWindowSize({place.width, place.height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {padX, padY});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1, 1});
  ImGui::Begin(name, nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBackground |
                   ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNav |
                   ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleVar(2);
  namePlace(name, place);
}

}  // namespace glint::ui
