#include "ui/panels/mask_editor.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/capture/mask/mask.h"
#include "config/error.h"
#include "config/printable.h"
#include "config/setting_key.h"
#include "ui/draw/number_field.h"
#include "ui/draw/widgets.h"

namespace glint::ui {
namespace {

constexpr ImU32 kPainted = IM_COL32(213, 94, 0, 110);
constexpr ImU32 kIgnored = IM_COL32(213, 94, 0, 45);
// s, the time before the shown frame from which a mask is learned.
constexpr double kLearnSeconds = 2;

/// Returns a new name for a mask. A new name is needed so that undone settings find the mask that
/// they had.
std::string freeMaskName(const std::string& settingsFile, size_t cameras) {
  const std::string usual =
      std::filesystem::absolute(
          shell::maskFileBeside(settingsFile.empty() ? "glint.toml" : settingsFile, cameras))
          .string();
  for (int n = 1;; ++n) {
    std::filesystem::path path = usual;
    if (n > 1) {
      const std::string name = path.filename().string();
      const size_t end = name.rfind(".mask");
      path.replace_filename(fmt::format("{}-{}{}", name.substr(0, end), n, name.substr(end)));
    }
    const auto files = capture::maskPaths(path.string(), cameras);
    const bool taken = std::any_of(files.begin(), files.end(), [](const std::string& file) {
      std::error_code error;
      return std::filesystem::exists(file, error);
    });
    if (!taken) return path.string();
  }
}

}  // namespace

void MaskEditor::toggle() {
  on_ = !on_;
  drag_.reset();
  if (on_) layout_.showTab("Mask");
  messages_.say(on_         ? "painting a mask: drag over anything that is not a marker"
                : pending() ? "the painted mask is not used yet: press M, then 'Use this mask'"
                            : "mask painting off");
}

bool MaskEditor::unsaved() const {
  return std::any_of(canvases_.begin(), canvases_.end(),
                     [](const shell::MaskCanvas& canvas) { return canvas.unsaved(); });
}

bool MaskEditor::pending() const {
  return unsaved() &&
         (ignored() > 0 || pixelsOf(draft_.settings().detect) != pixelsOf(Settings().detect));
}

size_t MaskEditor::ignored() const {
  size_t sum = 0;
  for (const shell::MaskCanvas& canvas : canvases_) sum += canvas.ignored();
  return sum;
}

void MaskEditor::follow() {
  const Settings::Detect& detect = draft_.settings().detect;
  if ((made_ && pixelsOf(*made_) == pixelsOf(detect)) || drag_ || unsaved()) return;
  load(detect);
}

void MaskEditor::load(const Settings::Detect& detect) {
  made_ = detect;
  canvases_.clear();
  const capture::CameraGroups& groups = task_.session.groups();
  const size_t cameras = task_.sources.size();
  overlays_.assign(cameras, {});
  for (size_t i = 0; i < cameras; ++i) {
    const gpu::ImageFormat& format = groups.formats[groups.places[i].group].image;
    canvases_.emplace_back(format.width, format.height);
    try {
      canvases_.back().take(capture::measuredPixels(detect, i, cameras, format));
    } catch (const Error& error) {
      messages_.fail(error.what());
    }
  }
}

void MaskEditor::paint(size_t camera, const View& view) {
  if (!on_ || camera >= canvases_.size()) return;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const ImagePoint at = view.toImage({mouse.x, mouse.y});
  shell::MaskCanvas& mask = canvases_[camera];
  const auto ink = measures_ != ImGui::GetIO().KeyShift ? shell::MaskCanvas::Ink::measure
                                                        : shell::MaskCanvas::Ink::ignore;
  const bool held = ImGui::IsItemActive() && ImGui::IsMouseDown(ImGuiMouseButton_Left);
  if (ImGui::IsItemActivated() && held) {
    drag_ = Drag{camera, at, at};
    last_ = camera;
    mask.beginStroke();
    if (tool_ == Tool::brush) mask.brush(at.x, at.y, at.x, at.y, radius_, ink);
  }
  if (!drag_ || drag_->camera != camera) return;
  if (tool_ == Tool::brush && (at.x != drag_->now.x || at.y != drag_->now.y))
    mask.brush(drag_->now.x, drag_->now.y, at.x, at.y, radius_, ink);
  drag_->now = at;
  if (held) return;
  if (tool_ == Tool::rectangle) mask.rectangle(drag_->begin.x, drag_->begin.y, at.x, at.y, ink);
  mask.endStroke();
  drag_.reset();
}

void MaskEditor::drawOver(ImDrawList& list, const View& view, size_t camera) {
  if (camera >= canvases_.size()) return;
  overlays_[camera].draw(list, view, canvases_[camera], on_ ? kPainted : kIgnored);
  if (!on_) return;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (drag_ && drag_->camera == camera && tool_ == Tool::rectangle) {
    const Point a = view.toScreen(drag_->begin), b = view.toScreen(drag_->now);
    list.AddRect({std::min(a.x, b.x), std::min(a.y, b.y)}, {std::max(a.x, b.x), std::max(a.y, b.y)},
                 kWarning);
  } else if (tool_ == Tool::brush && view.area().contains({mouse.x, mouse.y})) {
    list.AddCircle(mouse, static_cast<float>(radius_ * view.zoom()), kWarning);
  }
}

/// Puts a mask file into force instead of the rectangles, which the canvas shows and the file
/// contains.
void MaskEditor::putInForce(const std::string& mask) {
  Settings::Detect& detect = draft_.settings().detect;
  detect.mask = mask;
  detect.region.clear();
  detect.ignore.clear();
  made_ = detect;
  draft_.apply();
}

/// Saves the masks into files, which detect.mask names from then on. If nothing is ignored, there
/// is no mask.
bool MaskEditor::use() {
  if (ignored() == 0) {
    canvases_.clear();
    putInForce("");
    made_.reset();
    return true;
  }
  const std::string name = freeMaskName(draft_.history().path(), canvases_.size());
  const auto files = capture::maskPaths(name, canvases_.size());
  try {
    for (size_t i = 0; i < canvases_.size(); ++i) canvases_[i].save(files[i]);
  } catch (const Error& error) {
    messages_.fail(error.what());
    return false;
  }
  putInForce(name);
  messages_.note("the mask was saved in " + printable(name));
  return true;
}

void MaskEditor::learn() {
  const session::SessionState& state = player_.state();
  const uint64_t now = player_.frame();
  const auto before = static_cast<uint64_t>(std::llround(kLearnSeconds * player_.rate()));
  learning_ = std::make_unique<shell::MaskLearning>(
      shell::MaskRequest{
          .sources = task_.sources,
          .settings = *state.settings,
          .first = now - std::min(now, before),
          .last = std::max(now, std::min<uint64_t>(before, state.length.value_or(1) - 1))},
      wake_);
}

void MaskEditor::followLearning() {
  if (!learning_) return;
  using State = shell::MaskLearning::Progress::State;
  const shell::MaskLearning::Progress progress = learning_->progress();
  if (progress.state == State::running) {
    ImGui::TextUnformatted(
        fmt::format("learning: {} of {} frames", progress.frames, progress.total.value_or(0))
            .c_str());
    return;
  }
  if (!progress.problem.empty()) messages_.fail(progress.problem);
  const auto masks = learning_->masks();
  size_t before = 0, after = 0;
  for (size_t i = 0; i < std::min(masks.size(), canvases_.size()); ++i) {
    before += canvases_[i].ignored();
    canvases_[i].add(masks[i]);
    after += canvases_[i].ignored();
  }
  if (progress.state == State::done)
    messages_.note(fmt::format("learned: {} more pixels are ignored", after - before));
  learning_.reset();
}

void MaskEditor::drawTools() {
  int tool = static_cast<int>(tool_);
  named("mask_brush", ImGui::RadioButton("Brush", &tool, 0));
  ImGui::SameLine();
  named("mask_rectangle", ImGui::RadioButton("Rectangle", &tool, 1));
  tool_ = static_cast<Tool>(tool);
  int ink = measures_ ? 1 : 0;
  ImGui::RadioButton("Ignore", &ink, 0);
  ImGui::SameLine();
  named("mask_measure", ImGui::RadioButton("Unmask", &ink, 1));
  hint("Hold Shift to do the opposite");
  measures_ = ink == 1;
  ImGui::AlignTextToFramePadding();
  faint("radius");
  ImGui::SameLine(ImGui::GetFontSize() * 5);
  constexpr NumberField kRadius{.least = 0.5,
                                .most = 200,
                                .sliderLeast = 0.5,
                                .sliderMost = 200,
                                .byMagnitude = true,
                                .unit = "px"};
  editNumber("mask_radius", radius_, kRadius);
}

void MaskEditor::drawActions(shell::MaskCanvas& mask) {
  if (button("mask_invert", "Invert")) mask.invert();
  ImGui::SameLine();
  if (button("mask_clear", "Clear")) mask.clear();
  ImGui::SameLine();
  if (button("mask_undo", "Undo##mask", "", {}, mask.canUndo())) mask.undo();
  ImGui::SameLine();
  if (button("mask_redo", "Redo##mask", "", {}, mask.canRedo())) mask.redo();
  const bool live = player_.state().live;
  if (button(
          "mask_learn", "Learn",
          live ? "Works with recordings only: record the empty room as frames, and open that "
                 "recording"
               : "Adds what is bright in most of the last 2 seconds, such as lamps and reflections",
          {}, !learning_ && player_.state().canSeek && !live))
    learn();
  ImGui::SameLine();
  if (button("mask_use", "Use this mask",
             fmt::format("Saves it as an image and sets {} to its name", "detect.mask"_key), {},
             unsaved()))
    use();
  followLearning();
}

void MaskEditor::draw(Context& context) {
  if (button("mask_toggle", on_ ? "Stop painting (M)" : "Paint a mask (M)")) toggle();
  ImGui::TextWrapped("Masked pixels are ignored. Paint over lamps and reflections.");
  ImGui::TextUnformatted(fmt::format("{} pixels are ignored", ignored()).c_str());
  if (!on_ || canvases_.empty()) return;
  drawTools();
  drawActions(
      canvases_[context.viewState.enlarged.value_or(std::min(last_, canvases_.size() - 1))]);
}

void MaskEditor::describe(nlohmann::json& to) const {
  to["painting"] = on();
  to["mask_ignored"] = ignored();
}

}  // namespace glint::ui
