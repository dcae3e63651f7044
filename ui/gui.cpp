#include "ui/gui.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <nlohmann/json.hpp>

#include "ui/draw/dialog.h"
#include "ui/draw/widgets.h"

namespace glint::ui {
namespace {

/// Returns true for actions that are also possible in the empty window, and while the help or
/// *Open* is shown.
bool concernsTheWindow(Action action) {
  return action == Action::open || action == Action::help || action == Action::closeTop ||
         action == Action::quit || action == Action::larger || action == Action::smaller ||
         action == Action::usualSize;
}

}  // namespace

Gui::Gui(const shell::WindowTask& task, std::shared_ptr<Messages> userMessages,
         const Listeners& listeners, const std::optional<shell::SettingsHistory>& history,
         const std::function<void()>& wake, const RecentSources& recent,
         capture::CameraWatch& watch)
    : messages(std::move(userMessages)),
      model(task, messages, listeners, history, wake),
      actions(context, panels, wake),
      context{model, viewState, layout, actions, *messages, scene},
      panels(context, watch, recent) {
  viewState.overlay.smoothLines = task.device->info().type != "cpu";
}

void Gui::draw(const std::vector<Chord>& chords) {
  namedPlaces().places.clear();
  namedPlaces().words.clear();
  scene = {};
  model.draft.follow(*model.state().settings, model.state().epoch, ImGui::IsAnyItemActive());
  const FilterUses& filters = model.draft.settings().filters;
  if (viewState.plane == DisplayPlane::filter &&
      std::ranges::none_of(filters, [&](const auto& use) { return use.id == viewState.filter; }))
    actions.show(DisplayPlane::source);  // the filter was removed or switched off
  handleKeys(chords);
  follow();
  arrange();
  panels.draw();
  const bool asks = panels.exporting.asksToLeave() || panels.quitting.open();
  if (!model.task.empty && !asks) actions.stay();
}

void Gui::handleKeys(const std::vector<Chord>& chords) {
  // A user who clicks or zooms has begun to work, and no longer needs the first hint.
  const ImGuiIO& io = ImGui::GetIO();
  if (ImGui::IsMouseReleased(ImGuiMouseButton_Left) || io.MouseWheel != 0) layout.hintSeen = true;
  const bool listClosed = escapeClosesList();
  const bool dialog = io.WantTextInput || panels.asks();
  for (const Chord& chord : chords) {
    const auto shortcut = shortcutOf(chord.name);
    if (!shortcut || (chord.repeated && !shortcut->repeats)) continue;
    if (dialog && shortcut->action != Action::quit) continue;
    const bool alone = model.task.empty || panels.chooser.open || layout.help;
    if (alone && !concernsTheWindow(shortcut->action)) continue;
    if (listClosed && shortcut->action == Action::closeTop) continue;
    if (shortcut->action == Action::quit && !panels.exporting.mayQuit()) continue;
    if (shortcut->action == Action::quit) panels.proposing.close(), panels.ranging.close();
    layout.hintSeen = true;
    actions.perform(shortcut->action);
  }
}

/// Brings the model and the panels up to date before they are drawn.
void Gui::follow() {
  const bool wantsTracks =
      (layout.side && layout.tab == "Tracks") || layout.curves || !viewState.space.group.empty();
  model.follow(viewState, wantsTracks, ImGui::IsAnyItemActive());
  panels.follow();
  if (model.state().live && layout.recentSeconds != remembered_)
    model.player.post(session::command::Remember{remembered_ = layout.recentSeconds});
  const uint64_t frame = model.player.frame();
  const auto last = model.player.lastFrame();
  if (last && frame != std::exchange(followed_, frame)) viewState.zoom.follow(frame, *last);
}

/// Divides the window among the panels.
void Gui::arrange() {
  if (model.task.empty) return;  // the welcome panel covers the whole window
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const float row = ImGui::GetFrameHeight(), em = ImGui::GetFontSize();
  const float top = row + wholePx(8), status = em + wholePx(6);
  const float band = std::round(std::clamp(layout.band * em, kLeastBand * em, size.y * 0.6F));
  // A low window has no room for the times of the timeline, and live cameras have a band instead.
  constexpr float kHighEnough = 36;  // font sizes
  const bool ruled = size.y >= kHighEnough * em && !model.state().live;
  const float ruler = ruled ? std::round(em * 0.95F) : 0;
  const float transport = row + em * 1.4F + ruler + band + wholePx(14);
  const float room = std::max(1.0F, size.y - top - transport - status);
  const float below = panels.curves.heightIn(layout, room), middle = std::max(1.0F, room - below);
  if (layout.sideWidth == 0) layout.sideWidth = model.cameras() > 1 ? 36.0F : 31.0F;
  const float most = std::max(0.0F, size.x - em * 20);
  const float side = layout.side ? std::min(std::round(layout.sideWidth * em), most) : 0;
  const Rect views{0, top, size.x - side, middle};
  layout.places = {.top = {0, 0, size.x, top},
                   .views = views,
                   .side = {views.width, top, side, middle},
                   .curves = {0, top + middle, size.x, below},
                   .transport = {0, top + room, size.x, transport},
                   .status = {0, top + room + transport, size.x, status},
                   .band = band,
                   .ruler = ruler,
                   // The place in the previous picture, until the card is drawn again.
                   .card = layout.places.card,
                   .messages = views};
}

void Gui::describe(nlohmann::json& to) const {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  to["width"] = static_cast<uint64_t>(size.x);
  to["height"] = static_cast<uint64_t>(size.y);
  to["letters"] = ImGui::GetFontSize();
  to["minimised"] = minimised;
  if (const auto last = model.player.lastFrame()) {
    const shell::TimeZoom::Range range = viewState.zoom.range(*last);
    to["time_shown"] = {range.first, range.last};
  }
  model.describe(viewState, to);
  viewState.describe(to);
  layout.describe(to);
  panels.describe(to);
}

}  // namespace glint::ui
