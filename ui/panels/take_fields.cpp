#include "ui/panels/take_fields.h"

#include <vector>

#include "ui/draw/widgets.h"

namespace glint::ui {
namespace {

constexpr float kFieldWidth = 8;  // font sizes

/// Draws a list with two entries. Returns true if the other one was chosen. `second` is true if the
/// second one is chosen.
bool chooseOf(const std::string& name, const std::vector<std::string>& entries, bool enabled,
              bool& second, const std::string& about) {
  size_t chosen = second ? 1 : 0;
  ImGui::BeginDisabled(!enabled);
  ImGui::SetNextItemWidth(ImGui::GetFontSize() * kFieldWidth);
  const bool changed = named(name, choose(("##" + name).c_str(), entries, chosen));
  hint(about);
  ImGui::EndDisabled();
  second = chosen == 1;
  return changed;
}

}  // namespace

bool drawTakeFields(const std::string& prefix, const output::OutputChoice& choice, bool bodies,
                    output::TakeOptions& options) {
  const output::TakeOptions all{.up = output::UpAxis::y, .metres = true, .numbered = true};
  const output::TakeOptions allowed = output::allowedOptions(all, choice);
  bool up = options.up == output::UpAxis::y, metres = options.metres.value_or(false);
  bool changed = chooseOf(prefix + "_up", {"z up", "y up"}, allowed.up.has_value(), up,
                          "From z to y, (x, y, z) becomes (x, z, -y)");
  beside(6);
  changed |= chooseOf(prefix + "_unit", {"mm", "m"}, allowed.metres.has_value(), metres,
                      "Unit of lengths in the file");
  options.up = up ? std::optional(output::UpAxis::y) : std::nullopt;
  options.metres = metres ? std::optional(true) : std::nullopt;
  if (!bodies) return changed;
  beside(6);
  changed |= chooseOf(prefix + "_names", {"body:marker", "point numbers"}, allowed.numbered,
                      options.numbered, "Names of those points that are markers of bodies");
  return changed;
}

}  // namespace glint::ui
