#include "ui/panels/track_menu.h"

#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ui/draw/caption.h"
#include "ui/draw/dialog.h"
#include "ui/draw/widgets.h"

namespace glint::ui {

void TrackMenu::perform(Action action) {
  if (!viewState_.selected) return messages_.say("select a track first: click its marker");
  const Selection one = *viewState_.selected;
  switch (action) {
    case Action::renameTrack: {
      const std::string name = editor_.applied() ? editor_.applied()->name(one.track) : "";
      name_ = {};
      name.copy(name_.data(), name_.size() - 1);
      named_ = one;
      naming_ = opens_ = true;
      return;
    }
    case Action::hideTrack:
      return editor_.hide(one, tracks_);
    case Action::deleteTrack:
      if (editor_.remove(one, tracks_)) deselect(one);
      return;
    case Action::splitTrack:
      return split(one);
    case Action::joinTracks:
    case Action::swapTracks:
      measuring_.stop();
      viewState_.pick = action == Action::joinTracks ? Pick::join : Pick::swap;
      return;
    default:
      return;
  }
}

void TrackMenu::deselect(const Selection& one) {
  std::erase(viewState_.more, one);
  if (viewState_.selected != one) return;
  viewState_.selected =
      viewState_.more.empty() ? std::nullopt : std::optional(viewState_.more.back());
  if (!viewState_.more.empty()) viewState_.more.pop_back();
}

/// Deselects tracks that edits, or undoing them, have removed.
void TrackMenu::deselectGone() {
  if (!tracks_.whole()) return;
  std::erase_if(viewState_.more, [&](const Selection& one) { return editor_.gone(one.track); });
  if (viewState_.selected && editor_.gone(viewState_.selected->track))
    deselect(*viewState_.selected);
}

void TrackMenu::split(const Selection& one) {
  const motion::TrackRow* row = tracks_.selected();
  if (editor_.split(one, tracks_) && row) split_ = {one, *row};
}

/// Selects the second part of a track that was split, which the frame on the screen begins. The
/// track that was selected has no marker there any more.
void TrackMenu::selectSecondPart() {
  if (!split_) return;
  const auto& [track, row] = *split_;
  if (viewState_.selected != track || track.camera >= tracks_.cameras().size())
    return split_.reset();
  for (const motion::TrackRow& now : tracks_.cameras()[track.camera].rows) {
    if (now.frame != row.frame || now.x != row.x || now.y != row.y) continue;
    if (now.track == track.track) return;  // the edit is not applied yet
    viewState_.selected = Selection{track.camera, now.track};
    break;
  }
  split_.reset();
}

void TrackMenu::draw(Context& context) {
  deselectGone();
  selectSecondPart();
  if (!viewState_.selected) viewState_.pick = Pick::nothing;
  if (const auto other = std::exchange(viewState_.picked, std::nullopt)) {
    const Pick what = std::exchange(viewState_.pick, Pick::nothing);
    if (what == Pick::join) editor_.join(*viewState_.selected, *other, tracks_);
    if (what == Pick::swap) editor_.swap(*viewState_.selected, *other, tracks_);
  }
  drawPicking(context.layout.places.views);
  drawMenu();
  drawName();
}

/// Draws the prompt to pick the other track, over the views.
void TrackMenu::drawPicking(const Rect& views) {
  if (viewState_.pick == Pick::nothing) return;
  const std::string words = fmt::format("Click the track to {} {} (Esc cancels)",
                                        viewState_.pick == Pick::join ? "join to" : "swap with",
                                        editor_.nameOf(viewState_.selected->track));
  drawPrompt("picking", words, views);
}

void TrackMenu::drawMenu() {
  if (std::exchange(viewState_.menu, false)) ImGui::OpenPopup("track menu");
  if (!ImGui::BeginPopup("track menu")) return;
  if (viewState_.selected) drawTrack();
  drawMeasures();
  ImGui::EndPopup();
}

/// Draws the actions for the selected track.
void TrackMenu::drawTrack() {
  const TrackId track = viewState_.selected->track;
  text(colourOfTrack(tracks_.colouredAs(*viewState_.selected)), "track " + editor_.nameOf(track));
  ImGui::Separator();
  const bool hidden = editor_.applied() && editor_.applied()->hidden(track);
  const std::pair<const char*, Action> items[] = {
      {"Rename ...", Action::renameTrack},   {hidden ? "Show" : "Hide", Action::hideTrack},
      {"Delete", Action::deleteTrack},       {"Split at this frame", Action::splitTrack},
      {"Join with ...", Action::joinTracks}, {"Swap with ... from here on", Action::swapTracks}};
  for (const auto& [label, action] : items) {
    const std::string keys(keysOf(action));
    if (named(fmt::format("menu:{}", label), ImGui::MenuItem(label, keys.c_str()))) perform(action);
  }
  ImGui::Separator();
}

/// Draws the measuring tools. They begin at the selected track if there is one.
void TrackMenu::drawMeasures() {
  const std::tuple<const char*, MeasureTool, Action> items[] = {
      {"Distance to ...", MeasureTool::distance, Action::measureDistance},
      {"Angle ...", MeasureTool::angle, Action::measureAngle},
      {"Set the scale ...", MeasureTool::scale, Action::setScale}};
  for (const auto& [label, tool, action] : items) {
    const char* words =
        tool == MeasureTool::distance && !viewState_.selected ? "Distance ..." : label;
    const std::string keys(keysOf(action));
    if (!named(fmt::format("menu:{}", words), ImGui::MenuItem(words, keys.c_str()))) continue;
    viewState_.pick = Pick::nothing;
    const bool begins = tool == MeasureTool::distance && viewState_.selected;
    measuring_.take(tool, begins ? viewState_.selected : std::nullopt);
  }
}

void TrackMenu::drawName() {
  if (!naming_) return;
  const std::string title = fmt::format("Name of track {}###rename", named_.track);
  naming_ = beginDialog(title.c_str(), opens_);
  if (!naming_) return;
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  const bool entered = textField("rename_text", name_, ImGui::GetFontSize() * 16, nullptr,
                                 ImGuiInputTextFlags_EnterReturnsTrue);
  const bool ok = button("rename_ok", "Rename") || entered;
  ImGui::SameLine();
  const bool stops = button("rename_close", "Close") || dialogEscaped();
  if (ok) editor_.rename(named_, name_.data(), tracks_);
  naming_ = !ok && !stops;
  endDialog(!naming_);
}

void TrackMenu::describe(nlohmann::json& to) const {
  to["naming"] = naming_;
}

}  // namespace glint::ui
