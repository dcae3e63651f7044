// The cameras that there are, looked for again and again while somebody wants to know.
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

/// A thread for each kind of camera, since some take a second to answer. Begins with the first
/// watch(true); rests, and costs nothing, after watch(false). No call waits for a camera, apart
/// from the destructor: for a second at most, where it was being watched.
class CameraWatch {
 public:
  struct Cameras {
    std::vector<CameraInfo> all;    ///< a kind after the other
    std::set<std::string> plugged;  ///< sources that have come since they were first listed
    std::set<std::string> looked;   ///< sources that were opened for look()
    bool complete = false;          ///< every kind was listed once
    bool operator==(const Cameras&) const = default;
  };

  /// `changed` is called on the threads when cameras() gives something else; must not wait.
  /// `kinds`: those that are listed.
  explicit CameraWatch(std::function<void()> changed,
                       std::span<const SourceKind* const> kinds = sourceKinds());
  ~CameraWatch();
  CameraWatch(const CameraWatch&) = delete;
  CameraWatch& operator=(const CameraWatch&) = delete;

  void watch(bool on);
  /// Opens a camera that was listed, once, so that cameras() tells what it offers.
  void look(const std::string& source);
  /// Never null.
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
  bool wantsLook(const Kind& kind) const;
  void lookAtWanted(Kind& kind, std::unique_lock<std::mutex>& lock);

  const std::function<void()> changed_;
  mutable std::mutex mutex_;  // of all below, but Kind::list
  std::condition_variable wake_;
  bool watched_ = false, ending_ = false;
  std::list<Kind> kinds_;
  std::map<std::string, CameraInfo> looked_;  // by source, as they were when they were looked at
  std::set<std::string> wanted_;              // sources to be looked at
  std::set<std::string> known_;               // sources that were listed first
  std::shared_ptr<const Cameras> cameras_ = std::make_shared<Cameras>();
};

}  // namespace glint::capture
