#include "ui/panels/painting.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>
#include <imgui.h>

#include "app/mask/mask.h"
#include "config/error.h"
#include "config/printable.h"
#include "ui/colours.h"
#include "ui/context.h"
#include "ui/panels/area.h"

namespace glint::ui {
namespace {

constexpr ImU32 kPainted = IM_COL32(213, 94, 0, 110);
constexpr ImU32 kIgnored = IM_COL32(213, 94, 0, 45);
constexpr double kLearnSeconds = 2;  // up to the frame that is shown

const ImageFormat& formatOf(const Context& context, size_t camera) {
  const CameraGroups& groups = context.task.session.groups();
  return groups.formats[groups.places[camera].group].image;
}

/// Masks have new names, so that settings that are undone find the mask that they had.
std::string freeMaskName(const std::string& settingsFile, size_t cameras) {
  const std::string usual =
      std::filesystem::absolute(
          maskFileBeside(settingsFile.empty() ? "glint.toml" : settingsFile, cameras))
          .string();
  for (int n = 1;; ++n) {
    std::filesystem::path path = usual;
    if (n > 1) {
      const std::string name = path.filename().string();
      const size_t end = name.rfind(".mask");
      path.replace_filename(fmt::format("{}-{}{}", name.substr(0, end), n, name.substr(end)));
    }
    const auto files = maskPaths(path.string(), cameras);
    const bool taken = std::any_of(files.begin(), files.end(), [](const std::string& file) {
      std::error_code error;
      return std::filesystem::exists(file, error);
    });
    if (!taken) return path.string();
  }
}

}  // namespace

void Painting::toggle(Context& context) {
  on_ = !on_;
  drag_.reset();
  if (on_) {
    context.frontTab = "Mask";
    context.side = true;
  }
  context.messages.say(on_ ? "painting a mask: drag over what is no marker"
                       : pending(context)
                           ? "what was painted is not used yet: M, then 'Use this mask'"
                           : "mask painting off");
}

bool Painting::unsaved() const {
  return std::any_of(canvases_.begin(), canvases_.end(),
                     [](const MaskCanvas& canvas) { return canvas.unsaved(); });
}

bool Painting::pending(const Context& context) const {
  return unsaved() && (ignored() > 0 || !context.draft.settings().detect.mask.empty());
}

size_t Painting::ignored() const {
  size_t sum = 0;
  for (const MaskCanvas& canvas : canvases_) sum += canvas.ignored();
  return sum;
}

void Painting::follow(Context& context) {
  const std::string mask = context.draft.settings().detect.mask;
  if (mask_ == mask || drag_ || unsaved()) return;
  load(context, mask);
}

void Painting::load(Context& context, const std::string& mask) {
  mask_ = mask;
  canvases_.clear();
  overlays_.assign(context.cameras(), {});
  const auto files = maskPaths(mask, context.cameras());
  for (size_t i = 0; i < context.cameras(); ++i) {
    const ImageFormat& format = formatOf(context, i);
    canvases_.emplace_back(format.width, format.height);
    try {
      if (i < files.size()) canvases_.back().load(files[i]);
    } catch (const Error& error) {
      context.messages.fail(error.what());
    }
  }
}

MaskCanvas& Painting::canvas(const Context& context) {
  return canvases_[context.enlarged.value_or(std::min(last_, canvases_.size() - 1))];
}

void Painting::paint(size_t camera, const View& view) {
  if (!on_ || camera >= canvases_.size()) return;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const ImagePoint at = view.toImage({mouse.x, mouse.y});
  MaskCanvas& mask = canvases_[camera];
  const auto ink =
      measures_ != ImGui::GetIO().KeyShift ? MaskCanvas::Ink::measure : MaskCanvas::Ink::ignore;
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

void Painting::drawOver(ImDrawList& list, const View& view, size_t camera) {
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

/// Into files, which detect.mask names from now on; where nothing is ignored there is no mask.
bool Painting::use(Context& context) {
  if (ignored() == 0) {
    canvases_.clear();
    mask_.reset();
    context.draft.settings().detect.mask.clear();
    context.draft.apply();
    return true;
  }
  const std::string name = freeMaskName(context.draft.history().path(), canvases_.size());
  const auto files = maskPaths(name, canvases_.size());
  try {
    for (size_t i = 0; i < canvases_.size(); ++i) canvases_[i].save(files[i]);
  } catch (const Error& error) {
    context.messages.fail(error.what());
    return false;
  }
  mask_ = name;
  context.draft.settings().detect.mask = name;
  context.draft.apply();
  context.messages.note("the mask is in " + printable(name));
  return true;
}

void Painting::learn(Context& context) {
  const SessionState& state = context.state();
  const uint64_t now = context.player.frame();
  const auto before = static_cast<uint64_t>(std::llround(kLearnSeconds * context.player.rate()));
  learning_ = std::make_unique<MaskLearning>(
      MaskLearningWish{
          .sources = context.task.sources,
          .settings = state.settings,
          .first = now - std::min(now, before),
          .last = std::max(now, std::min<uint64_t>(before, state.length.value_or(1) - 1))},
      context.wake);
}

void Painting::followLearning(Context& context) {
  if (!learning_) return;
  using State = MaskLearning::Progress::State;
  const MaskLearning::Progress progress = learning_->progress();
  if (progress.state == State::running) {
    ImGui::TextUnformatted(
        fmt::format("learning: {} of {} frames", progress.frames, progress.total).c_str());
    return;
  }
  if (!progress.problem.empty()) context.messages.fail(progress.problem);
  const auto masks = learning_->masks();
  size_t before = 0, after = 0;
  for (size_t i = 0; i < std::min(masks.size(), canvases_.size()); ++i) {
    before += canvases_[i].ignored();
    canvases_[i].add(masks[i]);
    after += canvases_[i].ignored();
  }
  if (progress.state == State::done)
    context.messages.note(fmt::format("learned: {} pixels more are ignored", after - before));
  learning_.reset();
}

void Painting::drawTools(Context& context) {
  int tool = static_cast<int>(tool_);
  ImGui::RadioButton("Brush", &tool, 0);
  context.driver.note("mask_brush");
  ImGui::SameLine();
  ImGui::RadioButton("Rectangle", &tool, 1);
  context.driver.note("mask_rectangle");
  tool_ = static_cast<Tool>(tool);
  int ink = measures_ ? 1 : 0;
  ImGui::RadioButton("Ignore", &ink, 0);
  ImGui::SameLine();
  ImGui::RadioButton("Measure again", &ink, 1);
  context.driver.note("mask_measure");
  hint("Shift turns one into the other");
  measures_ = ink == 1;
  ImGui::SetNextItemWidth(-1);
  ImGui::SliderFloat("##radius", &radius_, 0.5F, 200, "brush %.1f px",
                     ImGuiSliderFlags_Logarithmic);
  context.driver.note("mask_radius");
}

/// Invert and clear, undo and redo.
void Painting::drawSteps(Context& context) {
  MaskCanvas& mask = canvas(context);
  if (ImGui::Button("Invert")) mask.invert();
  context.driver.note("mask_invert");
  ImGui::SameLine();
  if (ImGui::Button("Clear")) mask.clear();
  context.driver.note("mask_clear");
  ImGui::SameLine();
  ImGui::BeginDisabled(!mask.canUndo());
  if (ImGui::Button("Undo##mask")) mask.undo();
  context.driver.note("mask_undo");
  ImGui::EndDisabled();
  ImGui::SameLine();
  ImGui::BeginDisabled(!mask.canRedo());
  if (ImGui::Button("Redo##mask")) mask.redo();
  ImGui::EndDisabled();
}

void Painting::drawActions(Context& context) {
  drawSteps(context);
  ImGui::BeginDisabled(learning_ || !context.state().canSeek || context.state().live);
  if (ImGui::Button("Learn")) learn(context);
  context.driver.note("mask_learn");
  ImGui::EndDisabled();
  hint(context.state().live
           ? "Of recordings: record the empty room (frames), and open that"
           : "What shines in most of the last 2 seconds is added: reflections, lamps");
  ImGui::SameLine();
  ImGui::BeginDisabled(!unsaved());
  if (ImGui::Button("Use this mask")) use(context);
  context.driver.note("mask_use");
  ImGui::EndDisabled();
  hint("Saves it as an image, which the settings name from now on");
  followLearning(context);
}

void Painting::draw(Context& context) {
  if (ImGui::Button(on_ ? "Stop painting (M)" : "Paint a mask (M)")) toggle(context);
  context.driver.note("mask_toggle");
  ImGui::TextWrapped("Pixels of the mask are not measured: paint over lamps and reflections.");
  ImGui::TextUnformatted(fmt::format("{} pixels are ignored", ignored()).c_str());
  context.driver.set("mask_ignored", uint64_t{ignored()});
  if (!on_ || canvases_.empty()) return;
  drawTools(context);
  drawActions(context);
}

}  // namespace glint::ui
