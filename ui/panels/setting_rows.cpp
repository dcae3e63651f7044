#include "ui/panels/setting_rows.h"

#include <algorithm>
#include <map>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "config/setting_key.h"
#include "config/setting_search.h"
#include "ui/draw/number_field.h"
#include "ui/draw/widgets.h"

namespace glint::ui {
namespace {

constexpr std::string_view kBasics = "Basics";
constexpr std::array kBasic{
    "response.kind"_key,     "detect.method"_key, "detect.separation"_key, "detect.threshold"_key,
    "detect.min_radius"_key, "track.max_gap"_key, "track.stitch_gap"_key};

/// The beginning of keys, and their subject. The first one that fits counts, in the order of
/// declaration.
struct Subject {
  std::string_view key, name;
};
constexpr std::array kSubjects{Subject{"response.", "Detection image"},
                               Subject{"detect.max_markers"_key, "Detection"},
                               Subject{"detect.separation"_key, "Detection"},
                               Subject{"detect.threshold"_key, "Detection"},
                               Subject{"detect.method"_key, "Detection"},
                               Subject{"detect.mask"_key, "Where to measure"},
                               Subject{"detect.region"_key, "Where to measure"},
                               Subject{"detect.ignore"_key, "Where to measure"},
                               Subject{"detect.", "Limits of markers"},
                               Subject{"refine.", "Positions"},
                               Subject{"track.", "Tracks"},
                               Subject{"live.", "Timing"},
                               Subject{"camera.", "Camera"}};

std::string_view subjectOf(std::string_view key) {
  for (const Subject& subject : kSubjects)
    if (key.starts_with(subject.key)) return subject.name;
  return "Other";
}

bool isBasic(std::string_view key) {
  return std::find(kBasic.begin(), kBasic.end(), key) != kBasic.end();
}

template <class T>
NumberField fieldOf(const Range<T>& range, std::string_view unit, const Special& special) {
  const auto least = static_cast<double>(range.least), usual = static_cast<double>(range.usual);
  return {.least = least,
          .most = static_cast<double>(range.most),
          .sliderLeast = least,
          .sliderMost = usual,
          .whole = std::is_same_v<T, int>,
          .unit = unit,
          .special = special.value,
          .words = special.words};
}

/// The rows of the settings that belong to one of three parts. They are drawn in one walk over all
/// settings.
class Rows {
 public:
  enum class Which { basic, rest, found };
  Rows(Which which, Context& context, RowsState& state)
      : which_(which), context_(context), draft_(context.model.draft), state_(state) {
    if (which == Which::found) found_ = findSettings(state.search.data());
    if (which != Which::rest) return;
    describe(draft_.settings(), [&](const auto& s) {
      if (!isBasic(s.key) && !(s.value == std::decay_t<decltype(s.value)>(s.initial)))
        ++changed_[subjectOf(s.key)];
    });
  }
  ~Rows() { endGroup(); }
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;

  void row(const auto& s) {
    using T = std::decay_t<decltype(s.value)>;
    const std::string key(s.key);
    if (key.starts_with("device.")) return;  // the device cannot change while it runs
    const T usual = usualOf<T>(s);
    const bool isDefault = s.value == usual;
    // Hides settings that have no effect here, unless they can be reset to their default.
    if (isDefault && !appliesHere(key, draft_.settings(), context_.model.state().live)) return;
    if (!belongs(s)) return;
    const std::string_view group = which_ == Which::rest ? subjectOf(key) : kBasics;
    if (group != group_) beginGroup(group);
    if (!open_) return;
    const T before = s.value;
    draw(s, usual, whyUnused(key, draft_.settings(), context_.model.state().live));
    ++drawn_;
    if (!(s.value == before)) draft_.apply();
    if (ended_) draft_.endStep();
  }

  size_t drawn() const { return drawn_; }

 private:
  /// Returns the value of a setting that nobody has changed. It differs from the declaration in
  /// live sessions, where lost ids are not regained.
  template <class T>
  T usualOf(const auto& s) const {
    if constexpr (std::is_same_v<T, double>)
      if (context_.model.state().live && s.key == "track.stitch_gap"_key) return 0;
    return T(s.initial);
  }

  bool belongs(const auto& s) const {
    if (which_ != Which::found) return isBasic(s.key) == (which_ == Which::basic);
    return std::ranges::find(found_, s.key) != found_.end();
  }

