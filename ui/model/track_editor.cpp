#include "ui/model/track_editor.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "app/output/edit/edits_file.h"
#include "config/error.h"
#include "ui/model/frame_name.h"
#include "ui/model/timings.h"

namespace glint::ui {
namespace {

/// The share of the time that summarising a growing history may take, 0 to 1.
constexpr double kShare = 0.05;

std::string withoutBlanksAround(const std::string& words) {
  const size_t begin = words.find_first_not_of(' '), end = words.find_last_not_of(' ');
  return begin == std::string::npos ? std::string() : words.substr(begin, end - begin + 1);
}

/// Returns true if `inner` is in no set in which `outer` is not. Joining it to `outer` would then
/// change nothing, because the rows of `outer` are kept.
bool isWithin(const shell::TrackSummary& inner, const shell::TrackSummary& outer) {
  return std::ranges::all_of(inner.stretches, [&](const auto& stretch) {
    return std::ranges::any_of(outer.stretches, [&](const auto& other) {
      return other.first <= stretch.first && stretch.second <= other.second;
    });
  });
}

}  // namespace

TrackEditor::TrackEditor(const shell::WindowTask& task, std::shared_ptr<Messages> messages,
                         std::function<void()> wake)
    : task_(task), messages_(std::move(messages)), summariser_(std::move(wake)) {
  task_.shownEdits->set(nullptr);
  if (task.empty || task.sources.empty()) return;
  path_ = task.editsFile.empty() ? output::editsPath(task.sources.front().shown()) : task.editsFile;
  std::error_code error;
  if (path_.empty() || !std::filesystem::exists(path_, error)) return;
  try {
    made_ = shell::EditHistory(output::readEdits(path_));
  } catch (const Error& problem) {
    messages_->fail(fmt::format("{}; what is edited now is not kept", problem.what()));
    path_.clear();
  }
}

void TrackEditor::follow(std::shared_ptr<const session::TrackHistory> history) {
  const bool other = history != known_, edited = madeRevision_ != made_.revision();
  const uint64_t finalised = history ? history->finalised() : 0;
  takeSummaries();
  const bool soon = summariser_.busy() || monotonicSeconds() < due_;
  if (!other && !edited && (finalised == finalised_ || (soon && !history->complete()))) return;
  known_ = std::move(history);
  finalised_ = finalised;
  madeRevision_ = made_.revision();
  apply();
}

void TrackEditor::takeSummaries() {
  auto result = summariser_.result();
  if (!result || result == summaries_) return;
  summaries_ = std::move(result);
  summarised_ = summaries_->of.number;
  due_ = monotonicSeconds() + summaries_->seconds / kShare;
  ++revision_;
}

const std::vector<shell::TrackSummary>& TrackEditor::tracks() const {
  static const std::vector<shell::TrackSummary> none;
  return known_ && summaries_ ? summaries_->tracks : none;
}

void TrackEditor::apply() {
  ++revision_;
  applied_.reset();
  if (!known_) return applyScales();
  if (!made_.now().empty())
    applied_ = std::make_shared<const output::EditedTracks>(
        glint::output::apply(made_.now(), shell::tracksToEdit(known_)));
  task_.shownEdits->set(applied_);
  summariser_.ask({known_, applied_, ++asked_});
  if (known_->complete()) reportUnmatched(applied_ ? applied_->unmatched().size() : 0);
}

/// Applies the scales alone, because there are no tracks that the other edits could mean.
void TrackEditor::applyScales() {
  output::TrackEdits scales;
  scales.mmPerPx = made_.now().mmPerPx;
  task_.shownEdits->set(scales.empty() ? nullptr
                                       : std::make_shared<const output::EditedTracks>(
                                             glint::output::apply(scales, {})));
}

/// Tells the user how many edits match nothing. Called again when settings change, it replaces its
/// message.
void TrackEditor::reportUnmatched(size_t count) {
  std::string words;
  if (count > 0)
    words = fmt::format("{} of the recording's tracks no longer {}: see Edits in the tab Tracks",
                        count == 1 ? std::string("an edit") : fmt::format("{} edits", count),
                        count == 1 ? "matches" : "match");
  if (words == unmatchedMessage_) return;
  if (!unmatchedMessage_.empty()) messages_->dismiss(unmatchedMessage_);
  if (!words.empty()) messages_->fail(words);
  unmatchedMessage_ = std::move(words);
}

const shell::TrackSummary* TrackEditor::track(TrackId id) const {
  const auto& all = tracks();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.track == id; });
  return found == all.end() ? nullptr : &*found;
}

