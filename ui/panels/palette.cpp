#include "ui/panels/palette.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "config/describe.h"
#include "config/lower_case.h"
#include "config/setting_search.h"
#include "ui/draw/dialog.h"
#include "ui/draw/widgets.h"

namespace glint::ui {
namespace {

constexpr float kPaletteWidth = 46, kPaletteHeight = 26;  // font sizes
constexpr float kEntryName = 15, kEntryKeys = 11;         // font sizes, widths of columns

/// Returns the first sentence of a text, which may have several lines.
std::string firstLine(std::string_view words) {
  return std::string(words.substr(0, words.find('\n')));
}

}  // namespace

void Palette::ask() {
  typed_ = {};
  collect();
  find();
  open_ = opens_ = true;
}

void Palette::collect() {
  all_.clear();
  for (const Shortcut& shortcut : shortcuts()) {
    if (shortcut.action == Action::palette || shortcut.action == Action::closeTop) continue;
    all_.push_back({.name = std::string(shortcut.name),
                    .about = std::string(shortcut.help),
                    .keys = std::string(keysOf(shortcut.action)),
                    .action = shortcut.action});
  }
  const bool live = context_.model.state().live;
  const Settings& settings = context_.model.draft.settings();
  glint::describe(settings, [&](const auto& s) {
    const std::string key(s.key);
    // The device cannot change while it runs.
    if (key.starts_with("device.") || !appliesHere(key, settings, live)) return;
    all_.push_back(
        {.name = std::string(s.label), .about = firstLine(s.help), .keys = {}, .key = key});
  });
}

/// Lists the entries that the typed words find. Those that have them in their name come first.
void Palette::find() {
  const std::string wanted = lowerCase(typed_.data());
  const std::vector<std::string> settings = findSettings(wanted);
  const auto has = [&](const std::string& text) {
    return lowerCase(text).find(wanted) != std::string::npos;
  };
  found_.clear();
  chosen_ = 0;
  moved_ = true;
  for (size_t i = 0; i < all_.size(); ++i) {
    const Entry& entry = all_[i];
    const bool isSetting = !entry.key.empty();
    if (isSetting ? std::ranges::find(settings, entry.key) != settings.end()
                  : has(entry.name + ' ' + entry.about))
      found_.push_back(i);
  }
  std::ranges::stable_partition(found_, [&](size_t i) { return has(all_[i].name); });
}

void Palette::move(int rows) {
  if (found_.empty()) return;
  const auto last = static_cast<int>(found_.size()) - 1;
  chosen_ = static_cast<size_t>(std::clamp(static_cast<int>(chosen_) + rows, 0, last));
  moved_ = true;
}

/// Draws the field for words. Returns true if Enter was pressed in it. The keys up and down move
/// through the list, so the hands stay on the keyboard.
bool Palette::drawField() {
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  const std::string before = typed_.data();
  ImGui::SetNextItemWidth(-1);
  const auto moves = [](ImGuiInputTextCallbackData* data) {
    static_cast<Palette*>(data->UserData)->move(data->EventKey == ImGuiKey_UpArrow ? -1 : 1);
    return 0;
  };
  const bool entered = ImGui::InputTextWithHint(
      "##words", "Type what you want to do, or a setting", typed_.data(), typed_.size(),
      ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CallbackHistory, moves, this);
  named("palette_text");
  if (typed_.data() != before) find();
  return entered;
}

/// Draws the list. Returns the entry that was clicked; empty if none was.
std::optional<size_t> Palette::drawList() {
  std::optional<size_t> clicked;
  ImGui::BeginChild("entries");
  if (found_.empty()) faint("Nothing has these words.");
  const float em = ImGui::GetFontSize(), width = ImGui::GetContentRegionAvail().x;
  const float row = ImGui::GetTextLineHeightWithSpacing();
  if (std::exchange(moved_, false))
    ImGui::SetScrollY(std::max(0.0F, row * static_cast<float>(chosen_) - 4 * row));
  // The chosen row must stand out more than the one under a mouse that nobody moves.
  ImGui::PushStyleColor(ImGuiCol_Header, IM_COL32(45, 97, 138, 230));
  ImGui::PushStyleColor(ImGuiCol_HeaderHovered, IM_COL32(45, 97, 138, 90));
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(found_.size()));
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const auto number = static_cast<size_t>(i);
      const Entry& entry = all_[found_[number]];
      ImGui::PushID(i);
      const float left = ImGui::GetCursorPosX();
      if (selectable("palette:" + (entry.key.empty() ? entry.name : entry.key), "##entry",
                     number == chosen_))
        clicked = number;
      ImGui::SameLine(left);
      textThatFits(kText, entry.name, kEntryName * em);
      ImGui::SameLine(left + (kEntryName + 1) * em);
      const float keys = width - kEntryKeys * em;
      textThatFits(kFaint, entry.about, keys - (kEntryName + 2) * em);
      ImGui::SameLine(left + keys);
      text(kAccent, entry.key.empty() ? entry.keys : "setting");
      ImGui::PopID();
    }
  ImGui::PopStyleColor(2);
  ImGui::EndChild();
  return clicked;
}

void Palette::perform(const Entry& entry) {
  open_ = false;
  if (entry.key.empty())
    context_.actions.perform(entry.action);
  else
    context_.layout.showSetting(entry.key, true);
}

void Palette::draw(Context&) {
  if (!open_) return;
  const float em = ImGui::GetFontSize();
  open_ = beginDialog("Commands and settings", opens_, {kPaletteWidth * em, kPaletteHeight * em});
  if (!open_) return;
  const bool entered = drawField();
  const auto clicked = drawList();
  if (dialogEscaped()) open_ = false;
  std::optional<Entry> wanted;
  if (clicked)
    wanted = all_[found_[*clicked]];
  else if (entered && chosen_ < found_.size())
    wanted = all_[found_[chosen_]];
  endDialog(!open_ || wanted);
  if (wanted) perform(*wanted);
}

void Palette::describe(nlohmann::json& to) const {
  to["palette"] = open_;
  to["palette_entries"] = nlohmann::json::array();  // pairs: the name, and the key or "setting"
  if (!open_) return;
  for (const size_t i : found_)
    to["palette_entries"].push_back(
        {all_[i].name, all_[i].key.empty() ? all_[i].keys : all_[i].key});
  to["palette_chosen"] = chosen_;
}

}  // namespace glint::ui
