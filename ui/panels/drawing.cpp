#include "ui/panels/drawing.h"

#include "ui/draw/number_field.h"
#include "ui/draw/widgets.h"

namespace glint::ui {

void DrawingPanel::draw(Context& context) {
  ViewState& viewState = context.viewState;
  OverlayOptions& overlay = viewState.overlay;
  ImGui::TextUnformatted("Brightness of the image (1: full scale)");
  const ImGuiStyle& style = ImGui::GetStyle();
  ImGui::SetNextItemWidth(-buttonWidth("Reset") - style.ItemSpacing.x - style.ItemInnerSpacing.x);
  ImGui::PushID("##levels");
  typeWithPoints("##min");
  typeWithPoints("##max");
  ImGui::PopID();
  named("levels",
        ImGui::DragFloatRange2("##levels", &viewState.black, &viewState.white, 0.002F, 0, 1,
                               "black %.3f", "white %.3f", ImGuiSliderFlags_AlwaysClamp));
  ImGui::SameLine();
  if (ImGui::Button("Reset")) {
    viewState.black = 0;
    viewState.white = 1;
  }
  if (viewState.white < viewState.black + 0.001F) viewState.white = viewState.black + 0.001F;
  ImGui::Separator();
  checkbox(
      "draw_markers", "Markers", overlay.markers,
      "Circles show the measured radius, dashed circles the expected positions of hidden markers, "
      "corners: no track yet");
  ImGui::Checkbox("Numbers (N)", &overlay.ids);
  ImGui::Checkbox("Trails (T)", &overlay.trails);
  if (overlay.trails) {
    ImGui::SameLine();
    constexpr NumberField kSeconds{.least = 0.1,
                                   .most = Trails::kMostSeconds,
                                   .sliderLeast = 0.1,
                                   .sliderMost = Trails::kMostSeconds,
                                   .unit = "s"};
    editNumber("trail_seconds", overlay.trailSeconds, kSeconds);
  }
  ImGui::Checkbox("Gates (G)", &overlay.gates);
  hint("Shows where each track was searched for in this frame");
  ImGui::Checkbox("Uncertainty, enlarged (U)", &overlay.uncertainty);
  hint(
      "Ellipses of the uncertainty, enlarged until most are visible outside the markers' circles. "
      "The view shows the factor");
  ImGui::Checkbox("Masks", &overlay.masks);
  hint("Pixels that are ignored (M paints them)");
  bool rejected = overlay.rejected;
  if (ImGui::Checkbox("Rejected candidates (C)", &rejected))
    context.actions.perform(Action::rejected);
  hint("Rejected candidates; point at one to see why");
}

}  // namespace glint::ui
