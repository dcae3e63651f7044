#include "ui/panels/calibrate.h"

#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/motion/calibrate/board_finder.h"
#include "app/motion/calibrate/image_fields.h"
#include "config/error.h"
#include "ui/draw/number_field.h"
#include "ui/draw/widgets.h"

namespace glint::ui {
namespace {

const std::vector<std::string> kKinds{"Wand with two lights", "Wand with three lights", "One light",
                                      "Printed board"};
constexpr size_t kOneLight = 2, kBoard = 3;
constexpr size_t kLeastMoments = 60,
                 // Moments with a light or wand, and with a board, before the first solution.
    kLeastBoards = 12;
// The factor by which the moments must grow before it is solved again.
constexpr double kSolveAgain = 1.4;

/// Draws words as a sentence, with a capital letter, in as many lines as it takes.
void sentence(ImU32 colour, std::string words) {
  if (!words.empty() && words[0] >= 'a' && words[0] <= 'z')
    words[0] = static_cast<char>(words[0] - 'a' + 'A');
  wrapped(colour, words);
}

/// Draws the details of a result.
void drawDetails(const auto& result) {
  text(kText, fmt::format("Error {:.2f} px in {} not used for solving", result.heldOut.mean,
                          counted(result.heldOut.moments, "frame")));
  if (!result.heldOut.lengths.empty())
    text(kText, fmt::format("Length {:.2f} \u00b1 {:.2f} mm, largest error {:.2f} mm",
                            result.heldOut.lengthMean, result.heldOut.lengthSigma,
                            result.heldOut.lengthWorst));
  for (const std::string& note : result.notes) sentence(kFaint, note);
}

}  // namespace

void Calibrator::begin(Player& player) {
  try {
    ofBoard_ = kind_ == kBoard;
    if (ofBoard_)
      boards_->begin(motion::parseBoard(board_.data()));
    else if (kind_ == kOneLight)
      lights_->begin({});
    else
      lights_->begin(motion::parseWand(kind_ == 0 ? fmt::format("{:g}", length_)
                                                  : fmt::format("{:g},{:g}", length_, other_)));
  } catch (const UsageError& error) {
    messages_.fail(error.what());
    return;
  }
  result_.reset();
  problem_.clear();
  again_ = false;
  dropped_ = task_ != nullptr;
  solved_ = 0;
  if (!player.isAtEnd()) return;
  player.seekFirst();
  player.togglePlay();
}

void Calibrator::solve() {
  again_ = task_ != nullptr;  // the running solver cannot be interrupted
  if (again_) return;
  solved_ = seen().shared;
  shell::CalibrationRequest request;
  if (ofBoard_) {
    request.boards = boards_->views();
    if (!request.boards) {
      problem_ = "no frame has arrived since the start";
      return;
    }
    request.target.isBoard = true;
    request.method = fmt::format("a {} shown to the cameras", board_.data());
  } else {
    request.table = lights_->table();
    request.sizes = lights_->sizes();
    request.target = lights_->target();
    request.method =
        request.target.isWand()
            ? fmt::format("a wand of {:g} mm moved through the volume", request.target.length)
            : "one light moved through the volume";
  }
  task_ = std::make_unique<shell::CalibrationTask>(std::move(request), wake_);
}

void Calibrator::follow() {
  using State = shell::BackgroundTask::Progress::State;
  if (task_ && task_->progress().state != State::running) {
    if (std::exchange(dropped_, false)) {
      // The user has begun another recording since; this result is not wanted any more.
    } else if (auto found = task_->result()) {
      result_ = std::move(found);
      problem_.clear();
    } else {
      problem_ = task_->progress().problem;
    }
    task_.reset();
    if (again_) solve();
  }
  const size_t now = seen().shared;
  if (!recording() || task_ || now < (ofBoard_ ? kLeastBoards : kLeastMoments)) return;
  if (static_cast<double>(now) >= kSolveAgain * static_cast<double>(solved_)) solve();
}

void Calibrator::drawTarget() {
  const float em = ImGui::GetFontSize();
  ImGui::SetNextItemWidth(em * 13);
  choose("##kind", kKinds, kind_);
  named("calibrate_kind");
  if (kind_ == kOneLight)
    return wrapped(kFaint, "One light gives no lengths: the rig will have no scale.");
  if (kind_ == kBoard) {
    textField("calibrate_board", board_, em * 20);
    return wrapped(kFaint,
                   "Inner corners and square of a chessboard (chessboard:9x6:25mm), or squares, "
                   "square, marker and dictionary of a ChArUco board.");
  }
  const auto typeLength = [&](const char* name, const char* label, float& value) {
    ImGui::SetNextItemWidth(em * 6);
    typeWithPoints(label);
    ImGui::InputFloat(label, &value, 0, 0, "%g");
    named(name);
  };
  typeLength("calibrate_length", kind_ == 0 ? "mm between the lights" : "mm, first to second light",
             length_);
  if (kind_ != 0) typeLength("calibrate_other", "mm, second to third light", other_);
}

void Calibrator::drawSeen(const WindowModel& model) const {
  const motion::TargetSeen seen = this->seen();
  if (seen.frames == 0) return faint("Nothing has been recorded yet.");
  text(kText, fmt::format("{}; two cameras or more see the target in {}",
                          counted(seen.frames, "frame"), seen.shared));
  if (!ImGui::BeginTable("calibrate_seen", 3, ImGuiTableFlags_SizingStretchProp)) return;
  for (size_t c = 0; c < seen.cameras.size() && c < model.cameras(); ++c) {
    const double share = 100 * motion::shareOf(seen.cameras[c].fields);
    for (const std::string& words :
         {fmt::format("camera {}", c), counted(seen.cameras[c].seen, "frame"),
          fmt::format("{:.0f} % of the image", share)}) {
      ImGui::TableNextColumn();
      text(kText, words);
    }
  }
  ImGui::EndTable();
}

void Calibrator::drawResult(Context& context) {
  if (task_) faint("Solving ...");
  if (!problem_.empty()) sentence(kWarning, problem_);
  if (!result_) return;
  sentence(kText, fmt::format("accuracy {}: {}", result_->grade.word, result_->grade.because));
  sentence(kText,
           fmt::format("coverage {}: {}", result_->coverage.word, result_->coverage.because));
  textField("calibrate_name", name_, ImGui::GetFontSize() * 14);
  ImGui::SameLine();
  const bool keeps = button("calibrate_keep", "Keep", "Writes the rig and its run record");
  ImGui::SameLine();
  const bool shows =
      button("calibrate_show", "Keep and show space", "Opens these cameras again with the rig");
  drawDetails(*result_);
  if (!keeps && !shows) return;
  try {
    shell::keepRig(*result_, name_.data());
    messages_.note(fmt::format("the rig was written into {}", name_.data()));
    if (shows)
      context.actions.open(shell::Opening{.sources = context.model.task.sources,
                                          .cameras = {},
                                          .rig = std::filesystem::absolute(name_.data())});
  } catch (const Error& error) {
    messages_.fail(error.what());
  }
}

void Calibrator::draw(Context& context) {
  ImGui::BeginChild("calibrate");
  wrapped(kFaint,
          "Move a wand, a light or a board through the whole volume, and into every part of each "
          "image.");
  ImGui::BeginDisabled(recording());
  drawTarget();
  ImGui::EndDisabled();
  if (!recording()) {
    if (button("calibrate_begin", "Begin",
               "Glint records from now on where the cameras see the target"))
      begin(context.model.player);
  } else if (button("calibrate_solve", "Stop and solve",
                    "Solves with all frames recorded so far")) {
    lights_->stop();
    boards_->stop();
    solve();
  }
  if (recording() && context.model.player.waitsForPlay()) {
    wrapped(kWarning, "Press Play (Space): frames are recorded while the recording plays.");
    named("calibrate_waits");
  }
  ImGui::Separator();
  drawSeen(context.model);
  drawResult(context);
  ImGui::EndChild();
}

void Calibrator::drawOver(ImDrawList& list, const View& view, size_t camera,
                          const gpu::ImageFormat& format) const {
  const motion::TargetSeen seen = this->seen();
  if (camera >= seen.cameras.size()) return;
  const double width = format.width / 8.0, height = format.height / 8.0;
  for (unsigned field = 0; field < 64; ++field) {
    const double x = field % 8 * width - 0.5, y = field / 8 * height - 0.5;
    const Point from = view.toScreen({x, y}), to = view.toScreen({x + width, y + height});
    const bool lit = (seen.cameras[camera].fields >> field & 1) != 0;
    if (lit) list.AddRectFilled({from.x, from.y}, {to.x, to.y}, withAlpha(kLights[0], 0.22F));
    list.AddRect({from.x, from.y}, {to.x, to.y}, withAlpha(IM_COL32_WHITE, 0.12F));
  }
}

void Calibrator::describe(nlohmann::json& to) const {
  to["calibrating"] = recording();
  to["calibrate_solving"] = task_ != nullptr;
  to["calibrate_shared"] = seen().shared;
  to["calibrate_problem"] = problem_;
  if (!result_) return;
  to["calibrate_grade"] = result_->grade.word;
  to["calibrate_coverage"] = result_->coverage.word;
  to["calibrate_error"] = result_->heldOut.mean;
  to["calibrate_found"] = result_->found;
}

}  // namespace glint::ui