  void beginGroup(std::string_view group) {
    endGroup();
    group_ = group;
    if (which_ != Which::found) {
      const std::string& front = context_.layout.frontSetting;
      const bool leads = !front.empty() && group == (isBasic(front) ? kBasics : subjectOf(front));
      if (group == kBasics) ImGui::SetNextItemOpen(true, ImGuiCond_Once);
      if (leads) ImGui::SetNextItemOpen(true);
      const size_t changed = changed_[group];
      const std::string label =
          changed == 0 ? std::string(group) : fmt::format("{}  ({} changed)", group, changed);
      const std::string name(group);
      if (!foldable("group:" + name, label + "###" + name)) return;
    }
    open_ = beginValues(std::string(group).c_str(), true);
  }

  void endGroup() {
    if (open_) ImGui::EndTable();
    open_ = false;
  }

  template <class T>
  void draw(const auto& s, const T& usual, const std::string& unused) {
    const std::string key(s.key);
    nextRow();
    lead(key);
    ImGui::PushID(key.c_str());
    text(unused.empty() ? kText : kFaint, std::string(s.label));
    named("label:" + key);
    if (restsOnItem()) explain(s, unused);
    if constexpr (!std::is_same_v<T, bool> && !std::is_same_v<T, std::string> && !std::is_enum_v<T>)
      drawMenu(key);
    nextValue();
    ended_ = false;
    ImGui::BeginDisabled(!unused.empty());
    ImGui::BeginGroup();
    edit(s, s.value, s.range);
    ImGui::EndGroup();
    ImGui::EndDisabled();
    if (!unused.empty() && restsOnItem()) explain(s, unused);
    ImGui::TableNextColumn();
    if (!(s.value == usual)) {
      if (smallButton("reset:" + key, "x")) s.value = usual;
      hint("Reset to the default");
    }
    ImGui::PopID();
  }

  /// Draws the menu of a right click on the name.
  void drawMenu(const std::string& key) {
    if (!ImGui::BeginPopupContextItem("menu")) return;
    if (selectable("try_range:" + key, "Try a range ...", false,
                   context_.model.state().live ? ImGuiSelectableFlags_Disabled : 0))
      context_.actions.tryRange(key);
    ImGui::EndPopup();
  }

  /// Scrolls to the row that the user was led to, and marks it until the next click.
  void lead(const std::string& key) {
    types_ = false;
    if (context_.layout.frontSetting == key) {
      types_ = std::exchange(context_.layout.typesSetting, false);
      context_.layout.frontSetting.clear();
      state_.pointed = key;
      ImGui::SetScrollHereY(0.3F);
    }
    if (state_.pointed != key) return;
    ImGui::TableSetBgColor(ImGuiTableBgTarget_RowBg0, IM_COL32(120, 92, 30, 160));
    state_.displayed->pointed = key;
  }

  /// Explains the setting below its item.
  void explain(const auto& s, const std::string& unused) {
    const std::string key(s.key);
    const float wrap = ImGui::GetFontSize() * 28, between = ImGui::GetStyle().ItemSpacing.y;
    std::vector<std::pair<ImU32, std::string>> lines{
        {kFaint, s.unit.empty() ? key : fmt::format("{} ({})", key, s.unit)},
        {kText, std::string(s.help)}};
    if (!unused.empty()) lines.emplace_back(kWarning, "Has no effect now: it " + unused + ".");
    ImVec2 size{0, -between};
    for (const auto& [colour, words] : lines) {
      const ImVec2 own = ImGui::CalcTextSize(words.c_str(), nullptr, false, wrap);
      size = {std::max(size.x, own.x), size.y + own.y + between};
    }
    placeHint(size);
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(wrap);
    for (const auto& [colour, words] : lines) text(colour, words);
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
    state_.displayed->setting = key;
    state_.displayed->whyUnused = unused;
  }

