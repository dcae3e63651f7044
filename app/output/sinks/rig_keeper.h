// Writes the rig at the end of a run into a file.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/motion/space/space_rig.h"
#include "app/output/sinks/sink.h"

namespace glint::output {

/// A sink that writes the rig from which the last points were computed, with the corrections that
/// were made to it. Writes nothing if there were no points.
class RigKeeper : public Sink {
 public:
  explicit RigKeeper(std::string path) : path_(std::move(path)) {}

  void accept(const motion::FramePtr& frame) override;
  void finish() override;

 private:
  std::string path_;
  std::shared_ptr<const motion::SpaceRig> rig_;
  std::vector<std::string> corrections_;
};

}  // namespace glint::output
