// A chain of filters on the device: a graph of planes, each made from earlier ones.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "config/filter_use.h"
#include "gpu/filters/graph.h"
#include "gpu/filters/images.h"
#include "gpu/filters/kernels.h"
#include "gpu/filters/templates.h"
#include "gpu/frame_pool.h"
#include "gpu/passes.h"
#include "gpu/recorder.h"

namespace glint::filters {
struct BlockStart;
}

namespace glint {

/// The plane of one filter, as it lies in the buffer that it was copied to.
struct ViewedPlane {
  ImageFormat format;
  shared::PlaneShape shape;
  int32_t left = 0, top = 0;  ///< where the frame has its first pixel
};

/// The planes that a chain makes from a frame.
struct ChainPlanes {
  Plane measured;  ///< grey: the last plane that only filters lead to that feed `measure`
  Plane response;  ///< grey: of the last plane of all
  Plane kept;      ///< of the filter that was to be kept, in colour if it is
  std::optional<ViewedPlane> viewed = {};  ///< empty: none was to be, or no filter has the id
};

/// For frames of one format. Its parameters may differ from frame to frame; kernels and planes
/// stay. One frame in flight.
class FilterChain {
 public:
  struct Keep {
    std::string plane;    ///< keeps the plane of the filter with this id; empty: of the last one
    bool colour = false;  ///< wherever filters take it; otherwise only for those that need it
    /// Whether passes with tiles are used, where the device has them. Empty: on all but CPUs.
    std::optional<bool> tiles = {};
  };

  /// A filter whose plane is copied while a frame is recorded: that changes nothing of the others,
  /// nor of what they remember.
  struct View {
    std::string filter;          ///< its id; empty: none
    const Buffer* to = nullptr;  ///< with room for the frame in colour
  };

  /// `device` and `passes` must outlive it. Throws UsageError where a filter does not take what it
  /// is given (colour, an image of another size), Error where the device has no room.
  FilterChain(const Device& device, const Passes& passes, FilterKernels& kernels,
              const FrameFormat& format, const FilterUses& uses, const FilterImages& images,
              const Keep& keep = {"", false, {}});
  ~FilterChain();

  /// Whether these filters differ from those it was made for in parameters only.
  bool fits(const FilterUses& uses, const FilterImages& images) const;

  /// Records all filters on a frame whose planes are given. `uses` must fit. A repeated frame is
  /// treated as before. The memory is cleared where frames do not follow each other.
  ChainPlanes record(Recorder& recorder, const FrameSlot& frame, const FilterUses& uses,
                     const Plane& source, const Plane& luminance, const View& view = {"", nullptr});

  /// Of ChainPlanes::kept, with the parameters that it was made with.
  ImageFormat keptFormat() const;

  /// The numbers that parameters could follow in a camera's last frame: "light.mean", ...
  std::vector<std::pair<std::string, double>> used(uint32_t layer) const;

  /// Whether it matches a template.
  bool matches() const { return !graph_.matchers.empty(); }
  /// Whether the response tells how well one matches, so that its peaks are where it is found.
  bool finds() const;
  /// What the templates match in the frame recorded last, at places of each layer (px of the
  /// frame), each by the one that matches best; empty where none does. `place`: also where it lies
  /// to a fraction of a pixel; otherwise only the fit is valid. The recording must be done; waits
  /// for the device.
  std::vector<std::vector<std::optional<TemplateMatch>>> matchesAt(
      const std::vector<std::vector<std::pair<uint32_t, uint32_t>>>& places, bool place);

  /// After the recording is done: reads the numbers of filters that reduce, for the next frame.
  /// Those of a camera's first frame are its own, for when it is recorded again.
  void learn();
  /// How often a frame must be recorded, and learned from, until its own numbers are there: once
  /// if they are those of the frame before.
  size_t runsFor(const FrameSlot& frame) const;

 private:
  using Layer = FilterGraph::Layer;
  using Rect = FilterGraph::Rect;
  using Reduction = FilterGraph::Reduction;
  using Step = FilterGraph::Step;
  using Template = FilterGraph::Template;
  using Value = FilterGraph::Value;

  void advance(const FrameSlot& frame);
  void fill(Step& step, const FilterUses& uses);
  void fillPoint(Step& step, const FilterUses& uses);
  void fillFilter(Step& step, const FilterUses& uses);
  void fillTemplate(Step& step, const FilterUse& use);
  void putTemplate(Step& step, const FilterUse& use);
  void followTemplate(Step& step);
  Recorder& beginAfter();
  double parameterOf(const Step& step, const char* name, uint32_t layer) const;
  std::optional<TemplateImage> seenAt(const Step& step, uint32_t layer, int64_t x, int64_t y);
  /// A part of a plane, px of the plane.
  struct Cut {
    size_t value = 0;
    uint32_t layer = 0;
    int64_t left = 0, top = 0, width = 1, height = 1;
  };
  std::vector<TemplateImage> cutOut(std::span<const Cut> cuts);
  std::vector<uint32_t> wordsAt(const Step& step, std::span<const Cut> places);
  const TemplateFitter& fitterOf(Step& step, uint32_t layer, uint32_t which) const;
  /// A match that is to be placed: `x`, `y`: px of the template's plane.
  struct Asked {
    Step* step = nullptr;
    uint32_t layer = 0, which = 0, score = 0;
    int64_t x = 0, y = 0;
    std::optional<TemplateMatch>* match = nullptr;
  };
  void place(std::span<const Asked> asked);
  filters::ParameterValues valuesOf(const FilterUse& use, uint32_t layer) const;
  filters::BlockStart* blockOf(Step& step, uint32_t layer) const;
  void draw(const Value& value);
  void placeRects(const FilterUses& uses);
  shared::PlaneShape shapeOf(const Rect& rect, uint32_t channels) const;
  shared::PlaneShape shapeOf(const Value& value) const;
  void place(Recorder& recorder, const Step& step, const std::vector<Plane>& planes) const;
  void run(Recorder& recorder, Step& step, const std::vector<Plane>& planes);
  void runPoint(Recorder& recorder, const Step& step, const Buffer& from, const Buffer& to) const;
  void runPart(Recorder& recorder, const Step& whole, size_t last, const FilterUses& uses,
               const Buffer& to);
  void startBlocks(Step& step);
  void runPasses(Recorder& recorder, const Step& step, const std::vector<Plane>& planes);
  void runBlocks(Recorder& recorder, const Step& step, size_t pass,
                 const std::vector<const Buffer*>& buffers);
  std::optional<double> drivenBy(const FilterUse::Driven& driven, uint32_t layer) const;

  FilterGraph graph_;
  std::vector<Plane> planes_;              // of the last frame, a value each
  std::unique_ptr<Step> part_;             // of fused point filters, for a view
  std::unique_ptr<Recorder> after_;        // for what is done behind a frame
  std::unique_ptr<Buffer> fits_, pixels_;  // what is read then
};

}  // namespace glint