bool TrackEditor::gone(TrackId id) const {
  return known_ && known_->complete() && known_->rowsKept() && isUpToDate() && !track(id);
}

std::string TrackEditor::nameOf(TrackId id) const {
  const std::string name = applied_ ? applied_->name(id) : std::string();
  return name.empty() ? fmt::to_string(id) : name;
}

bool TrackEditor::matches(size_t edit) const {
  return applied_ && edit < applied_->found().size() &&
         std::ranges::none_of(applied_->unmatched(),
                              [&](const output::Unmatched& one) { return one.edit == edit; });
}

std::string TrackEditor::wordsOf(size_t edit) const {
  if (matches(edit))
    return glint::output::wordsOf(edits().edits[edit], applied_->found()[edit], frameWords());
  std::string words = placeOf(edit);
  if (applied_)
    for (const output::Unmatched& one : applied_->unmatched())
      if (one.edit == edit) words += ": not applied, " + one.why;
  return words;
}

std::string TrackEditor::placeOf(size_t edit) const {
  return glint::output::wordsOf(edits().edits[edit], task_.sources.size(), frameWords());
}

/// Returns the words for the frame of an anchor. It has the timeline's number if the history knows
/// the frame, otherwise that of tables.
output::FrameWords TrackEditor::frameWords() const {
  return [known = known_](const output::TrackAnchor& at) {
    const auto set = known ? shell::setOf(*known, at.camera, at.frame) : std::nullopt;
    return set ? FrameName(*set).in(at.frame).words() : output::frameInTables(at);
  };
}

double TrackEditor::redoAt() const {
  return redoAt_.empty() ? std::numeric_limits<double>::infinity() : redoAt_.back();
}

bool TrackEditor::possible() const {
  if (known_) return true;
  messages_->say("only tracks of recordings can be edited, once they are known");
  return false;
}

const motion::TrackRow* TrackEditor::shownRow(const Selection& one, const TrackView& shown) const {
  if (shown.provisional() || one.camera >= shown.cameras().size()) return nullptr;
  return shown.cameras()[one.camera].row(one.track);
}

/// Returns the place by which an edit finds a track again: its row on the screen if it was
/// measured, otherwise the anchor of its summary.
std::optional<output::TrackAnchor> TrackEditor::anchorOf(const Selection& one,
                                                         const TrackView& shown) const {
  const motion::TrackRow* row = shownRow(one, shown);
  if (row && row->state == motion::TrackState::measured)
    return shell::anchorAt(CameraIndex(one.camera), *row);
  if (const shell::TrackSummary* known = track(one.track)) return known->anchor;
  messages_->say(fmt::format("track {} is not known yet", nameOf(one.track)));
  return std::nullopt;
}

void TrackEditor::add(output::TrackEdit edit, const std::string& name) {
  made_.add(std::move(edit), name);
  changed();
  messages_->say(name);
}

/// Completes a new step: notes its time, forgets undone steps, and saves the edits.
void TrackEditor::changed() {
  undoAt_.push_back(monotonicSeconds());
  if (undoAt_.size() > shell::EditHistory::kDeepest) undoAt_.erase(undoAt_.begin());
  redoAt_.clear();
  keep();
}

void TrackEditor::keep() {
  if (path_.empty()) return;
  try {
    std::error_code ignored;
    if (made_.now() == output::TrackEdits())
      std::filesystem::remove(path_, ignored);
    else
      output::writeEdits(made_.now(), path_);
  } catch (const Error& error) {
    messages_->fail(error.what());
  }
}

void TrackEditor::rename(const Selection& one, const std::string& given, const TrackView& shown) {
  if (!possible()) return;
  const std::string name = withoutBlanksAround(given);
  if (!output::canBeName(name))
    return messages_->fail(
        fmt::format("a name has at most {} bytes, and no tabs", output::TrackEdits::kLongestName));
  const std::string before = nameOf(one.track);
  if (name == (before == fmt::to_string(one.track) ? "" : before)) return;
  if (const auto at = anchorOf(one, shown))
    add({.kind = output::EditKind::rename, .at = *at, .name = name},
        name.empty() ? fmt::format("take the name of {} away", one.track)
                     : fmt::format("rename {} to {}", before, name));
}

