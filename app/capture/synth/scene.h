// A synthetic scene as one camera sees it: the image of any frame, and the exact truth of it. Each
// scene has a file of its own.
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

/// Where a marker truly is.
struct TruthMarker {
  int id = 0;            ///< from 1, the same in all cameras of the dancer
  double x = 0, y = 0;   ///< px, the projection of the marker's centre; given when hidden, too
  bool visible = false;  ///< wholly inside the image, not hidden, not half covered by a nearer one
};

/// The frames of one camera. Frame f depends on the options and f alone, not on what was asked
/// before. Used by one thread at a time.
class Scene {
 public:
  virtual ~Scene() = default;
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;

  const SynthOptions& options() const { return options_; }
  const gpu::ImageFormat& format() const { return format_; }

  /// Every marker of the scene, in the order of the ids. The extent of a Gaussian is 2 sigma.
  std::vector<TruthMarker> truth(uint64_t frame) const;

  /// The camera, world in mm; null in a scene that is flat.
  virtual const motion::RigCamera* camera() const { return nullptr; }

  /// Where every marker is in that world, mm, in the order of the ids; empty in a flat scene.
  virtual std::vector<Eigen::Vector3d> places(uint64_t) const { return {}; }

  /// The rigid bodies among the markers, which their labels name by id; empty where there are none.
  virtual std::vector<motion::Body> bodies() const;

  /// From each body's axes to that world, mm, in the order of the bodies.
  virtual std::vector<Eigen::Isometry3d> poses(uint64_t) const { return {}; }

  /// Renders into `image`, whose format equals format(). Markers that are not hidden are added to
  /// the backdrop; then come noise, rounding and saturation.
  void render(uint64_t frame, const gpu::ImageView& image);

 protected:
  explicit Scene(const SynthOptions& options);

  /// A marker in the image.
  struct Projected {
    double x = 0, y = 0;  ///< px
    double radius = 0;    ///< px, of the disc; 0 is a Gaussian
    double depth = 0;     ///< the lesser is nearer
    bool hidden = false;
  };

  /// Whether markers shine. If not, the backdrop shows them.
  virtual bool shines() const { return true; }

  /// All markers; the first has id 1.
  virtual std::vector<Projected> project(uint64_t frame) const = 0;

  /// Sets every pixel of `canvas`, which holds the frame before.
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

/// The first line of a file of truth in space: frame,time_s,marker,x_mm,y_mm,z_mm.
void writeTruth3dHeader(std::ostream& out);

/// One line per marker of the frame; places to 1e-4 mm.
void writeTruth3d(const Scene& scene, uint64_t frame, std::ostream& out);

/// The first line of a file of true poses: frame,time_s,body,x_mm,y_mm,z_mm,qx,qy,qz,qw.
void writeTruthPosesHeader(std::ostream& out);

/// One line per body of the frame; as of poses.csv.
void writeTruthPoses(const Scene& scene, uint64_t frame, std::ostream& out);

/// Throws UsageError when the markers of `spots` do not fit into the image, or those of `board` not
/// into its squares or their dictionary.
std::unique_ptr<Scene> makeScene(const SynthOptions& options);

std::unique_ptr<Scene> makeDancer(const SynthOptions& options);
std::unique_ptr<Scene> makeSpots(const SynthOptions& options);
std::unique_ptr<Scene> makeCrossing(const SynthOptions& options);
std::unique_ptr<Scene> makeWand(const SynthOptions& options);
std::unique_ptr<Scene> makeBoard(const SynthOptions& options);

}  // namespace glint::capture
