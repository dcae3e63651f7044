#include "ui/panels/go_to_frame.h"

#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/base/text.h"
#include "ui/draw/dialog.h"
#include "ui/draw/number_field.h"
#include "ui/draw/widgets.h"

namespace glint::ui {
namespace {

/// Returns the seconds of a time such as "1:23.4" or "83.4 s"; empty if the text is none.
std::optional<double> secondsOf(std::string_view text) {
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos) {
    if (!text.ends_with('s')) return std::nullopt;
    text.remove_suffix(1);
    while (text.ends_with(' ')) text.remove_suffix(1);
    return base::parseNumber<double>(text);
  }
  const auto minutes = base::parseNumber<uint64_t>(text.substr(0, colon));
  const auto seconds = base::parseNumber<double>(text.substr(colon + 1));
  if (!minutes || !seconds || *seconds < 0 || *seconds >= 60) return std::nullopt;
  return 60 * static_cast<double>(*minutes) + *seconds;
}

}  // namespace

void GoToFrame::ask() {
  const session::SessionState& state = player_.state();
  if (state.live ? !state.recent : !state.canSeek)
    return messages_.say("no other frame can be shown");
  typed_ = {};
  problem_.clear();
  open_ = opens_ = true;
}

/// Returns the words for the frames that can be shown.
std::string GoToFrame::range() const {
  const auto last = player_.lastFrame();
  return last ? fmt::format("{} to {}", player_.firstFrame(), *last)
              : fmt::format("from {} on", player_.firstFrame());
}

/// Goes to the frame that was typed, or says why not.
void GoToFrame::go() {
  const std::string text = withPoints(typed_.data());
  auto frame = base::parseNumber<uint64_t>(text);
  if (const auto seconds = secondsOf(text); !frame && seconds && *seconds >= 0)
    frame = static_cast<uint64_t>(std::llround(*seconds * player_.rate()));
  const auto last = player_.lastFrame();
  if (!frame) {
    problem_ = "Type a frame's number, or a time such as 1:23.4 or 83.4 s.";
  } else if (*frame < player_.firstFrame() || (last && *frame > *last)) {
    problem_ = fmt::format("There is no frame {}; the frames are {}.", *frame, range());
  } else {
    player_.seek(*frame);
    open_ = false;
  }
}

void GoToFrame::draw(Context&) {
  if (!open_) return;
  open_ = beginDialog("Go to frame", opens_);
  if (!open_) return;
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  const bool entered = textField("go_to_text", typed_, ImGui::GetFontSize() * 18, range().c_str(),
                                 ImGuiInputTextFlags_EnterReturnsTrue);
  dialogProblem("go_to_problem", problem_, false);
  const bool goes = button("go_to_ok", "Go", "Enter") || entered;
  ImGui::SameLine();
  const bool stops = button("go_to_close", "Close") || dialogEscaped();
  if (goes) go();
  // ImGui ends the input with Enter, but the user may want to correct it.
  if (goes && open_) ImGui::SetKeyboardFocusHere(-1);
  open_ = open_ && !stops;
  endDialog(!open_);
}

void GoToFrame::describe(nlohmann::json& to) const {
  to["going"] = open_;
  to["going_says"] = problem_;
}

}  // namespace glint::ui
