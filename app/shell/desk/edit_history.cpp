#include "app/shell/desk/edit_history.h"

#include <utility>

namespace glint::shell {

EditHistory::EditHistory(output::TrackEdits edits)
    : now_(std::make_shared<const output::TrackEdits>(std::move(edits))) {}

void EditHistory::become(output::TrackEdits edits, std::string name) {
  if (edits == *now_) return;
  undo_.push_back({std::move(name), now_});
  if (undo_.size() > kDeepest) undo_.pop_front();
  redo_.clear();
  now_ = std::make_shared<const output::TrackEdits>(std::move(edits));
  ++revision_;
}

void EditHistory::add(output::TrackEdit edit, std::string name) {
  output::TrackEdits next = *now_;
  next.edits.push_back(std::move(edit));
  become(std::move(next), std::move(name));
}

void EditHistory::removeAt(size_t edit, std::string name) {
  output::TrackEdits next = *now_;
  if (edit >= next.edits.size()) return;
  next.edits.erase(next.edits.begin() + static_cast<ptrdiff_t>(edit));
  become(std::move(next), std::move(name));
}

bool EditHistory::go(std::deque<Step>& from, std::deque<Step>& to) {
  if (from.empty()) return false;
  Step step = std::move(from.back());
  from.pop_back();
  to.push_back({std::move(step.name), std::exchange(now_, step.edits)});
  ++revision_;
  return true;
}

}  // namespace glint::shell
