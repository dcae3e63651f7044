// The recordings of a session: which there are, when they begin, and how they end.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/export/queue.h"
#include "app/session/command.h"

namespace glint {

/// A recording begins with a frame, and holds one stretch of frames that follow each other: what
/// was added waits for its first frame; what has begun ends at a jump. Used by one thread, apart
/// from status().
class Recordings {
 public:
  explicit Recordings(size_t cameras) : next_(cameras) {}

  /// `shown`: a frame of the present pass to begin with, or null: the next one. Throws UsageError
  /// where the id is taken.
  void add(command::AddExporters added, std::shared_ptr<const SessionFrame> shown);

  /// `last`: the rows that are still open. Throws UsageError where there is no such recording.
  void remove(uint64_t id, std::shared_ptr<const SessionFrame> last, Answer answer);

  void hand(const std::shared_ptr<const SessionFrame>& frame);

  /// What has begun ends; what waits for its first frame goes on waiting.
  void endPass(const std::shared_ptr<const SessionFrame>& last);

  /// Everything ends; waits until all is written.
  void finish();

  bool any() const { return !waiting_.empty() || !begun_.empty(); }
  bool wantsPixels() const;
  std::vector<RecordingStatus> status() const;
  std::string firstProblem() const { return queue_.firstProblem(); }
  bool stopped() const { return queue_.stopped(); }

 private:
  struct Begun {
    uint64_t id;
    bool wantsPixels;
  };
  void begin(command::AddExporters added, const SessionFrame& first,
             std::shared_ptr<const SessionFrame> opening);

  std::vector<command::AddExporters> waiting_;
  std::vector<Begun> begun_;
  std::vector<uint64_t> endedByJump_;  // the last ones that nobody removed
  std::vector<uint64_t> next_;         // number of each camera's next frame
  ExportQueue queue_;
};

}  // namespace glint
