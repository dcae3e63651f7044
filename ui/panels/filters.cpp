// The chain of filters that frames go through, with their parameters as their files declare them.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "config/error.h"
#include "config/filter_catalog.h"
#include "config/filter_use.h"
#include "ui/draw/widgets.h"
#include "ui/panels/panels.h"

namespace glint::ui {
namespace {

using filters::Parameter;

std::string readable(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

/// Puts `uses` into force, unless they do not fit each other: that is told.
bool take(SettingsDraft& draft, Messages& messages, FilterUses uses) {
  try {
    filters::check(uses, "filters");
  } catch (const Error& error) {
    messages.fail(error.what());
    return false;
  }
  draft.settings().filters = std::move(uses);
  draft.apply();
  draft.endStep();
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

bool editValue(const Parameter& p, std::vector<double>& value) {
  if (p.isList())
    return ImGui::InputScalarN("##v", ImGuiDataType_Double, value.data(),
                               static_cast<int>(value.size()), nullptr, nullptr, "%.4g",
                               ImGuiInputTextFlags_EnterReturnsTrue);
  if (p.kind == Parameter::Kind::choice) {
    auto chosen = std::min(static_cast<size_t>(value.front()), p.choices.size() - 1);
    const bool changed = choose("##v", p.choices, chosen);
    value.front() = static_cast<double>(chosen);
    return changed;
  }
  if (p.kind != Parameter::Kind::toggle) return editNumber(p, value.front());
  bool on = value.front() != 0;
  if (!ImGui::Checkbox("##v", &on)) return false;
  value.front() = on ? 1 : 0;
  return true;
}

void drawParameter(SettingsDraft& draft, FilterUse& use, const Parameter& p) {
  nextRow();
  ImGui::PushID(p.name.c_str());
  ImGui::TextUnformatted(readable(p.name).c_str());
  hint(p.help + "\n" + p.allowed());
  nextValue();
  if (use.driven.contains(p.name)) {
    faint(filters::printValue(use, p));
  } else {
    std::vector<double> value = filters::valueOf(use, p);
    if (editValue(p, value)) {
      use.values[p.name] = std::move(value);
      draft.apply();
    }
    if (ImGui::IsItemDeactivatedAfterEdit()) draft.endStep();
  }
  named("set:filter." + use.id + "." + p.name);
  ImGui::PopID();
}

/// Its name with a switch and, while it is on, its parameters. Whether the switch was pressed.
bool drawUse(SettingsDraft& draft, FilterUse& use, bool on) {
  const filters::Head& head = filters::catalog().get(use.name, "filters").head;
  ImGui::PushID(use.id.c_str());
  bool stays = on;
  const std::string label = use.id == use.name ? use.id : use.id + " (" + use.name + ")";
  const bool pressed = checkbox("filter:" + use.id, label.c_str(), stays, head.help);
  if (on && beginValues("parameters")) {
    for (const Parameter& p : head.parameters) drawParameter(draft, use, p);
    ImGui::EndTable();
  }
  ImGui::PopID();
  return pressed;
}

void drawAdd(SettingsDraft& draft, Messages& messages) {
  ImGui::SetNextItemWidth(-1);
  const bool open = ImGui::BeginCombo("##add", "Add a filter ...");
  if (!open) {
    named("add_filter");
    return;
  }
  for (const filters::Filter* filter : filters::catalog().all()) {
    const filters::Head& head = filter->head;
    if (!head.inputs.empty()) continue;  // which image it reads the command line tells
    if (head.feeds == filters::Head::Feeds::view) continue;  // no markers are sought behind it
    const bool chosen = selectable("add:" + head.name, head.name);
    hint(head.help);
    if (!chosen) continue;
    FilterUses uses = draft.settings().filters;
    const auto taken = [&](const std::string& id) {
      return std::any_of(uses.begin(), uses.end(), [&](const auto& use) { return use.id == id; });
    };
    FilterUse added{.id = head.name, .name = head.name};
    for (int number = 2; taken(added.id); ++number)
      added.id = fmt::format("{}{}", head.name, number);
    uses.push_back(std::move(added));
    take(draft, messages, std::move(uses));
  }
  ImGui::EndCombo();
}

void drawChain(SettingsDraft& draft, FiltersOff& off, Messages& messages) {
  FilterUses& uses = draft.settings().filters;
  std::erase_if(off, [&](const auto& entry) {  // it came back by undo
    return std::any_of(uses.begin(), uses.end(),
                       [&](const FilterUse& use) { return use.id == entry.second.id; });
  });
  for (size_t i = 0; i <= uses.size(); ++i) {
    for (auto entry = off.begin(); entry != off.end(); ++entry) {
      if (std::min(entry->first, uses.size()) != i || !drawUse(draft, entry->second, false))
        continue;
      FilterUses more = uses;
      more.insert(more.begin() + static_cast<std::ptrdiff_t>(i), entry->second);
      if (take(draft, messages, std::move(more))) off.erase(entry);
      return;
    }
    if (i == uses.size() || !drawUse(draft, uses[i], true)) continue;
    FilterUses fewer = uses;
    const FilterUse gone = fewer[i];
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    if (take(draft, messages, std::move(fewer))) off.emplace_back(i, gone);
    return;
  }
  drawAdd(draft, messages);
}

}  // namespace

void drawFilters(SettingsDraft& draft, FiltersOff& off, Messages& messages) {
  if (!draft.settings().filters.empty()) ImGui::SetNextItemOpen(true, ImGuiCond_Once);
  const bool open = named("filters", ImGui::CollapsingHeader("Filters"));
  hint("Frames go through them before markers are sought");
  if (open) drawChain(draft, off, messages);
}

}  // namespace glint::ui
