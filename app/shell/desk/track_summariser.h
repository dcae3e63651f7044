// Summaries of a recording's tracks, made on a thread of its own: those of a long one take a while.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "app/shell/desk/track_summaries.h"

namespace glint::shell {

/// The newest request replaces one that waits. No call waits, but the destructor does, for the
/// request that is being worked on.
class TrackSummariser {
 public:
  struct Request {
    std::shared_ptr<const session::TrackHistory> history;
    std::shared_ptr<const output::EditedTracks> edits;  ///< null: none
    uint64_t number = 0;                                ///< the asker's own
  };
  struct Result {
    Request of;
    std::vector<TrackSummary> tracks;  ///< see summarise()
    double seconds = 0;                ///< that it took
  };

  /// `changed` is called on the thread after each result; must not wait; may be empty.
  explicit TrackSummariser(std::function<void()> changed = {});
  ~TrackSummariser();
  TrackSummariser(const TrackSummariser&) = delete;
  TrackSummariser& operator=(const TrackSummariser&) = delete;

  void ask(Request request);
  std::shared_ptr<const Result> result() const;  ///< the newest; null: none yet
  bool busy() const;                             ///< a request waits or is being worked on

 private:
  void work();

  const std::function<void()> changed_;
  mutable std::mutex mutex_;
  std::condition_variable asked_;
  std::optional<Request> request_;  // that waits
  std::shared_ptr<const Result> result_;
  bool working_ = false, ending_ = false;
  std::thread thread_;  // last: it uses all else
};

}  // namespace glint::shell