void TrackEditor::hide(const Selection& one, const TrackView& shown) {
  if (!possible()) return;
  const bool hidden = applied_ && applied_->hidden(one.track);
  if (const auto at = anchorOf(one, shown))
    add({.kind = hidden ? output::EditKind::show : output::EditKind::hide, .at = *at},
        fmt::format("{} {}", hidden ? "show" : "hide", nameOf(one.track)));
}

bool TrackEditor::remove(const Selection& one, const TrackView& shown) {
  const auto at = possible() ? anchorOf(one, shown) : std::nullopt;
  if (at) add({.kind = output::EditKind::remove, .at = *at}, "delete " + nameOf(one.track));
  return at.has_value();
}

bool TrackEditor::split(const Selection& one, const TrackView& shown) {
  if (!possible()) return false;
  const motion::TrackRow* row = shownRow(one, shown);
  const shell::TrackSummary* known = track(one.track);
  const bool hidden = applied_ && applied_->hidden(one.track);
  if (!row) {
    messages_->say(nameOf(one.track) + (hidden ? " is hidden" : " is not in this frame"));
    return false;
  }
  if (known && known->first >= row->set) {
    messages_->say(nameOf(one.track) + " begins in this frame: there is nothing to split");
    return false;
  }
  add({.kind = output::EditKind::split, .at = shell::anchorAt(CameraIndex(one.camera), *row)},
      fmt::format("split {} at frame {}", nameOf(one.track), row->set));
  return true;
}

void TrackEditor::join(const Selection& one, const Selection& two, const TrackView& shown) {
  if (!possible()) return;
  if (one.camera != two.camera) return messages_->say("tracks of two cameras cannot be joined");
  const auto at = anchorOf(one, shown), with = anchorOf(two, shown);
  if (!at || !with) return;
  const std::string first = nameOf(one.track), second = nameOf(two.track);
  const shell::TrackSummary *a = track(one.track), *b = track(two.track);
  if (a && b && isWithin(*b, *a))
    return messages_->say(fmt::format(
        "{} and {} cannot be joined: {} is seen in every frame in which {} is, so they are two "
        "markers",
        first, second, first, second));
  const bool together = a && b && a->first <= b->last && b->first <= a->last;
  add({.kind = output::EditKind::join, .at = *at, .with = with},
      fmt::format("join {} and {}", first, second));
  if (together)
    messages_->say(
        fmt::format("join {} and {}: in frames with both, {} keeps its id", first, second, second));
}

void TrackEditor::swap(const Selection& one, const Selection& two, const TrackView& shown) {
  if (!possible()) return;
  const motion::TrackRow *a = shownRow(one, shown), *b = shownRow(two, shown);
  if (one.camera != two.camera || !a || !b)
    return messages_->say("only two tracks that are both in this frame can be swapped");
  const CameraIndex camera(one.camera);
  add({.kind = output::EditKind::swap,
       .at = shell::anchorAt(camera, *a),
       .with = shell::anchorAt(camera, *b)},
      fmt::format("swap {} and {} from frame {} on", nameOf(one.track), nameOf(two.track), a->set));
}

void TrackEditor::removeEdit(size_t edit) {
  if (edit >= edits().edits.size()) return;
  made_.removeAt(edit, "drop an edit");
  changed();
}

void TrackEditor::setScale(size_t camera, std::optional<double> mmPerPx) {
  output::TrackEdits next = edits();
  if (mmPerPx)
    next.mmPerPx[CameraIndex(camera)] = *mmPerPx;
  else
    next.mmPerPx.erase(CameraIndex(camera));
  become(std::move(next),
         mmPerPx ? fmt::format("scale {:.4g} mm per pixel", *mmPerPx) : std::string("no scale"));
}

void TrackEditor::become(output::TrackEdits next, const std::string& name) {
  if (next == edits()) return;
  made_.become(std::move(next), name);
  changed();
  messages_->say(name);
}

void TrackEditor::undo() {
  const std::string name = made_.undoName();
  if (!made_.undo()) return;
  redoAt_.push_back(undoAt_.back());
  undoAt_.pop_back();
  keep();
  messages_->say("undone: " + name);
}

void TrackEditor::redo() {
  const std::string name = made_.redoName();
  if (!made_.redo()) return;
  undoAt_.push_back(redoAt_.back());
  redoAt_.pop_back();
  keep();
  messages_->say("redone: " + name);
}

void TrackEditor::forgetRedo() {
  made_.forgetRedo();
  redoAt_.clear();
}

}  // namespace glint::ui
