// The chain of filters that frames go through, with their parameters as their files declare them.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <imgui.h>

#include "config/error.h"
#include "config/filter_catalog.h"
#include "config/filter_use.h"
#include "ui/colours.h"
#include "ui/panels/area.h"
#include "ui/panels/panels.h"

namespace glint::ui {
namespace {

using filters::Parameter;

std::string readable(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

/// Puts `uses` into force, unless they do not fit each other: that is told.
bool take(Context& context, FilterUses uses) {
  try {
    filters::check(uses, "filters");
  } catch (const Error& error) {
    context.messages.fail(error.what());
    return false;
  }
  context.draft.settings().filters = std::move(uses);
  context.draft.apply();
  context.draft.endStep();
  return true;
}

bool editNumber(const Parameter& p, double& value) {
  const double most = std::max(p.sliderMost, p.sliderLeast + 1e-9);
  std::string format = p.kind == Parameter::Kind::whole ? "%.0f" : "%.4g";
  if (!p.unit.empty()) format += " " + (p.unit == "%" ? std::string("%%") : p.unit);
  if (!ImGui::SliderScalar("##v", ImGuiDataType_Double, &value, &p.sliderLeast, &most,
                           format.c_str(), ImGuiSliderFlags_AlwaysClamp))
    return false;
  if (p.kind == Parameter::Kind::whole) value = std::round(value);
  value = std::clamp(value, p.least, p.most);
  return true;
}

bool editChoice(const Parameter& p, double& value) {
  const auto chosen = std::min(static_cast<size_t>(value), p.choices.size() - 1);
  if (!ImGui::BeginCombo("##v", p.choices[chosen].c_str())) return false;
  bool changed = false;
  for (size_t i = 0; i < p.choices.size(); ++i) {
    if (!ImGui::Selectable(p.choices[i].c_str(), i == chosen)) continue;
    value = static_cast<double>(i);
    changed = true;
  }
  ImGui::EndCombo();
  return changed;
}

bool editValue(const Parameter& p, std::vector<double>& value) {
  if (p.isList())
    return ImGui::InputScalarN("##v", ImGuiDataType_Double, value.data(),
                               static_cast<int>(value.size()), nullptr, nullptr, "%.4g",
                               ImGuiInputTextFlags_EnterReturnsTrue);
  if (p.kind == Parameter::Kind::choice) return editChoice(p, value.front());
  if (p.kind != Parameter::Kind::toggle) return editNumber(p, value.front());
  bool on = value.front() != 0;
  if (!ImGui::Checkbox("##v", &on)) return false;
  value.front() = on ? 1 : 0;
  return true;
}

void drawParameter(Context& context, FilterUse& use, const Parameter& p) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::PushID(p.name.c_str());
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(readable(p.name).c_str());
  hint((p.help + "\n" + p.allowed()).c_str());
  ImGui::TableNextColumn();
  ImGui::SetNextItemWidth(-1);
  if (use.driven.contains(p.name)) {
    ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(kFaint), "%s",
                       filters::printValue(use, p).c_str());
  } else {
    std::vector<double> value = filters::valueOf(use, p);
    if (editValue(p, value)) {
      use.values[p.name] = std::move(value);
      context.draft.apply();
    }
    if (ImGui::IsItemDeactivatedAfterEdit()) context.draft.endStep();
  }
  context.driver.note("set:filter." + use.id + "." + p.name);
  ImGui::PopID();
}

/// Its name with a switch and, while it is on, its parameters. Whether the switch was pressed.
bool drawUse(Context& context, FilterUse& use, bool on) {
  const filters::Head& head = filters::catalog().get(use.name, "filters").head;
  ImGui::PushID(use.id.c_str());
  bool stays = on;
  const std::string label = use.id == use.name ? use.id : use.id + " (" + use.name + ")";
  const bool pressed = ImGui::Checkbox(label.c_str(), &stays);
  context.driver.note("filter:" + use.id);
  hint(head.help.c_str());
  if (on && ImGui::BeginTable("parameters", 2, ImGuiTableFlags_SizingFixedFit)) {
    ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthFixed, ImGui::GetFontSize() * 9.5F);
    ImGui::TableSetupColumn("value", ImGuiTableColumnFlags_WidthStretch);
    for (const Parameter& p : head.parameters) drawParameter(context, use, p);
    ImGui::EndTable();
  }
  ImGui::PopID();
  return pressed;
}

void drawAdd(Context& context) {
  ImGui::SetNextItemWidth(-1);
  const bool open = ImGui::BeginCombo("##add", "Add a filter ...");
  if (!open) return context.driver.note("add_filter");
  for (const filters::Filter* filter : filters::catalog().all()) {
    const filters::Head& head = filter->head;
    if (!head.inputs.empty()) continue;  // which image it reads the command line tells
    if (head.feeds == filters::Head::Feeds::view) continue;  // no markers are sought behind it
    const bool chosen = ImGui::Selectable(head.name.c_str());
    context.driver.note("add:" + head.name);
    hint(head.help.c_str());
    if (!chosen) continue;
    FilterUses uses = context.draft.settings().filters;
    const auto taken = [&](const std::string& id) {
      return std::any_of(uses.begin(), uses.end(), [&](const auto& use) { return use.id == id; });
    };
    FilterUse added{.id = head.name, .name = head.name};
    for (int number = 2; taken(added.id); ++number)
      added.id = fmt::format("{}{}", head.name, number);
    uses.push_back(std::move(added));
    take(context, std::move(uses));
  }
  ImGui::EndCombo();
}

void drawChain(Context& context) {
  FilterUses& uses = context.draft.settings().filters;
  auto& off = context.filtersOff;
  std::erase_if(off, [&](const auto& entry) {  // it came back by undo
    return std::any_of(uses.begin(), uses.end(),
                       [&](const FilterUse& use) { return use.id == entry.second.id; });
  });
  for (size_t i = 0; i <= uses.size(); ++i) {
    for (auto entry = off.begin(); entry != off.end(); ++entry) {
      if (std::min(entry->first, uses.size()) != i || !drawUse(context, entry->second, false))
        continue;
      FilterUses more = uses;
      more.insert(more.begin() + static_cast<std::ptrdiff_t>(i), entry->second);
      if (take(context, std::move(more))) off.erase(entry);
      return;
    }
    if (i == uses.size() || !drawUse(context, uses[i], true)) continue;
    FilterUses fewer = uses;
    const FilterUse gone = fewer[i];
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    if (take(context, std::move(fewer))) off.emplace_back(i, gone);
    return;
  }
  drawAdd(context);
}

}  // namespace

void drawFilters(Context& context) {
  if (!context.draft.settings().filters.empty()) ImGui::SetNextItemOpen(true, ImGuiCond_Once);
  const bool open = ImGui::CollapsingHeader("Filters");
  context.driver.note("filters");
  hint("What frames go through before markers are sought");
  if (open) drawChain(context);
}

}  // namespace glint::ui
