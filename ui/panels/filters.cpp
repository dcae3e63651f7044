#include "ui/panels/filters.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "config/error.h"
#include "config/filter_catalog.h"
#include "config/filter_use.h"
#include "config/lower_case.h"
#include "ui/draw/number_field.h"
#include "ui/draw/widgets.h"

namespace glint::ui {
namespace {

using filters::Parameter;

std::string readable(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

/// Puts `uses` into force. Returns false, and tells the user, if the filters do not fit each other.
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

NumberField parameterField(const Parameter& p) {
  return {.least = p.least,
          .most = p.most,
          .sliderLeast = p.sliderLeast,
          .sliderMost = std::max(p.sliderMost, p.sliderLeast + 1e-9),
          .whole = p.kind == Parameter::Kind::whole,
          .unit = p.unit};
}

/// Draws the field of a parameter that is not a single number.
bool editValue(const Parameter& p, std::vector<double>& value) {
  if (p.isList()) {
    ImGui::PushID("##v");
    for (int i = 0; i < static_cast<int>(value.size()); ++i) {
      ImGui::PushID(i);
      typeWithPoints("");
      ImGui::PopID();
    }
    ImGui::PopID();
    return ImGui::InputScalarN("##v", ImGuiDataType_Double, value.data(),
                               static_cast<int>(value.size()), nullptr, nullptr, "%.4g",
                               ImGuiInputTextFlags_EnterReturnsTrue);
  }
  if (p.kind == Parameter::Kind::choice) {
    auto chosen = std::min(static_cast<size_t>(value.front()), p.choices.size() - 1);
    const bool changed = choose("##v", p.choices, chosen);
    value.front() = static_cast<double>(chosen);
    return changed;
  }
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
    const bool number =
        !p.isList() && p.kind != Parameter::Kind::choice && p.kind != Parameter::Kind::toggle;
    const std::string name = "filter." + use.id + "." + p.name;
    const Edited edited = number ? editNumber(name, value.front(), parameterField(p))
                                 : Edited{editValue(p, value), false};
    if (edited.changed) {
      use.values[p.name] = std::move(value);
      draft.apply();
    }
    if (number ? edited.ended : ImGui::IsItemDeactivatedAfterEdit()) draft.endStep();
    if (!number) named("set:" + name);
  }
  ImGui::PopID();
}

std::vector<ChainStep> stepsOf(const FilterUses& uses, const shell::FiltersOff::Rows& off) {
  std::vector<ChainStep> steps;
  for (size_t i = 0; i <= uses.size(); ++i) {
    for (const auto& [before, use] : off)
      if (std::min(before, uses.size()) == i) steps.push_back({use, false});
    if (i < uses.size()) steps.push_back({uses[i], true});
  }
  return steps;
}

constexpr float kOrderApart = 3;

/// Returns the width of the buttons that drawOrder() draws, px.
float orderWidth() {
  return 3 * (ImGui::GetFrameHeight() + kOrderApart);
}

/// Draws the buttons *earlier*, *later* and *remove* at the right of the line. Returns true if
/// `steps` was changed.
bool drawOrder(std::vector<ChainStep>& steps, size_t i) {
  const float side = ImGui::GetFrameHeight(), apart = kOrderApart;
  const std::string id = steps[i].use.id;
  ImGui::SameLine(ImGui::GetContentRegionMax().x - orderWidth());
  ImGui::BeginDisabled(i == 0);
  const bool earlier = named("filter_up:" + id, ImGui::ArrowButton("up", ImGuiDir_Up));
  hint("Earlier in the chain");
  ImGui::EndDisabled();
  ImGui::SameLine(0, apart);
  ImGui::BeginDisabled(i + 1 == steps.size());
  const bool later = named("filter_down:" + id, ImGui::ArrowButton("down", ImGuiDir_Down));
  hint("Later in the chain");
  ImGui::EndDisabled();
  ImGui::SameLine(0, apart);
  const bool gone =
      button("filter_remove:" + id, "x",
             steps[i].on ? "Removes it; Ctrl+Z undoes that" : "Removes it", {side, side});
  if (earlier) std::swap(steps[i - 1], steps[i]);
  if (later) std::swap(steps[i], steps[i + 1]);
  if (gone) steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(i));
  return earlier || later || gone;
}

/// Draws the filter's name. A click on it shows the filter's output.
void drawTitle(const FilterUse& use, const std::string& help, bool on, const ViewState& viewState,
               Actions& actions) {
  const std::string label = use.id == use.name ? use.id : use.id + " (" + use.name + ")";
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  if (!on) {
    faint(label);
    return hint(help);
  }
  const bool shown = viewState.plane == DisplayPlane::filter && viewState.filter == use.id;
  const float wide = ImGui::GetContentRegionAvail().x - orderWidth();
  if (selectable("filter_show:" + use.id, label, shown, 0, {std::max(1.0F, wide), 0}))
    actions.showFilter(use.id);
  hint(help + (shown ? "\nA click shows the source again" : "\nA click shows what it makes"));
}

std::string idFor(const FilterUses& uses, const shell::FiltersOff::Rows& off,
                  const std::string& name) {
  const auto taken = [&](const std::string& id) {
    return std::any_of(uses.begin(), uses.end(), [&](const auto& use) { return use.id == id; }) ||
           std::any_of(off.begin(), off.end(),
                       [&](const auto& one) { return one.second.id == id; });
  };
  std::string id = name;
  for (int number = 2; taken(id); ++number) id = fmt::format("{}{}", name, number);
  return id;
}

bool fits(const filters::Head& head, const std::string& wanted) {
  // Such a filter needs images that are named on the command line.
  if (!head.inputs.empty()) return false;
  // The output of such a filter is only for viewing: no markers are searched in it.
  if (head.feeds == filters::Head::Feeds::view) return false;
  return lowerCase(readable(head.name) + " " + head.help).find(lowerCase(wanted)) !=
         std::string::npos;
}

}  // namespace

