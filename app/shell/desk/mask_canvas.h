// A mask that the user paints.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "gpu/frame.h"
#include "gpu/mask.h"

namespace glint::shell {

/// The measured and ignored pixels of one camera, with undo and redo. One thread.
///
/// Places are those of markers, px: (0, 0) is the centre of the top left pixel. Painting beyond the
/// image has no effect. Each call of a painting function is a stroke that can be undone. All calls
/// between beginStroke() and endStroke(), such as those of a drag, are one stroke.
class MaskCanvas {
 public:
  static constexpr size_t kDeepest = 100;  ///< the largest number of strokes that can be undone

  /// The effect of a stroke on the pixels that it touches.
  enum class Ink {
    ignore,  ///< the pixels are not measured
    measure  ///< the pixels are measured again
  };

  /// Begins with all pixels measured. Width and height are 1 to 65,535 px.
  MaskCanvas(uint32_t width, uint32_t height);

  uint32_t width() const { return mask_.width; }
  uint32_t height() const { return mask_.height; }
  /// Returns the mask, width x height values: 1 = measured, 0 = ignored.
  const gpu::LayerMask& mask() const { return mask_; }
  bool measured(uint32_t x, uint32_t y) const { return mask_.pixels[at(x, y)] != 0; }
  /// Returns the number of ignored pixels.
  size_t ignored() const { return ignored_; }
  /// Returns a number that grows whenever a pixel changes, for whatever reason.
  uint64_t revision() const { return revision_; }
  /// Returns true if the mask differs from the one that was saved or loaded last, or from the one
  /// at the beginning.
  bool unsaved() const { return mask_.pixels != saved_; }

  void beginStroke() { inStroke_ = true; }
  void endStroke();

  /// Paints the pixels whose centres lie within `radius` (>= 0.5 px) of the line from (x0, y0) to
  /// (x1, y1), both ends included. Paints a dot if both ends are the same.
  void brush(double x0, double y0, double x1, double y1, double radius, Ink ink);
  /// Paints the pixels whose centres lie in the rectangle with these corners, in any order, edges
  /// included.
  void rectangle(double x0, double y0, double x1, double y1, Ink ink);
  /// Makes measured pixels ignored, and ignored ones measured.
  void invert();
  /// Makes every pixel measured.
  void clear();
  /// Makes the pixels ignored that `mask` ignores, for instance because they were learned. Throws
  /// UsageError if it has another size.
  void add(const gpu::LayerMask& mask);

  bool canUndo() const { return !undo_.empty(); }
  bool canRedo() const { return !redo_.empty(); }
  /// Returns false if there is no such stroke.
  bool undo() { return go(undo_, redo_); }
  bool redo() { return go(redo_, undo_); }

  /// Replaces the mask by a file of the image's size, as one stroke. Throws UsageError naming the
  /// fault.
  void load(const std::string& path);
  /// Replaces the mask by one of the same size, as one stroke. An empty one ignores nothing.
  void take(const gpu::LayerMask& mask);
  /// Writes the mask into a file for detect.mask, as a whole. Throws UsageError if every pixel is
  /// ignored, and Error naming the file if it cannot be written.
  void save(const std::string& path);

 private:
  /// The pixels that a stroke changes, as runs in the raster with their beginning and length.
  /// Applying a stroke twice restores the mask.
  using Stroke = std::vector<std::pair<size_t, size_t>>;

  size_t at(uint32_t x, uint32_t y) const { return size_t{y} * mask_.width + x; }
  void paint(size_t begin, size_t end, Ink ink);
  void become(const std::vector<uint8_t>& pixels);
  bool go(std::deque<Stroke>& from, std::deque<Stroke>& to);
  void finish();

  gpu::LayerMask mask_;
  std::vector<uint8_t> saved_;
  size_t ignored_ = 0;
  uint64_t revision_ = 0;
  bool inStroke_ = false;
  Stroke stroke_;  // the stroke that is being made
  std::deque<Stroke> undo_, redo_;
};

/// Returns the name of the mask beside a settings file: "lab.mask.png" for "lab.toml". With several
/// cameras, it is "lab.mask%d.png", which detect.mask takes for all of them.
std::string maskFileBeside(const std::string& settingsFile, size_t cameras);

}  // namespace glint::shell
