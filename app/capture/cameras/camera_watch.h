// Lists the cameras of the machine again and again, while they are to be shown.
#pragma once

#include <condition_variable>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "app/capture/source/camera_info.h"
#include "app/capture/source/source_kinds.h"

namespace glint::capture {

/// Lists cameras on one thread for each kind, because some kinds take a second to answer. The
/// threads start at the first watch(true), and sleep after watch(false). No call waits for a
/// camera, except that the destructor waits up to a second if cameras were being watched.
/// Thread-safe.
class CameraWatch {
 public:
  struct Cameras {
    std::vector<CameraInfo> all;  ///< all cameras, kind by kind
    /// Sources that were not there when their kind was first listed.
    std::set<std::string> plugged;
    std::set<std::string> opened;  ///< sources that were opened for inspect()
    bool complete = false;         ///< true once every kind was listed
    bool operator==(const Cameras&) const = default;
  };

  /// `changed` is called on the threads when the result of cameras() changes; it must not wait.
  /// `kinds`: the kinds of cameras to list.
  explicit CameraWatch(std::function<void()> changed,
                       std::span<const SourceKind* const> kinds = sourceKinds());
  ~CameraWatch();
  CameraWatch(const CameraWatch&) = delete;
  CameraWatch& operator=(const CameraWatch&) = delete;

  /// Starts or stops listing.
  void watch(bool on);
  /// Opens a listed camera, once, so that cameras() has its modes and controls.
  void inspect(const std::string& source);
  /// Returns the cameras as listed last; never null.
  std::shared_ptr<const Cameras> cameras() const;

 private:
  struct Kind {
    const SourceKind* kind;
    CameraLister list;
    std::vector<CameraInfo> found;
    bool listed = false;
    std::thread thread;
  };

  void work(Kind& kind);
  void publish();
  bool wantsInspection(const Kind& kind) const;
  void inspectWanted(Kind& kind, std::unique_lock<std::mutex>& lock);

  const std::function<void()> changed_;
  mutable std::mutex mutex_;  // guards the members below, except Kind::list
  std::condition_variable wake_;
  bool watched_ = false, ending_ = false;
  std::list<Kind> kinds_;
  std::map<std::string, CameraInfo> opened_;  // opened cameras by source, as they were then
  std::set<std::string> wanted_;              // sources that are to be opened
  std::set<std::string> known_;               // sources that were there when first listed
  std::shared_ptr<const Cameras> cameras_ = std::make_shared<Cameras>();
};

}  // namespace glint::capture
