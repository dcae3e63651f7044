#include "app/motion/labels/pose_files.h"

#include "app/motion/calibrate/deeplabcut.h"
#include "app/motion/labels/pose_hdf5.h"
#include "app/motion/labels/sleap_csv.h"

namespace glint::motion {
namespace {

using Read = PointTable (*)(const std::string& path);

/// Returns the reader of a file; null if none knows it.
Read readerOf(const std::string& path) {
  if (isDeepLabCut(path)) return readDeepLabCut;
  if (isHdf5(path)) return readPoseHdf5;
  return isSleapCsv(path) ? readSleapCsv : nullptr;
}

}  // namespace

bool isPoseFile(const std::string& path) {
  return readerOf(path) != nullptr;
}

PointTable readPoses(const std::string& path) {
  return readerOf(path)(path);
}

}  // namespace glint::motion
