// How markers are distributed, with the limits laid on them as handles; and the image's brightness.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <imgui.h>

#include "app/desk/luminance_histogram.h"
#include "app/desk/marker_histograms.h"
#include "ui/colours.h"
#include "ui/panels/area.h"
#include "ui/panels/panels.h"

namespace glint::ui {
namespace {

constexpr size_t kBins = 64;
constexpr ImU32 kFound = IM_COL32(86, 180, 233, 230);

/// The setting of a key, if there is one.
double* settingOf(Settings& settings, std::string_view key) {
  if (key == "detect.min_mass") return &settings.detect.minMass;
  if (key == "detect.min_radius") return &settings.detect.minRadius;
  if (key == "detect.max_radius") return &settings.detect.maxRadius;
  if (key == "detect.max_eccentricity") return &settings.detect.maxEccentricity;
  if (key == "detect.min_significance") return &settings.detect.minSignificance;
  return nullptr;
}

/// What a limit can be in place of `wanted`: the least is never above the most.
double allowed(const Settings& settings, std::string_view key, double wanted) {
  const double limit = std::max(0.0, wanted);
  if (key == "detect.max_eccentricity") return std::min(limit, 1.0);
  if (key == "detect.min_radius") return std::min(limit, settings.detect.maxRadius);
  if (key == "detect.max_radius") return std::max(limit, settings.detect.minRadius);
  return limit;
}

struct Plot {
  ImVec2 from, to;
  float x(double place) const {
    return from.x + (to.x - from.x) * static_cast<float>(std::clamp(place, 0.0, 1.0));
  }
  double place(float px) const { return std::clamp((px - from.x) / (to.x - from.x), 0.0F, 1.0F); }
};

Plot beginPlot(float height) {
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x - 4;
  ImGui::GetWindowDrawList()->AddRectFilled(from, {from.x + width, from.y + height},
                                            IM_COL32(20, 22, 27, 255), 3);
  return {from, {from.x + width, from.y + height}};
}

void drawBars(const Plot& plot, const std::vector<uint32_t>& low,
              const std::vector<uint32_t>& high) {
  uint32_t most = 1;
  for (size_t i = 0; i < low.size(); ++i) most = std::max(most, low[i] + high[i]);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float width = (plot.to.x - plot.from.x) / static_cast<float>(low.size());
  const float height = plot.to.y - plot.from.y - 2;
  for (size_t i = 0; i < low.size(); ++i) {
    const float x = plot.from.x + width * static_cast<float>(i);
    const float a = height * static_cast<float>(low[i]) / static_cast<float>(most);
    const float b = height * static_cast<float>(high[i]) / static_cast<float>(most);
    if (a > 0) list.AddRectFilled({x, plot.to.y - a}, {x + width - 0.5F, plot.to.y}, kFound);
    if (b > 0)
      list.AddRectFilled({x, plot.to.y - a - b}, {x + width - 0.5F, plot.to.y - a}, kRejected);
  }
}

/// A line that can be dragged; whether it was.
bool drawHandle(Context& context, const Plot& plot, const std::string& name, double place,
                double& wanted, ImU32 usual = kWarning) {
  const float x = plot.x(place);
  ImGui::SetCursorScreenPos({x - 6, plot.from.y});
  ImGui::InvisibleButton(name.c_str(), {12, plot.to.y - plot.from.y});
  context.driver.note("handle:" + name);
  const bool held = ImGui::IsItemActive();
  if (held || ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 colour = held ? IM_COL32_WHITE : usual;
  list.AddLine({x, plot.from.y}, {x, plot.to.y}, colour, 2);
  list.AddTriangleFilled({x - 5, plot.from.y}, {x + 5, plot.from.y}, {x, plot.from.y + 7}, colour);
  if (!held || ImGui::GetIO().MouseDelta.x == 0) return false;
  wanted = plot.place(ImGui::GetIO().MousePos.x);
  return true;
}

/// Beside the cursor.
void explainLimit(Context& context, std::string_view key, double value, const std::string& unit) {
  const std::string unused = whyUnused(key, context.draft.settings(), context.state().live);
  const std::string words = fmt::format("{} {:.4g}{}{}", key, value, unit.empty() ? "" : " ", unit);
  ImGui::SetTooltip("%s%s", words.c_str(),
                    unused.empty() ? "" : ("\nHas no effect now: it " + unused + ".").c_str());
  context.driver.set("limit_told", words);
}

void drawQuantity(Context& context, const MarkerHistograms& all, MarkerQuantity quantity) {
  SettingsDraft& draft = context.draft;
  MarkerHistogram histogram = all.histogram(quantity, kBins);
  const LimitKeys keys = limitsOf(quantity);
  const std::string unit(unitOf(quantity));
  ImGui::TextUnformatted(std::string(nameOf(quantity)).c_str());
  ImGui::SameLine();
  ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(kFaint), "%.4g to %.4g %s%s", histogram.least,
                     histogram.most, unit.c_str(), histogram.logarithmic ? ", logarithmic" : "");
  ImGui::PushID(static_cast<int>(quantity));
  const Plot plot = beginPlot(ImGui::GetFontSize() * 3.6F);
  drawBars(plot, histogram.found, histogram.rejected);
  for (const std::string_view key : {keys.least, keys.most}) {
    double* value = settingOf(draft.settings(), key);
    if (!value) continue;
    double wanted = 0;
    const bool dragged =
        drawHandle(context, plot, std::string(key), histogram.place(*value), wanted);
    const bool pointedAt = ImGui::IsItemHovered() || ImGui::IsItemActive();
    if (ImGui::IsItemDeactivated()) draft.endStep();
    if (dragged) {
      *value = allowed(draft.settings(), key, histogram.value(wanted));
      draft.apply();
    }
    if (pointedAt) explainLimit(context, key, *value, unit);
  }
  ImGui::PopID();
  ImGui::SetCursorScreenPos({plot.from.x, plot.to.y + 6});
}

/// Of the pixels that are shown; looked at ten times a second at the most.
const LuminanceHistogram* brightnessOf(Context& context, size_t camera) {
  const auto image = pixelsOf(context, camera);
  if (!image) return nullptr;
  Brightness& known = context.brightness;
  const auto now = Brightness::Clock::now();
  const bool same = known.frame == context.shown.frame && known.camera == camera;
  const bool late = now - known.looked >= std::chrono::milliseconds(100);
  if (same || (!late && context.player.playing() && known.camera == camera && known.frame))
    return &known.histogram;
  const uint32_t step = image->format.pixels() > 300'000 ? 3 : 1;
  known = {context.shown.frame, camera, now, luminanceHistogram(*image, step)};
  return &known.histogram;
}

/// What a marker must reach, on the axis of luminance: 0 to 1. Dark markers are sought in the
/// inverted image.
void drawThreshold(Context& context, const Plot& plot, size_t camera, double fullScale) {
  Settings& settings = context.draft.settings();
  const bool dark = settings.response.dark || settings.response.kind == ResponseKind::inverted;
  const double measured =
      static_cast<double>(context.shown.cameras[camera].measured.threshold) / fullScale;
  const double now = settings.detect.threshold.value_or(measured);
  double wanted = 0;
  constexpr ImU32 kThreshold = IM_COL32(38, 217, 89, 255);
  const bool dragged =
      drawHandle(context, plot, "detect.threshold", dark ? 1 - now : now, wanted, kThreshold);
  if (ImGui::IsItemDeactivated()) context.draft.endStep();
  if (ImGui::IsItemHovered() || ImGui::IsItemActive())
    ImGui::SetTooltip("detect.threshold%s %.3f of full scale: of the response, on this axis",
                      settings.detect.threshold ? "" : " auto, now", now);
  if (!dragged) return;
  settings.detect.threshold = std::clamp(dark ? 1 - wanted : wanted, 0.0, 1.0);
  context.draft.apply();
}

void drawBrightness(Context& context) {
  const size_t camera = context.enlarged.value_or(0);
  const LuminanceHistogram* known = brightnessOf(context, camera);
  if (!known) return;
  const LuminanceHistogram& histogram = *known;
  ImGui::TextUnformatted("luminance");
  ImGui::SameLine();
  ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(kFaint), "threshold; black and white");
  ImGui::SameLine(ImGui::GetContentRegionAvail().x - ImGui::GetFontSize() * 5.5F);
  if (ImGui::SmallButton("fit")) {
    const DisplayRange range = fittedRange(histogram);
    context.black = static_cast<float>(range.black / histogram.fullScale());
    context.white = static_cast<float>(range.white / histogram.fullScale());
  }
  context.driver.note("levels_fit");
  ImGui::SameLine();
  if (ImGui::SmallButton("reset")) {
    context.black = 0;
    context.white = 1;
  }
  const Plot plot = beginPlot(ImGui::GetFontSize() * 3.6F);
  std::vector<uint32_t> shown;  // few markers beside many dark pixels: by their magnitude
  for (const uint64_t count : histogram.binned(128))
    shown.push_back(static_cast<uint32_t>(100 * std::log2(1.0 + static_cast<double>(count))));
  drawBars(plot, shown, std::vector<uint32_t>(shown.size(), 0));
  drawThreshold(context, plot, camera, histogram.fullScale());
  double wanted = 0;
  if (drawHandle(context, plot, "black", static_cast<double>(context.black), wanted))
    context.black = std::min(static_cast<float>(wanted), context.white - 0.004F);
  if (drawHandle(context, plot, "white", static_cast<double>(context.white), wanted))
    context.white = std::max(static_cast<float>(wanted), context.black + 0.004F);
  ImGui::SetCursorScreenPos({plot.from.x, plot.to.y + 6});
}

}  // namespace

void drawHistograms(Context& context) {
  MarkerHistograms all;
  std::vector<const LayerMeasurement*> cameras;
  for (const CameraFrame& camera : context.shown.cameras) cameras.push_back(&camera.measured);
  if (!cameras.empty()) all.add(cameras);
  ImGui::Text("found %zu", all.found());
  ImGui::SameLine(0, 16);
  if (context.overlay.rejected) {
    ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(kRejected), "rejected %zu", all.rejected());
  } else {
    if (ImGui::SmallButton("show rejected")) perform(context, Action::rejected);
    hint("Candidates that are no markers, in the image and here (C)");
  }
  ImGui::BeginChild("plots");
  drawBrightness(context);
  for (const MarkerQuantity quantity : kMarkerQuantities) drawQuantity(context, all, quantity);
  ImGui::EndChild();
}

}  // namespace glint::ui
