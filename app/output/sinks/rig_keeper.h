// The rig as it is at the end of a run, as a file.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/motion/space/space_rig.h"
#include "app/output/sinks/sink.h"

namespace glint::output {

/// Writes the rig that the last points were computed with, and what of it was corrected; nothing
/// where there were none.
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
