// The report about the last recording or export, shown in the browser.
#pragma once

#include <functional>
#include <thread>
#include <utility>

#include "ui/context/context.h"

namespace glint::ui {

/// The making of report pages, on a thread of its own. All functions belong to the main thread.
class ReportMaker {
 public:
  explicit ReportMaker(Context& context)
      : messages_(context.messages), wake_(context.actions.wake) {}
  ~ReportMaker();
  ReportMaker(const ReportMaker&) = delete;
  ReportMaker& operator=(const ReportMaker&) = delete;

  /// Remembers a file of tracks for the report. Files that no report can be made of are ignored.
  void remember(const std::string& tracks);
  bool possible() const { return !tracks_.empty(); }

  /// Makes the page beside the tracks, and opens it in the browser.
  void show();

 private:
  Messages& messages_;
  std::function<void()> wake_;
  std::string tracks_;  // the exported file of tracks that a report can be made of; empty: none
  std::thread thread_;
};

}  // namespace glint::ui