  template <class T>
  NumberField ownField(const auto& s, const Range<T>& range) const {
    NumberField field = fieldOf(range, s.unit, s.special);
    field.takesKeyboard = types_;
    return field;
  }
  void edit(const auto& s, double& value, const Range<double>& range) {
    ended_ = editNumber(std::string(s.key), value, ownField(s, range)).ended;
  }
  void edit(const auto& s, int& value, const Range<int>& range) {
    double edited = value;
    ended_ = editNumber(std::string(s.key), edited, ownField(s, range)).ended;
    value = static_cast<int>(edited);
  }
  template <class R>
  void edit(const auto& s, bool& value, const R&) {
    ended_ = named("set:" + std::string(s.key), ImGui::Checkbox("##v", &value));
  }
  void edit(const auto& s, Threshold& value, const Range<double>& range) {
    const std::string key(s.key);
    bool automatic = !value;
    const double measured = std::clamp(measuredThreshold(), range.least, range.most);
    if (checkbox("auto:" + key, "auto", automatic,
                 "Adapts to the brightness of the previous frame"))
      value = automatic ? Threshold() : Threshold(measured);
    ImGui::SameLine();
    double shown = value.value_or(measured);
    NumberField field = ownField(s, range);
    field.unit = "";
    const Edited edited =
        editNumber(key, shown, field, fmt::format("{}{:.3f}", value ? "" : "now ", shown));
    if (edited.changed) value = shown;
    ended_ = edited.ended;
  }
  template <class R>
  void edit(const auto& s, std::string& value, const R&) {
    char text[1024] = {};
    value.copy(text, sizeof text - 1);
    if (types_) ImGui::SetKeyboardFocusHere();
    const bool entered = ImGui::InputTextWithHint("##v", "none", text, sizeof text,
                                                  ImGuiInputTextFlags_EnterReturnsTrue);
    // A click elsewhere has ended the input.
    ended_ = entered || ImGui::IsItemDeactivatedAfterEdit();
    if (ended_) value = text;
    named("set:" + std::string(s.key));
  }
  template <class E, class R>
  requires std::is_enum_v<E>
  void edit(const auto& s, E& value, const R&) {
    const auto& names = Choices<E>::names;
    auto chosen = static_cast<size_t>(value);
    ended_ = choose("##v", {names.begin(), names.end()}, chosen);
    if (ended_) value = static_cast<E>(chosen);
    named("set:" + std::string(s.key));
  }

  double measuredThreshold() const { return context_.model.counts.threshold; }

  const Which which_;
  Context& context_;
  SettingsDraft& draft_;
  RowsState& state_;
  std::vector<std::string> found_;  // the keys of the settings that the search finds
  // The number of settings of each subject that differ from their default.
  std::map<std::string_view, size_t> changed_;
  std::string_view group_;
  // types_: the user was led to the row that is being drawn, to type its value.
  bool open_ = false, ended_ = false, types_ = false;
  size_t drawn_ = 0;
};

/// Returns a setting's text without the quotes of strings.
std::string withoutQuotes(const std::string& value) {
  return value.size() >= 2 && value.front() == '"' ? value.substr(1, value.size() - 2) : value;
}

}  // namespace

std::string shownValue(const Settings& settings, std::string_view key) {
  std::string shown;
  describe(settings, [&](const auto& s) {
    using T = std::decay_t<decltype(s.value)>;
    if (s.key != key) return;
    if constexpr (std::is_same_v<T, double> || std::is_same_v<T, int>)
      shown = numberText(static_cast<double>(s.value), fieldOf(s.range, s.unit, s.special));
    else if constexpr (std::is_same_v<T, Threshold>)
      shown = s.value ? fmt::format("{:.3f}", *s.value) : "auto";
  });
  if (!shown.empty()) return shown;
  for (const SettingInfo& info : listSettings(settings))
    if (info.key == key) return withoutQuotes(info.value);
  return shown;
}

void drawSettingRows(Context& context, RowsState& state, const std::function<void()>& between) {
  state.displayed.begin();
  std::string& front = context.layout.frontSetting;
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) state.pointed.clear();
  const auto walk = [&](Rows::Which which) {
    Rows rows(which, context, state);
    describe(context.model.draft.settings(), [&](const auto& s) { rows.row(s); });
    return rows.drawn();
  };
  if (!front.empty()) state.search = {};
  if (state.search[0] == '\0') {
    walk(Rows::Which::basic);
    between();
    walk(Rows::Which::rest);
  } else if (walk(Rows::Which::found) == 0) {
    faint("No setting matches this search.");
  }
  // The request ends here even if no setting has this name.
  front.clear();
}

}  // namespace glint::ui
