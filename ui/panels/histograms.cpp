#include "ui/panels/histograms.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <type_traits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/shell/desk/marker_histograms.h"
#include "config/setting_key.h"
#include "ui/draw/widgets.h"
#include "ui/model/rejections.h"

namespace glint::ui {
namespace {

constexpr size_t kBins = 64;
// Heights in font sizes: the smallest and largest plot, and the words above and below it.
constexpr float kLeastPlot = 3.6F, kMostPlot = 7, kWords = 2.8F;
constexpr ImU32 kFound = IM_COL32(86, 180, 233, 230);

/// A limit among the settings, with the value that stands for something else, such as no limit.
struct Limit {
  double* value = nullptr;  ///< nullptr: there is no such limit
  Range<double> range;
  Special special;

  /// Returns the text beside the limit's handle: its value, such as "5", or the words that stand
  /// for it.
  std::string text() const {
    return *value == special.value ? std::string(special.words) : fmt::format("{:.4g}", *value);
  }
};

/// Returns the limit that `key` sets.
Limit limitOf(Settings& settings, std::string_view key) {
  Limit limit;
  describe(settings, [&](const auto& s) {
    if constexpr (std::is_same_v<std::decay_t<decltype(s.value)>, double>)
      if (s.key == key) limit = {&s.value, s.range, s.special};
  });
  return limit;
}

/// Returns the allowed value that is nearest to `wanted`. The lower limit never exceeds the upper
/// one.
double allowed(const Settings::Detect& settings, const gpu::MarkerQuantity& quantity, bool isLeast,
               Range<double> range, double wanted) {
  if (isLeast && quantity.most.value != nullptr) range.most = settings.*quantity.most.value;
  if (!isLeast && quantity.least.value != nullptr) range.least = settings.*quantity.least.value;
  return std::clamp(wanted, range.least, range.most);
}

double placeUnderCursor(const Plot& plot) {
  return std::clamp((ImGui::GetIO().MousePos.x - plot.from.x) / plot.width(), 0.0F, 1.0F);
}

/// Draws a value beside a handle, on the side on which it fits into the plot.
void drawValue(ImDrawList& list, const Plot& plot, float x, const std::string& value, bool left) {
  const ImVec2 size = ImGui::CalcTextSize(value.c_str());
  const float before = x - 6 * unit() - size.x, after = x + 6 * unit();
  const bool atLeft = (left && before > plot.from.x) || after + size.x > plot.to.x;
  const ImVec2 at{std::round(atLeft ? before : after), plot.from.y + 2};
  list.AddRectFilled({at.x - 2, at.y}, {at.x + size.x + 2, at.y + size.y},
                     IM_COL32(20, 22, 27, 200));
  list.AddText(at, kText, value.c_str());
}

/// Returns up to about five round values as marks below the plot.
std::vector<double> ticksOf(const shell::MarkerHistogram& histogram) {
  std::vector<double> ticks;
  if (histogram.logarithmic) {
    const double first = std::pow(10, std::ceil(std::log10(histogram.least) - 1e-9));
    const double decades = std::log10(histogram.most / histogram.least);
    const double step = std::pow(10, std::max(1.0, std::ceil(decades / 5)));
    for (double value = first; value <= histogram.most * 1.000001; value *= step)
      ticks.push_back(value);
    return ticks;
  }
  const double span = histogram.most - histogram.least;
  const double power = std::pow(10, std::floor(std::log10(span)));
  double step = power;
  for (const double share : {1.0, 0.5, 0.2, 0.1})
    if (span / (share * power) <= 5.001) step = share * power;
  for (double value = histogram.least; value <= histogram.most + step * 1e-6; value += step)
    ticks.push_back(std::abs(value) < step * 1e-6 ? 0 : value);
  return ticks;
}

void drawTicks(const Plot& plot, const shell::MarkerHistogram& histogram) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  float free = plot.from.x - 1;  // px, the place up to which words were written
  for (const double value : ticksOf(histogram)) {
    const float x =
        std::round(plot.from.x + plot.width() * static_cast<float>(histogram.place(value)));
    const std::string words = fmt::format("{:.6g}", value);
    const float wide = ImGui::CalcTextSize(words.c_str()).x;
    const float left = std::clamp(std::round(x - wide / 2), plot.from.x, plot.to.x - wide);
    list.AddLine({x, plot.to.y}, {x, plot.to.y + 3 * unit()}, kFaint, unit());
    if (left < free) continue;
    list.AddText({left, plot.to.y + 3 * unit()}, kFaint, words.c_str());
    free = left + wide + ImGui::GetFontSize() / 2;
  }
}

/// Draws a line that can be dragged, with its value at its left or right. Returns true if it was
/// dragged.
bool drawHandle(const Plot& plot, const std::string& name, double place, double& wanted,
                ImU32 usual = kWarning, const std::string& value = {}, bool left = false) {
  const float x = plot.from.x + plot.width() * static_cast<float>(std::clamp(place, 0.0, 1.0));
  const float wing = 5 * unit(), grip = 6 * unit();
  ImGui::SetCursorScreenPos({x - grip, plot.from.y});
  invisibleButton("handle:" + name, {2 * grip, plot.to.y - plot.from.y});
  const bool held = ImGui::IsItemActive();
  if (held || ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 colour = held ? IM_COL32_WHITE : usual;
  list.AddLine({x, plot.from.y}, {x, plot.to.y}, colour, 2 * unit());
  list.AddTriangleFilled({x - wing, plot.from.y}, {x + wing, plot.from.y},
                         {x, plot.from.y + 1.4F * wing}, colour);
  if (!value.empty()) drawValue(list, plot, x, value, left);
  if (!held || ImGui::GetIO().MouseDelta.x == 0) return false;
  wanted = placeUnderCursor(plot);
  return true;
}

/// Draws one quantity with its limits. Sets `pointedLimit` if a limit is under the cursor.
void drawQuantity(const shell::MarkerHistograms& all, const gpu::MarkerQuantity& quantity,
                  WindowModel& model, float height, std::string& pointedLimit) {
  SettingsDraft& draft = model.draft;
  shell::MarkerHistogram histogram = all.histogram(quantity, kBins);
  const std::string unit(quantity.unit), name(quantity.name);
  ImGui::TextUnformatted(name.c_str());
  ImGui::SameLine();
  faint(unit + (histogram.logarithmic ? ", logarithmic" : ""));
  ImGui::PushID(name.c_str());
  const Plot plot = beginPlot(height);
  plot.drawBars(histogram.found, kFound, histogram.rejected, kRejected);
  drawTicks(plot, histogram);
  for (const bool isLeast : {true, false}) {
    const std::string_view key = (isLeast ? quantity.least : quantity.most).key;
    const Limit limit = limitOf(draft.settings(), key);
    if (!limit.value) continue;
    double wanted = 0;
    const bool dragged = drawHandle(plot, std::string(key), histogram.place(*limit.value), wanted,
                                    kWarning, limit.text(), !isLeast);
    const bool pointedAt = ImGui::IsItemHovered() || ImGui::IsItemActive();
    if (ImGui::IsItemDeactivated()) draft.endStep();
    if (dragged) {
      *limit.value =
          allowed(draft.settings().detect, quantity, isLeast, limit.range, histogram.value(wanted));
      draft.apply();
    }
    if (!pointedAt) continue;  // an explanation follows beside the cursor
    const std::string unused = whyUnused(key, draft.settings(), model.state().live);
    pointedLimit = fmt::format("{} {:.4g}{}{}", key, *limit.value, unit.empty() ? "" : " ", unit);
    ImGui::SetTooltip("%s: %s %s%s", labelOf(key).c_str(), limit.text().c_str(), unit.c_str(),
                      unused.empty() ? "" : ("\nHas no effect now: it " + unused + ".").c_str());
  }
  ImGui::PopID();
  ImGui::SetCursorScreenPos({plot.from.x, plot.to.y + ImGui::GetFontSize() * 1.4F});
}

/// Returns the histogram of the pixels that are shown, which is updated at most ten times a second.
/// Null if the host does not have the pixels.
const shell::LuminanceHistogram* brightnessOf(const WindowModel& model, size_t camera,
                                              Brightness& known) {
  const auto image = model.shown.pixels(model.place(camera));
  if (!image) return nullptr;
  const double now = monotonicSeconds();
  const bool same = known.frame == model.shown.frame && known.camera == camera;
  const bool late = now - known.readAt >= 0.1;
  if (same || (!late && model.playing() && known.camera == camera && known.frame))
    return &known.histogram;
  const uint32_t step = image->format.pixels() > 300'000 ? 3 : 1;
  known = {model.shown.frame, camera, now, shell::luminanceHistogram(*image, step)};
  return &known.histogram;
}

/// Draws the threshold as a handle on the axis of luminance, 0 to 1. Dark markers are searched in
/// the inverted image.
void drawThreshold(const Plot& plot, double measured, SettingsDraft& draft) {
  Settings& settings = draft.settings();
  const bool dark = settings.response.dark || settings.response.kind == ResponseKind::inverted;
  const double now = settings.detect.threshold.value_or(measured);
  double wanted = 0;
  constexpr ImU32 kThreshold = IM_COL32(38, 217, 89, 255);
  const bool dragged = drawHandle(
      plot, std::string("detect.threshold"_key), dark ? 1 - now : now, wanted, kThreshold,
      fmt::format("{:.3f}{}", now, settings.detect.threshold ? "" : " auto"));
  if (ImGui::IsItemDeactivated()) draft.endStep();
  if (ImGui::IsItemHovered() || ImGui::IsItemActive())
    ImGui::SetTooltip("Threshold%s %.3f of full scale: of the response, on this axis",
                      settings.detect.threshold ? "" : " auto, now", now);
  if (!dragged) return;
  settings.detect.threshold = std::clamp(dark ? 1 - wanted : wanted, 0.0, 1.0);
  draft.apply();
}

void drawBrightness(WindowModel& model, ViewState& viewState, Brightness& brightness,
                    float height) {
  const size_t camera = viewState.enlarged.value_or(0);
  const shell::LuminanceHistogram* known = brightnessOf(model, camera, brightness);
  if (!known) return;
  const shell::LuminanceHistogram& histogram = *known;
  ImGui::TextUnformatted("luminance");
  ImGui::SameLine();
  const float buttons = ImGui::GetFontSize() * 6.3F;
  textThatFits(kFaint, "threshold; black and white", ImGui::GetContentRegionAvail().x - buttons);
  ImGui::SameLine(ImGui::GetContentRegionAvail().x - buttons);
  if (smallButton("levels_fit", "Fit")) {
    const shell::DisplayRange range = shell::fittedRange(histogram);
    viewState.black = static_cast<float>(range.black / histogram.fullScale());
    viewState.white = static_cast<float>(range.white / histogram.fullScale());
  }
  ImGui::SameLine();
  if (ImGui::SmallButton("Reset")) {
    viewState.black = 0;
    viewState.white = 1;
  }
  const Plot plot = beginPlot(height);
  // Shows counts by their magnitude, because few markers are beside many dark pixels.
  std::vector<uint32_t> shown;
  for (const uint64_t count : histogram.binned(128))
    shown.push_back(static_cast<uint32_t>(100 * std::log2(1.0 + static_cast<double>(count))));
  plot.drawBars(shown, kFound);
  const gpu::LayerMeasurement& measured = *model.tracks.cameras()[camera].measured;
  drawThreshold(plot, static_cast<double>(measured.threshold) / histogram.fullScale(), model.draft);
  double wanted = 0;
  if (drawHandle(plot, "black", static_cast<double>(viewState.black), wanted))
    viewState.black = std::min(static_cast<float>(wanted), viewState.white - 0.004F);
  if (drawHandle(plot, "white", static_cast<double>(viewState.white), wanted))
    viewState.white = std::max(static_cast<float>(wanted), viewState.black + 0.004F);
  ImGui::SetCursorScreenPos({plot.from.x, plot.to.y + wholePx(6)});
}

/// Returns words about the rejected candidates: as many as small x are in the image. Only those
/// that were measured are in the plots.
std::string rejectedWords(const std::vector<const gpu::LayerMeasurement*>& cameras) {
  size_t shown = 0, measured = 0;
  for (const gpu::LayerMeasurement* camera : cameras) {
    for (const gpu::Rejected& rejected : camera->rejected) {
      if (isPartOfMarker(*camera, rejected)) continue;
      ++shown;
      if (rejected.measured) ++measured;
    }
  }
  return measured == shown ? fmt::format("{} rejected", shown)
                           : fmt::format("{} rejected, {} of them measured", shown, measured);
}

}  // namespace

void LimitsPanel::draw(Context& context) {
  WindowModel& model = context.model;
  ViewState& viewState = context.viewState;
  Displayed& displayed = displayed_.begin();
  shell::MarkerHistograms all;
  std::vector<const gpu::LayerMeasurement*> cameras;
  const auto& known = model.tracks.cameras();
  for (size_t i = 0; i < known.size(); ++i)
    if (!viewState.enlarged || *viewState.enlarged == i) cameras.push_back(known[i].measured);
  if (!cameras.empty()) all.add(cameras);
  displayed.counts = fmt::format("{} found", all.found());
  ImGui::TextUnformatted(displayed.counts.c_str());
  beside(16);
  if (viewState.overlay.rejected) {
    const std::string words = rejectedWords(cameras);
    text(kRejected, words);
    displayed.counts += ", " + words;
  } else {
    if (ImGui::SmallButton("Show rejected")) context.actions.perform(Action::rejected);
    hint("Rejected candidates, in the image and here (C)");
  }
  ImGui::BeginChild("plots");
  const float em = ImGui::GetFontSize();
  const float each =
      ImGui::GetContentRegionAvail().y / (1 + static_cast<float>(gpu::markerQuantities().size()));
  const float height = std::floor(std::clamp(each - kWords * em, kLeastPlot * em, kMostPlot * em));
  drawBrightness(model, viewState, brightness_, height);
  for (const gpu::MarkerQuantity& quantity : gpu::markerQuantities())
    drawQuantity(all, quantity, model, height, displayed.limit);
  ImGui::EndChild();
}

void LimitsPanel::describe(nlohmann::json& to) const {
  const Displayed displayed = displayed_.get();
  to["limit_counts"] = displayed.counts;
  if (!displayed.limit.empty()) to["limit_told"] = displayed.limit;
}

}  // namespace glint::ui
