// A mask that is painted by hand.
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

/// Which pixels of one camera are measured, and how they became so. Used by one thread.
///
/// Places are those of markers, px: (0, 0) is the centre of the top left pixel; what is painted
/// beyond the image is cut off. Each call of paint functions is a stroke that can be undone, unless
/// it comes between beginStroke() and endStroke(), which make one of all in between: a drag.
class MaskCanvas {
 public:
  static constexpr size_t kDeepest = 100;  ///< strokes that can be undone

  /// What a stroke does to the pixels that it touches.
  enum class Ink {
    ignore,  ///< they are not measured
    measure  ///< they are measured again
  };

  /// All pixels are measured. Width and height 1 to 65,535 px.
  MaskCanvas(uint32_t width, uint32_t height);

  uint32_t width() const { return mask_.width; }
  uint32_t height() const { return mask_.height; }
  /// Of width x height: 1 = measured, 0 = ignored.
  const gpu::LayerMask& mask() const { return mask_; }
  bool measured(uint32_t x, uint32_t y) const { return mask_.pixels[at(x, y)] != 0; }
  /// Pixels that are ignored.
  size_t ignored() const { return ignored_; }
  /// Counts up whenever a pixel changes, by whatever.
  uint64_t revision() const { return revision_; }
  /// Whether it differs from what was saved or loaded last, or begun with.
  bool unsaved() const { return mask_.pixels != saved_; }

  void beginStroke() { inStroke_ = true; }
  void endStroke();

  /// Pixels whose centres lie within `radius` (>= 0.5 px) of the line from (x0, y0) to (x1, y1),
  /// both ends counted; a dot where they are the same.
  void brush(double x0, double y0, double x1, double y1, double radius, Ink ink);
  /// Pixels whose centres lie in the rectangle of these corners, in whatever order, edges counted.
  void rectangle(double x0, double y0, double x1, double y1, Ink ink);
  /// Every pixel becomes what it was not.
  void invert();
  /// Every pixel is measured.
  void clear();
  /// What is ignored in `mask` too is ignored from now on, such as what was learned. Throws
  /// UsageError where it is of another size.
  void add(const gpu::LayerMask& mask);

  bool canUndo() const { return !undo_.empty(); }
  bool canRedo() const { return !redo_.empty(); }
  bool undo() { return go(undo_, redo_); }  ///< false where there is nothing
  bool redo() { return go(redo_, undo_); }

  /// A mask file of the image's size: one stroke. Throws UsageError naming what is wrong.
  void load(const std::string& path);
  /// The same from a mask of that size, or an empty one, which ignores nothing.
  void take(const gpu::LayerMask& mask);
  /// For detect.mask, whole or not at all. Throws UsageError where every pixel is ignored, Error
  /// naming the file.
  void save(const std::string& path);

 private:
  /// Pixels that changed: where each run of them begins in the raster, and how many they are. Twice
  /// the same stroke is none.
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
  Stroke stroke_;  // that is being made
  std::deque<Stroke> undo_, redo_;
};

/// The mask files beside a settings file: "lab.toml" -> "lab.mask.png", of several cameras
/// "lab.mask%d.png", which detect.mask takes for all of them.
std::string maskFileBeside(const std::string& settingsFile, size_t cameras);

}  // namespace glint::shell
