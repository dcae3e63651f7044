// Defines the common base of live sources. Internal to capture/.
#pragma once

#include <chrono>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "app/capture/source/exposure_finder.h"
#include "app/capture/source/interrupt.h"
#include "app/capture/source/source.h"

namespace glint::capture {

/// The time that a read waits for a frame, and the time between two checks of the interrupt.
inline constexpr std::chrono::milliseconds kPatience{100}, kPollEvery{20};

/// Returns the time of the host's monotonic clock, s.
inline double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Returns a reading of a camera that is away, after waiting for kPatience so that the caller does
/// not ask again at once.
inline Reading lostReading(const std::string& problem, const Interrupt* interrupt) {
  const auto until = std::chrono::steady_clock::now() + kPatience;
  while (std::chrono::steady_clock::now() < until && !(interrupt && interrupt->isSet()))
    std::this_thread::sleep_for(kPollEvery);
  return {.state = gpu::CameraState::lost, .stamp = {}, .problem = problem};
}

class LiveSource : public Source {
 public:
  LiveSource(std::string name, const Interrupt* interrupt)
      : name_(std::move(name)), interrupt_(interrupt) {}
  const std::string& name() const override { return name_; }
  std::optional<uint64_t> frameCount() const override { return std::nullopt; }
  bool isLive() const override { return true; }
  bool onHostClock() const override { return true; }

 protected:
  bool interrupted() const { return interrupt_ && interrupt_->isSet(); }

  const std::string name_;
  const Interrupt* const interrupt_;
};

/// A camera whose controls can be set, and which may be away.
class CameraSource : public LiveSource {
 public:
  CameraSource(std::string name, const Interrupt* interrupt, const Settings::Camera& request)
      : LiveSource(std::move(name), interrupt), request_(request) {}
  std::vector<SourceFact> facts() const override { return facts_; }
  std::optional<CameraOffer> newOffer() final {
    if (!isThere() || std::exchange(offered_, true)) return std::nullopt;
    return offer();
  }
  void adjust(const Settings::Camera& request) final {
    const Settings::Camera before = std::exchange(request_, request);
    const bool find = search_.ask(request_, before);
    if (!isThere()) return;
    offered_ = false;
    control(before);
    if (find) findExposure();
  }

 protected:
  virtual bool isThere() const = 0;
  virtual CameraOffer offer() const = 0;
  /// Sets the controls for which request_ has another value than `before`.
  virtual void control(const Settings::Camera& before) = 0;
  /// Starts a search for the exposure. A camera that comes back gets the exposure that was set
  /// last.
  virtual void findExposure() = 0;
  /// Hands a frame to the search for the exposure; to be called with each frame.
  void searchExposure(const gpu::ImageView& image) {
    if (!search_.see(image)) return;
    facts_.push_back({kFoundExposure, request_.exposure});
    offered_ = false;
  }

  Settings::Camera request_;
  std::vector<SourceFact> facts_;
  bool offered_ = false;  ///< true if newOffer() has returned the present offer
  ExposureSearch search_;
};

}  // namespace glint::capture
