#include "ui/panels/status.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ui/draw/widgets.h"
#include "ui/panels/pointed.h"

namespace glint::ui {
namespace {

/// Draws a bell with the number of unread warnings and errors. A click on it opens the log.
void drawBell(int unread, Layout& layout, float right) {
  const float em = ImGui::GetFontSize(), r = std::round(em * 0.32F);
  const std::string count = unread > 0 ? std::to_string(unread) : "";
  const float width = 2 * r + 4 + ImGui::CalcTextSize(count.c_str()).x;
  ImGui::SameLine(right - width);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (invisibleButton("bell", {width, em})) layout.showTab("Log");
  hint(unread > 0 ? "Unread warnings and errors" : "No unread warnings or errors");
  const ImU32 colour = unread > 0 ? kWarning : kFaint;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float x = at.x + r, y = at.y + em * 0.45F;
  constexpr float kHalfTurn = 3.1415927F;
  list.PathArcTo({x, y}, r * 0.75F, kHalfTurn, 2 * kHalfTurn, 8);
  list.PathLineTo({x + r, y + r * 0.8F});
  list.PathLineTo({x - r, y + r * 0.8F});
  list.PathFillConvex(colour);
  list.AddCircleFilled({x, y + r * 1.1F}, r * 0.3F, colour, 6);
  list.AddText({at.x + 2 * r + 3, at.y}, colour, count.c_str());
}

/// A part of the line. If there is too little room, those of the smallest weight are left out.
struct Piece {
  std::string words;
  int weight = 0;
  ImU32 colour = kFaint;
};

constexpr double kLate = 0.3;      // s, the lateness from which on the line tells it
constexpr float kPieceGap = 1.3F;  // font sizes between pieces

void fit(std::vector<Piece>& pieces, float room) {
  std::erase_if(pieces, [](const Piece& piece) { return piece.words.empty(); });
  const auto width = [&] {
    float sum = 0;
    for (const Piece& piece : pieces)
      sum += ImGui::CalcTextSize(piece.words.c_str()).x + kPieceGap * ImGui::GetFontSize();
    return sum;
  };
  while (pieces.size() > 1 && width() > room)
    pieces.erase(std::min_element(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) {
      return a.weight < b.weight;
    }));
}

/// Adds the rates while the session plays. While paused they would only fall to 0.
void addRates(const WindowModel& model, std::vector<Piece>& pieces) {
  if (!model.playing()) return;
  const Timings& timings = model.timings;
  const double now = monotonicSeconds();
  if (model.state().live)
    pieces.push_back({fmt::format("camera {:.0f}/s", timings.delivered.rate(now)), 5});
  pieces.push_back({fmt::format("processing {:.0f}/s", timings.processed.rate(now)), 4});
  pieces.push_back({fmt::format("display {:.0f}/s", timings.drawn.rate(now)), 2});
}

/// Adds how late a recording plays, why, and how slowly, if it cannot keep the requested speed.
void addSlowness(const WindowModel& model, std::vector<Piece>& pieces) {
  const session::SessionState& state = model.state();
  const double late = model.lateness();
  if (late < kLate) return;
  const double rate = model.timings.processed.rate(monotonicSeconds());
  if (rate <= 0) return;
  double device = 0;  // s for each frame
  for (const gpu::PassTime& pass : state.deviceTimes) device += pass.microseconds * 1e-6;
  constexpr double kMostly = 0.6;
  const std::string why = device > kMostly / rate
                              ? fmt::format("measuring takes {:.3g} ms per frame", 1e3 * device)
                              : std::string("decoding is too slow");
  const std::string speed = state.speed == 1 ? "" : fmt::format(" at {:g}x", state.speed);
  pieces.push_back({fmt::format("{:.1f} s behind{}: {}", late, speed, why), 8, kWarning});
  pieces.push_back(
      {fmt::format("{:.0f} of {:.0f} frames/s", rate, state.speed * model.rate()), 5, kWarning});
}

/// Adds each stream: its target, its receivers, and what went wrong.
void addStreams(const session::SessionState& state, std::vector<Piece>& pieces) {
  for (const output::SinkStatus& stream : state.sinks) {
    if (stream.handover != output::Handover::newest || (stream.finished && !stream.failed))
      continue;
    std::string words = "sends to " + stream.name;
    if (stream.finished) words = stream.name + " has ended: " + stream.problem;
    if (!stream.finished && !stream.state.empty()) words += " (" + stream.state + ")";
    if (!stream.finished && stream.dropped > 0)
      words += fmt::format(", {} not sent", stream.dropped);
    pieces.push_back({words, 8, stream.finished || stream.dropped > 0 ? kWarning : kRecord});
  }
}

std::string modeOf(const WindowModel& model) {
  if (model.state().mode == session::SessionState::Mode::atEnd) return "at the end";
  return model.showsRecent() ? "looking back" : session::nameOf(model.state().mode);
}

}  // namespace

void Status::draw(Context& context) {
  const WindowModel& model = context.model;
  const Rect& place = context.layout.places.status;
  line_.clear();
  const Area area("status", place, wholePx(8), wholePx(2));
  const session::SessionState& state = model.state();
  const char* help = "H: help";
  const float right = place.width - ImGui::CalcTextSize(help).x - wholePx(22);
  std::vector<Piece> pieces{
      {modeOf(model), 7, state.mode == session::SessionState::Mode::failed ? kRecord : kFaint},
      {counted(model.counts.markers, "marker") + ", " + counted(model.counts.tracks, "track"), 6}};
  addSlowness(model, pieces);
  pieces.insert(pieces.begin() + 1, {model.pointed.words, 8, kText});
  pieces.push_back({zoomWords(context.viewState), 5});
  addRates(model, pieces);
  if (state.counts.dropped > 0)
    pieces.push_back({fmt::format("{} dropped", state.counts.dropped), 6});
  if (const std::string room = model.recording.room(); !room.empty())
    pieces.push_back({"REC " + room, 9, model.recording.runsShort() ? kWarning : kRecord});
  addStreams(state, pieces);
  pieces.push_back({model.task.device->info().name, 1});
  fit(pieces, right - 4 * ImGui::GetFontSize());
  ImGui::PushClipRect({place.x, place.y},
                      {place.x + right - 3 * ImGui::GetFontSize(), place.y + place.height}, true);
  const ImVec2 begin = ImGui::GetCursorScreenPos();
  for (const Piece& piece : pieces) {
    text(piece.colour, piece.words);
    ImGui::SameLine(0, kPieceGap * ImGui::GetFontSize());
    line_ += (line_.empty() ? "" : "   ") + piece.words;
  }
  ImGui::PopClipRect();
  const ImVec2 end = ImGui::GetItemRectMax();
  namePlace("status_words", {begin.x, begin.y, end.x - begin.x, end.y - begin.y});
  drawBell(context.messages.unread(), context.layout, right);
  ImGui::SameLine(place.width - ImGui::CalcTextSize(help).x - wholePx(10));
  faint(help);
  named("help_word");
  if (ImGui::IsItemClicked()) context.actions.perform(Action::help);
}

void Status::describe(nlohmann::json& to) const {
  to["status"] = line_;
}

}  // namespace glint::ui
