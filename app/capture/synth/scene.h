// Makes a synthetic scene as one camera sees it: the image of any frame, and its exact truth. Each
// scene is defined in a file of its own.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <vector>

#include <Eigen/Geometry>

#include "app/capture/synth/canvas.h"
#include "app/capture/synth/options.h"
#include "app/motion/geometry/camera.h"
#include "gpu/frame.h"

namespace glint::motion {
struct Body;
}  // namespace glint::motion

namespace glint::capture {

/// The true place of a marker.
struct TruthMarker {
  int id = 0;           ///< from 1, the same in all cameras of the dancer
  double x = 0, y = 0;  ///< px: projection of the marker's centre, even if the marker is hidden
  /// True if it is wholly inside the image, not hidden, and not half covered by a nearer marker.
  bool visible = false;
};

/// The frames of one camera. Frame f depends only on the options and on f, not on earlier calls.
/// One thread at a time may use it.
class Scene {
 public:
  virtual ~Scene() = default;
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;

  const SynthOptions& options() const { return options_; }
  const gpu::ImageFormat& format() const { return format_; }

  /// Returns every marker of the scene, in the order of the ids. A Gaussian counts as wide as 2
  /// sigma to each side.
  std::vector<TruthMarker> truth(uint64_t frame) const;

  /// Returns the camera in a world in mm; null in a flat scene.
  virtual const motion::RigCamera* camera() const { return nullptr; }

  /// Returns the place of every marker in that world, mm, in the order of the ids; empty in a flat
  /// scene.
  virtual std::vector<Eigen::Vector3d> places(uint64_t) const { return {}; }

  /// Returns the rigid bodies among the markers, whose labels are the markers' ids; empty if there
  /// are none.
  virtual std::vector<motion::Body> bodies() const;

  /// Returns the pose of each body, from its axes to that world, mm, in the order of the bodies.
  virtual std::vector<Eigen::Isometry3d> poses(uint64_t) const { return {}; }

  /// Renders a frame into `image`, whose format must be format(): the backdrop, the markers that
  /// are not hidden, and then noise, rounding and saturation.
  void render(uint64_t frame, const gpu::ImageView& image);

 protected:
  explicit Scene(const SynthOptions& options);

  /// A marker in the image.
  struct Projected {
    double x = 0, y = 0;  ///< px
    double radius = 0;    ///< px: radius of a disc; 0: a Gaussian
    double depth = 0;     ///< the marker with the smaller depth is nearer
    bool hidden = false;
  };

  /// Returns true if markers shine; otherwise the backdrop shows them.
  virtual bool shines() const { return true; }

  /// Returns all markers; the first one has the id 1.
  virtual std::vector<Projected> project(uint64_t frame) const = 0;

  /// Sets every pixel of `canvas`, which still shows the frame rendered before.
  virtual void paintBackdrop(uint64_t frame, Canvas& canvas) const;

 private:
  SynthOptions options_;
  gpu::ImageFormat format_;
  Canvas canvas_;
};

/// Writes the first line of a truth file: camera,frame,id,x,y,visible.
void writeTruthHeader(std::ostream& out);

/// Writes one line per marker of the frame; positions to 1e-4 px, visible as 0 or 1.
void writeTruth(const Scene& scene, uint64_t frame, std::ostream& out);

/// Writes the first line of a file of truth in space: frame,time_s,marker,x_mm,y_mm,z_mm.
void writeTruth3dHeader(std::ostream& out);

/// Writes one line per marker of the frame; places to 1e-4 mm.
void writeTruth3d(const Scene& scene, uint64_t frame, std::ostream& out);

/// Writes the first line of a file of true poses: frame,time_s,body,x_mm,y_mm,z_mm,qx,qy,qz,qw.
void writeTruthPosesHeader(std::ostream& out);

/// Writes one line per body of the frame, with numbers as in poses.csv.
void writeTruthPoses(const Scene& scene, uint64_t frame, std::ostream& out);

/// Makes the scene of the options. Throws UsageError if the markers of `spots` do not fit into the
/// image, or those of `board` not into its squares or their dictionary.
std::unique_ptr<Scene> makeScene(const SynthOptions& options);

std::unique_ptr<Scene> makeDancer(const SynthOptions& options);
std::unique_ptr<Scene> makeSpots(const SynthOptions& options);
std::unique_ptr<Scene> makeCrossing(const SynthOptions& options);
std::unique_ptr<Scene> makeWand(const SynthOptions& options);
std::unique_ptr<Scene> makeBoard(const SynthOptions& options);

}  // namespace glint::capture
