// The report of what was recorded or exported last, in the browser.
#pragma once

#include <mutex>
#include <string>
#include <thread>

namespace glint::ui {

struct Context;

/// Makes pages on a thread of its own. Main thread.
class Reporting {
 public:
  Reporting() = default;
  ~Reporting();
  Reporting(const Reporting&) = delete;
  Reporting& operator=(const Reporting&) = delete;

  /// Tracks that a report can be made of; others are passed over.
  void remember(const std::string& tracks);
  bool possible() const { return !tracks_.empty(); }

  /// Makes the page beside the tracks, and opens it.
  void show(Context& context);

 private:
  std::string tracks_;
  std::thread thread_;
};

}  // namespace glint::ui
