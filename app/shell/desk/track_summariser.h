// Makes summaries of a recording's tracks on a thread of its own, because those of a long recording
// take a while.
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

/// The worker that summarises tracks. It works on one request at a time. A newer request replaces
/// one that waits. No call waits, except the destructor, which waits for the request in work.
class TrackSummariser {
 public:
  struct Request {
    std::shared_ptr<const session::TrackHistory> history;
    std::shared_ptr<const output::EditedTracks> edits;  ///< null: no edits
    uint64_t number = 0;                                ///< number that the caller has chosen
  };
  struct Result {
    Request of;
    std::vector<TrackSummary> tracks;  ///< see summarise()
    double seconds = 0;                ///< time that the work took
  };

  /// `changed` is called on the thread after each result. It must not wait; it may be empty.
  explicit TrackSummariser(std::function<void()> changed = {});
  ~TrackSummariser();
  TrackSummariser(const TrackSummariser&) = delete;
  TrackSummariser& operator=(const TrackSummariser&) = delete;

  /// Requests summaries. The request replaces one that waits.
  void ask(Request request);
  /// Returns the newest result; null if there is none yet.
  std::shared_ptr<const Result> result() const;
  /// Returns true while a request waits or is in work.
  bool busy() const;

 private:
  void work();

  const std::function<void()> changed_;
  mutable std::mutex mutex_;
  std::condition_variable asked_;
  std::optional<Request> request_;  // the request that waits
  std::shared_ptr<const Result> result_;
  bool working_ = false, ending_ = false;
  std::thread thread_;  // the last member, because the thread uses all others
};

}  // namespace glint::shell
