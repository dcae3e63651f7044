#include "ui/panels/track_menu.h"

#include <utility>

#include <fmt/format.h>

#include "ui/draw/widgets.h"

namespace glint::ui {

void TrackMenu::perform(Action action) {
  if (!looks_.selected) return messages_.say("select a track first: click its marker");
  const Selection one = *looks_.selected;
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
      return editor_.remove(one, tracks_);
    case Action::splitTrack:
      return editor_.split(one, tracks_);
    case Action::joinTracks:
      looks_.pick = Pick::join;
      return;
    case Action::swapTracks:
      looks_.pick = Pick::swap;
      return;
    default:
      return;
  }
}

void TrackMenu::draw(const Rect& views) {
  if (!looks_.selected) looks_.pick = Pick::nothing;
  if (const auto other = std::exchange(looks_.picked, std::nullopt)) {
    const Pick what = std::exchange(looks_.pick, Pick::nothing);
    if (what == Pick::join) editor_.join(*looks_.selected, *other, tracks_);
    if (what == Pick::swap) editor_.swap(*looks_.selected, *other, tracks_);
  }
  drawPicking(views);
  drawMenu();
  drawName();
}

/// What is to be clicked next, over the views.
void TrackMenu::drawPicking(const Rect& views) {
  if (looks_.pick == Pick::nothing) return;
  const std::string words =
      fmt::format("Click the track to {} {} (Esc: none)",
                  looks_.pick == Pick::join ? "be joined to" : "change places with",
                  editor_.nameOf(looks_.selected->track));
  const ImVec2 size = ImGui::CalcTextSize(words.c_str());
  ImGui::SetNextWindowPos({views.x + views.width / 2, views.y + views.height - 12},
                          ImGuiCond_Always, {0.5F, 1});
  ImGui::PushStyleColor(ImGuiCol_Border, kAccent);
  ImGui::Begin("##picking", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize |
                   ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav);
  ImGui::PushTextWrapPos(std::min(size.x + 8, std::max(40.0F, views.width - 40)));
  ImGui::TextUnformatted(words.c_str());
  ImGui::PopTextWrapPos();
  named("picking");
  ImGui::End();
  ImGui::PopStyleColor();
}

void TrackMenu::drawMenu() {
  if (std::exchange(looks_.menu, false)) ImGui::OpenPopup("track menu");
  const bool closes = std::exchange(closes_, false);
  menuOpen_ = ImGui::BeginPopup("track menu");
  if (!menuOpen_) return;
  if (!looks_.selected || closes) {
    ImGui::CloseCurrentPopup();
    return ImGui::EndPopup();
  }
  const TrackId track = looks_.selected->track;
  text(colourOfTrack(track), "track " + editor_.nameOf(track));
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
  ImGui::EndPopup();
}

void TrackMenu::drawName() {
  if (std::exchange(opens_, false)) ImGui::OpenPopup("rename");
  if (!naming_) return;
  placeInMiddle();
  if (!ImGui::BeginPopupModal("rename", nullptr,
                              ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                  ImGuiWindowFlags_AlwaysAutoResize |
                                  ImGuiWindowFlags_NoSavedSettings)) {
    naming_ = false;
    return;
  }
  ImGui::TextUnformatted(fmt::format("Name of track {}", named_.track).c_str());
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(ImGui::GetFontSize() * 16);
  const bool entered = named("rename_text", ImGui::InputText("##name", name_.data(), name_.size(),
                                                             ImGuiInputTextFlags_EnterReturnsTrue));
  const bool ok = button("rename_ok", "Rename") || entered;
  ImGui::SameLine();
  const bool stops =
      button("rename_close", "Close") || ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape));
  if (ok) editor_.rename(named_, name_.data(), tracks_);
  if (ok || stops) {
    naming_ = false;
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
}

}  // namespace glint::ui
