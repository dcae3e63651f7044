#include "ui/panels/range_dialog.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/study/sweep/heat_map.h"
#include "config/error.h"
#include "config/setting_key.h"
#include "ui/draw/dialog.h"
#include "ui/draw/grey_picture.h"
#include "ui/draw/number_field.h"
#include "ui/draw/widgets.h"

namespace glint::ui {
namespace {

constexpr float kRangeWidth = 56, kRangeHeight = 27;     // font sizes
constexpr float kPictureShare = 0.42F;                   // share of the width
constexpr float kSetting = 16, kNumber = 6, kSteps = 3;  // font sizes
constexpr int kMostSteps = 12;
constexpr std::string_view kFirstTried = "detect.separation"_key;
// The least range of scores that the colours span, as a share of the best score. Smaller
// differences come from a few tracks that end earlier or later, and say nothing about the settings.
// Choice.
constexpr double kLeastSpan = 0.1;
constexpr const char* kNoSecond = "(no second setting)";

/// Returns true if a sweep can judge this setting: it determines how markers are found and
/// followed.
bool canBeTried(std::string_view key) {
  return key.starts_with("response.") || key.starts_with("detect.") || key.starts_with("refine.") ||
         key.starts_with("track.");
}

ImU32 heatOf(double share) {
  const auto [red, green, blue] = study::heatColour(share);
  return IM_COL32(static_cast<int>(red), static_cast<int>(green), static_cast<int>(blue), 255);
}

void writeCentred(ImDrawList& list, const std::string& words, ImVec2 at, ImVec2 size,
                  ImU32 colour) {
  const ImVec2 own = ImGui::CalcTextSize(words.c_str());
  if (own.x > size.x || own.y > size.y) return;
  list.AddText({at.x + (size.x - own.x) / 2, at.y + (size.y - own.y) / 2}, colour, words.c_str());
}

/// Replaces the key in an error by the label that the window shows.
void nameAsShown(std::string& error, const std::string& key, const std::string& label) {
  const size_t at = error.find(key);
  if (at != std::string::npos) error.replace(at, key.size(), label);
}

}  // namespace

/// Collects the numeric settings that have an effect at present, and the wanted one.
void RangeDialog::collectTried(const std::string& wanted) {
  tried_.clear();
  const auto add = [&](const auto& s, double value) {
    tried_.push_back({.key = std::string(s.key),
                      .label = std::string(s.label),
                      .value = value,
                      .least = static_cast<double>(s.range.least),
                      .most = static_cast<double>(s.range.most),
                      .usual = static_cast<double>(s.range.usual),
                      .whole = std::is_same_v<std::decay_t<decltype(s.value)>, int>});
  };
  glint::describe(draft_.settings(), [&](const auto& s) {
    using T = std::decay_t<decltype(s.value)>;
    const std::string key(s.key);
    if (!canBeTried(key) || !appliesHere(key, draft_.settings(), false)) return;
    if (key != wanted && !whyUnused(key, draft_.settings(), false).empty()) return;
    if constexpr (std::is_same_v<T, double> || std::is_same_v<T, int>)
      add(s, static_cast<double>(s.value));
    else if constexpr (std::is_same_v<T, Threshold>)
      add(s, s.value.value_or(0.5));
  });
}

/// Sets the range from half of the present value to one and a half times. If the present value is
/// at a limit or stands for "no limit", sets the usual range.
void RangeDialog::setRange(Axis& axis, size_t tried) const {
  axis.tried = tried;
  if (tried == 0) return;
  const Tried& own = tried_[tried - 1];
  const bool known = own.value > own.least && own.value <= own.usual;
  axis.from = known ? std::max(own.least, own.value / 2) : own.least;
  axis.to = known ? std::min(own.most, own.value * 1.5) : own.usual;
}

void RangeDialog::ask(const std::string& key, size_t camera) {
  if (player_.state().live || !player_.state().canSeek)
    return messages_.say("ranges can be tried on recordings only: record first");
  close();
  sweep_.reset();
  outcome_.reset();
  said_.clear();
  failed_ = false;
  camera_ = camera;
  const std::string wanted(key.empty() ? kFirstTried : key);
  collectTried(wanted);
  const auto own = std::find_if(tried_.begin(), tried_.end(),
                                [&](const Tried& one) { return one.key == wanted; });
  axes_ = {};
  setRange(axes_[0], own == tried_.end() ? 1 : static_cast<size_t>(own - tried_.begin()) + 1);
  open_ = opens_ = true;
}

void RangeDialog::close() {
  if (sweep_) sweep_->cancel();
  open_ = false;
}

bool RangeDialog::running() const {
  return sweep_ && sweep_->progress().state == shell::BackgroundTask::Progress::State::running;
}

void RangeDialog::start() {
  std::vector<study::SweepAxis> axes;
  outcome_.reset();
  said_.clear();
  failed_ = false;
  try {
    for (const Axis& axis : axes_) {
      if (axis.tried == 0) continue;
      const Tried& own = tried_[axis.tried - 1];
      axes.push_back(
          study::axisOf(own.key, axis.from, axis.to, static_cast<size_t>(axis.steps), own.whole));
    }
    sweep_ = std::make_unique<shell::SettingsSweep>(task_.device, task_.sources, camera_,
                                                    std::move(axes), draft_.settings(),
                                                    player_.state().length, wake_);
  } catch (const Error& error) {
    failed_ = true;
    said_ = error.what();
    for (const Axis& axis : axes_)
      if (axis.tried > 0)
        nameAsShown(said_, tried_[axis.tried - 1].key, tried_[axis.tried - 1].label);
  }
}

/// Takes the result of the sweep, once.
void RangeDialog::follow() {
  if (!sweep_ || running()) return;
  const auto progress = sweep_->progress();
  outcome_ = sweep_->outcome();
  sweep_.reset();
  if (progress.state == shell::BackgroundTask::Progress::State::failed) {
    failed_ = true;
    said_ = progress.problem;
    if (!open_) messages_.fail(progress.problem);
  }
  if (!outcome_) return;
  values_.clear();
  for (const study::SweepResult& result : outcome_->run.results) values_.push_back(result.value());
  const auto [least, greatest] = std::minmax_element(values_.begin(), values_.end());
  least_ = *least;
  greatest_ = *greatest;
  chosen_ = outcome_->best;
  pointed_.reset();
  said_ = "best: " + wordsOf(outcome_->best);
  if (!outcome_->run.failure.empty()) said_ = outcome_->run.failure;
}

/// Returns the words for a combination: "Minimum distance 6: score 3.02, 14 tracks, 840 rows".
std::string RangeDialog::wordsOf(size_t combination) const {
  std::string words;
  for (size_t i = 0; i < outcome_->axes.size(); ++i)
    words += fmt::format("{}{} {}", i == 0 ? "" : ", ", labelOf(outcome_->axes[i].key),
                         outcome_->combinations[combination].values[i]);
  const study::Rating& rating = outcome_->run.results[combination].rating;
  return fmt::format("{}: score {:.2f}, {}, {}", words, values_[combination],
                     counted(rating.tracks, "track"), counted(rating.rows, "row"));
}

void RangeDialog::drawAxis(size_t number) {
  Axis& axis = axes_[number];
  const float em = ImGui::GetFontSize();
  const std::string id = fmt::format("range{}", number);
  ImGui::PushID(id.c_str());
  const std::string front = axis.tried == 0 ? kNoSecond : tried_[axis.tried - 1].label;
  ImGui::SetNextItemWidth(kSetting * em);
  const bool chooses = ImGui::BeginCombo("##setting", front.c_str());
  named(id + "_setting");
  if (chooses) {
    if (number > 0 && selectable("range_of:", kNoSecond, axis.tried == 0)) setRange(axis, 0);
    for (size_t i = 0; i < tried_.size(); ++i)
      if (selectable("range_of:" + tried_[i].key, tried_[i].label, axis.tried == i + 1))
        setRange(axis, i + 1);
    ImGui::EndCombo();
  }
  if (axis.tried > 0) {
    const auto number_ = [&](const char* word, const char* name, double& value) {
      ImGui::SameLine();
      ImGui::TextUnformatted(word);
      ImGui::SameLine();
      ImGui::SetNextItemWidth(kNumber * em);
      ImGui::PushID(name);
      typeWithPoints("##value");
      ImGui::InputDouble("##value", &value, 0, 0, "%.6g", ImGuiInputTextFlags_AutoSelectAll);
      ImGui::PopID();
      named(id + name);
    };
    number_("from", "_from", axis.from);
    number_("to", "_to", axis.to);
    ImGui::SameLine();
    ImGui::TextUnformatted("in");
    ImGui::SameLine();
    ImGui::SetNextItemWidth(kSteps * em);
    ImGui::InputInt("##steps", &axis.steps, 0, 0, ImGuiInputTextFlags_AutoSelectAll);
    named(id + "_steps");
    axis.steps = std::clamp(axis.steps, 1, kMostSteps);
    ImGui::SameLine();
    ImGui::TextUnformatted("steps");
  }
  ImGui::PopID();
}

/// Returns the place of a score in the scale of colours, 0 (dark) to 1 (the best one).
double RangeDialog::shareOf(double score) const {
  const double span = std::max(greatest_ - least_, kLeastSpan * greatest_);
  return span > 0 ? 1 - (greatest_ - score) / span : 1;
}

/// Draws the score of a combination. With one setting, the height shows the score; the colour is
/// lighter the higher it is.
void RangeDialog::drawCell(size_t combination, ImVec2 at, ImVec2 size) {
  ImGui::SetCursorScreenPos(at);
  ImGui::PushID(static_cast<int>(combination));
  if (invisibleButton(fmt::format("range_cell:{}", combination), size)) chosen_ = combination;
  if (ImGui::IsItemHovered()) pointed_ = combination;
  ImGui::PopID();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const double value = values_[combination];
  const double share = shareOf(value);
  const ImVec2 end{at.x + size.x - 1, at.y + size.y - 1};
  float height = size.y - 1;
  if (outcome_->axes.size() == 1)
    height *= greatest_ > 0 ? static_cast<float>(value / greatest_) : 0;
  list.AddRectFilled({at.x, end.y - height}, end, heatOf(share));
  const bool bright = share > 0.6 && height > size.y / 2;
  writeCentred(list, fmt::format("{:.3g}", value), at, size,
               bright ? IM_COL32(20, 20, 20, 255) : kText);
  if (combination == outcome_->best) list.AddRect(at, end, kRecord, 0, 0, 3 * unit());
  if (combination == shown()) list.AddRect(at, end, kText, 0, 0, unit());
}

/// Draws the scores. The first setting grows to the right, the second one downwards.
void RangeDialog::drawMap(float width, float height) {
  const auto& axes = outcome_->axes;
  const size_t columns = axes[0].values.size();
  const size_t rows = axes.size() > 1 ? axes[1].values.size() : 1;
  const float line = ImGui::GetTextLineHeight(), em = ImGui::GetFontSize();
  const float left = axes.size() > 1 ? 4 * em : 0, top = axes.size() > 1 ? line : 0;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 cell{std::floor((width - left) / static_cast<float>(columns)),
                    std::floor((height - top - 2 * line) / static_cast<float>(rows))};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (axes.size() > 1) list.AddText(at, kFaint, labelOf(axes[1].key).c_str());
  pointed_.reset();
  const ImVec2 first{at.x + left, at.y + top};
  const float below = first.y + static_cast<float>(rows) * cell.y;
  for (size_t row = 0; row < rows; ++row) {
    const float y = first.y + static_cast<float>(row) * cell.y;
    if (axes.size() > 1) writeCentred(list, axes[1].values[row], {at.x, y}, {left, cell.y}, kText);
    for (size_t column = 0; column < columns; ++column)
      drawCell(column * rows + row, {first.x + static_cast<float>(column) * cell.x, y}, cell);
  }
  for (size_t column = 0; column < columns; ++column)
    writeCentred(list, axes[0].values[column],
                 {first.x + static_cast<float>(column) * cell.x, below}, {cell.x, line}, kText);
  list.AddText({first.x, below + line}, kFaint, labelOf(axes[0].key).c_str());
  namePlace("range_map", {first.x, first.y, static_cast<float>(columns) * cell.x, below - first.y});
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({width, height});
}

/// Draws the buttons. Returns true if the dialog is to be closed.
bool RangeDialog::drawButtons() {
  placeDialogButtons();
  if (button("range_try", "Try", "Tracks the whole recording with each combination", {},
             !running()))
    start();
  ImGui::SameLine();
  const bool uses = button("range_use", "Use", "Applies the chosen settings (Ctrl+Z undoes this)",
                           {}, outcome_ != nullptr);
  if (uses && outcome_) {
    draft_.become(outcome_->combinations[chosen_].settings, "tried settings");
    return true;
  }
  ImGui::SameLine();
  return button("range_close", running() ? "Cancel" : "Close") || dialogEscaped();
}

void RangeDialog::draw(Context&) {
  follow();
  if (!open_) return;
  const float em = ImGui::GetFontSize();
  if (!beginDialog("Try a range", opens_, {kRangeWidth * em, kRangeHeight * em})) return;
  ImGui::BeginDisabled(running());
  for (size_t i = 0; i < axes_.size(); ++i) drawAxis(i);
  ImGui::EndDisabled();
  if (sweep_) {
    const auto progress = sweep_->progress();
    progressBar("range_progress", progress.frames, progress.total,
                counted(progress.frames, "frame"));
  } else if (failed_) {
    dialogProblem("range_problem", said_);
  } else if (outcome_) {
    if (!outcome_->run.failure.empty()) dialogProblem("range_problem", said_);
    ImGui::TextWrapped("%s%s", shown() == outcome_->best ? "Best: " : "", wordsOf(shown()).c_str());
    named("range_words");
    faint(fmt::format(
        "The colours span at least {:.0f} % of the best score. Scores of nearly one colour are "
        "equally good.",
        100 * kLeastSpan));
    named("range_scale");
    const float height = ImGui::GetContentRegionAvail().y - ImGui::GetFrameHeightWithSpacing() - 4;
    const float width = ImGui::GetContentRegionAvail().x, picture = kPictureShare * width;
    drawMap(width - picture - em, std::max(1.0F, height));
    ImGui::SameLine();
    drawFound("range_frame", outcome_->picture, outcome_->markers[shown()],
              {picture, std::max(1.0F, height)});
  } else {
    ImGui::TextWrapped(
        "Glint tracks the recording with every combination. In the best one, markers are tracked "
        "longest, and equally well in both halves of the recording.");
  }
  const bool closes = drawButtons();
  if (closes) close();
  endDialog(closes);
}

void RangeDialog::describe(nlohmann::json& to) const {
  to["ranging"] = open();
  to["range_says"] = said_;
  if (!outcome_) return;
  to["range_shown"] = shown();
  to["range_best"] = outcome_->best;
  to["range_values"] = nlohmann::json::array();
  for (const study::Combination& one : outcome_->combinations)
    to["range_values"].push_back(one.values);
  to["range_scores"] = values_;
  to["range_shares"] = nlohmann::json::array();
  for (const double score : values_) to["range_shares"].push_back(shareOf(score));
  to["range_found"] = outcome_->markers[shown()].size();
}

}  // namespace glint::ui
