// The report of what was recorded or exported last, in the browser.
#pragma once

#include <functional>
#include <thread>
#include <utility>

#include "ui/context/context.h"

namespace glint::ui {

/// Makes pages on a thread of its own. Main thread.
class ReportMaker {
 public:
  explicit ReportMaker(Context& context)
      : messages_(context.messages), wake_(context.actions.wake) {}
  ~ReportMaker();
  ReportMaker(const ReportMaker&) = delete;
  ReportMaker& operator=(const ReportMaker&) = delete;

  /// Tracks that a report can be made of; others are passed over.
  void remember(const std::string& tracks);
  bool possible() const { return !tracks_.empty(); }

  /// Makes the page beside the tracks, and opens it.
  void show();

 private:
  Messages& messages_;
  std::function<void()> wake_;
  std::string tracks_;
  std::thread thread_;
};

}  // namespace glint::ui