/// Puts the steps into force in this order, unless they do not fit each other.
void FilterChain::put(Context& context, const std::vector<ChainStep>& steps) {
  SettingsDraft& draft = context.model.draft;
  FilterUses uses;
  shell::FiltersOff::Rows others;
  for (const ChainStep& step : steps) {
    if (step.on)
      uses.push_back(step.use);
    else
      others.emplace_back(uses.size(), step.use);
  }
  const double before = draft.history().undoAt();
  if (uses == draft.settings().filters || take(draft, context.messages, std::move(uses)))
    off_.put(before, draft.history().undoAt(), std::move(others));
}

/// Draws the numbers that the filter reports about the previous frame, which parameters can follow:
/// "mean 0.213". They are those of the first camera.
void FilterChain::drawReported(const WindowModel& model, const FilterUse& use) {
  if (model.tracks.cameras().empty()) return;
  std::string words;
  for (const gpu::FilterReadback& number : model.tracks.cameras().front().measured->readbacks) {
    if (!number.name.starts_with(use.id + ".")) continue;
    const std::string name = number.name.substr(use.id.size() + 1);
    const bool further = name.ends_with("sum") || name.ends_with("variance");
    if (!further)
      words += fmt::format("{}{} {:.4f}", words.empty() ? "" : ", ", name, number.value);
  }
  if (words.empty()) return;
  ImGui::Indent();
  wrapped(kFaint, words + " of full scale, in the frame before");
  named("filter_told:" + use.id);
  ImGui::Unindent();
  *numbers_ += (numbers_->empty() ? "" : "; ") + use.id + " " + words;
}

/// Draws a filter's name with a switch and, while it is on, its parameters. Returns true if `steps`
/// was changed.
bool FilterChain::drawStep(Context& context, std::vector<ChainStep>& steps, size_t i) {
  SettingsDraft& draft = context.model.draft;
  const FilterUse& use = steps[i].use;
  const bool on = steps[i].on;
  const filters::Head& head = filters::catalog().get(use.name, "filters").head;
  ImGui::PushID(use.id.c_str());
  bool changed = checkbox("filter:" + use.id, "##on", steps[i].on, "Switches it on and off");
  drawTitle(use, head.help, on, context.viewState, context.actions);
  if (!changed) changed = drawOrder(steps, i);
  if (!changed && on) {
    FilterUses& uses = draft.settings().filters;
    const auto own = std::find_if(uses.begin(), uses.end(),
                                  [&](const FilterUse& other) { return other.id == use.id; });
    if (own != uses.end() && beginValues("parameters", true)) {
      for (const Parameter& p : head.parameters) drawParameter(draft, *own, p);
      ImGui::EndTable();
    }
    drawReported(context.model, use);
  }
  ImGui::PopID();
  return changed;
}

/// Draws the list of filters that can be added, with their help, and a field to search it.
void FilterChain::drawList(Context& context, const shell::FiltersOff::Rows& off) {
  SettingsDraft& draft = context.model.draft;
  const float em = ImGui::GetFontSize();
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  textField("search_filters", search_, -1, "search filters");
  ImGui::BeginChild("all",
                    {std::min(em * 40, screen.x - 4 * em), std::min(em * 32, screen.y * 0.7F)});
  for (const filters::Filter* filter : filters::catalog().all()) {
    const filters::Head& head = filter->head;
    if (!fits(head, search_.data())) continue;
    const bool chosen = selectable("add:" + head.name, readable(head.name));
    hint(head.help);
    ImGui::SameLine(em * 10);
    faint(beginningThatFits(head.help.substr(0, head.help.find('\n')),
                            ImGui::GetContentRegionAvail().x));
    if (!chosen) continue;
    FilterUses uses = draft.settings().filters;
    uses.push_back({.id = idFor(uses, off, head.name), .name = head.name});
    take(draft, context.messages, std::move(uses));
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndChild();
}

void FilterChain::drawAdd(Context& context, const shell::FiltersOff::Rows& off) {
  if (button("add_filter", "Add a filter ...")) {
    search_ = {};
    ImGui::OpenPopup("filters");
  }
  if (!ImGui::BeginPopup("filters")) return;
  drawList(context, off);
  ImGui::EndPopup();
}

void FilterChain::drawChain(Context& context) {
  const SettingsDraft& draft = context.model.draft;
  const FilterUses& uses = draft.settings().filters;
  const shell::FiltersOff::Rows others = off_.at(draft.history().undoAt(), uses);
  std::vector<ChainStep> steps = stepsOf(uses, others);
  for (size_t i = 0; i < steps.size(); ++i) {
    if (!drawStep(context, steps, i)) continue;
    put(context, steps);
    break;
  }
  drawAdd(context, others);
}

void FilterChain::draw(Context& context) {
  numbers_.begin();
  if (!context.model.draft.settings().filters.empty()) ImGui::SetNextItemOpen(true, ImGuiCond_Once);
  const bool open = foldable("filters", "Filters");
  hint("Filters are applied to each frame from top to bottom, before markers are detected");
  if (open) drawChain(context);
}

void FilterChain::describe(nlohmann::json& to) const {
  to["filter_numbers"] = numbers_.get();
}

}  // namespace glint::ui
