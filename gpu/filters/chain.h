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
#include "gpu/filters/template_matching.h"
#include "gpu/filters/templates.h"
#include "gpu/frame_pool.h"
#include "gpu/passes.h"
#include "gpu/recorder.h"

namespace glint::gpu {

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

  /// Returns true if these filters differ from those it was made for in parameters only.
  bool fits(const FilterUses& uses, const FilterImages& images) const;

  /// Records all filters on a frame whose planes are given. `uses` must fit. A repeated frame is
  /// treated as before. The memory is cleared where frames do not follow each other.
  ChainPlanes record(Recorder& recorder, const FrameSlot& frame, const FilterUses& uses,
                     const Plane& source, const Plane& luminance, const View& view = {"", nullptr});

  /// Returns the format of ChainPlanes::kept, with the parameters that it was made with.
  ImageFormat keptFormat() const;

  /// Returns the numbers that parameters could follow in a camera's last frame: "light.mean", ...
  std::vector<std::pair<std::string, double>> used(uint32_t layer) const {
    return graph_.reported(layer);
  }

  /// Returns true if it matches a template.
  bool matches() const { return !graph_.matchers.empty(); }
  /// See TemplateMatching.
  bool finds() const { return templates_.finds(); }
  TemplateMatching::Matches matchesAt(const TemplateMatching::Places& places, bool place) {
    return templates_.matchesAt(places, place);
  }

  /// Reads the numbers of filters that reduce, for the next frame, after the recording is done.
  /// Those of a camera's first frame are its own, for when it is recorded again.
  void learn();
  /// Returns how often a frame must be recorded, and learned from, until its own numbers are there:
  /// once if they are those of the frame before.
  size_t runsFor(const FrameSlot& frame) const;

 private:
  using FilterStep = FilterGraph::FilterStep;
  using Layer = FilterGraph::Layer;
  using LuminanceStep = FilterGraph::LuminanceStep;
  using PlaceStep = FilterGraph::PlaceStep;
  using PointStep = FilterGraph::PointStep;
  using Rect = FilterGraph::Rect;
  using ReduceStep = FilterGraph::ReduceStep;
  using Reduction = FilterGraph::Reduction;
  using Value = FilterGraph::Value;

  bool follows(const Layer& layer, const FrameStamp& stamp) const;
  void advance(const FrameSlot& frame);
  void placeRects(const FilterUses& uses);
  void drawMarks();
  void collectPlanes(const Plane& source, const Plane& luminance);

  // The numbers of a step for the frame that is recorded.
  void fill(PointStep& step, const FilterUses& uses) const;
  void fill(FilterStep& step, const FilterUses& uses);
  bool makeNumbers(FilterStep& step, const FilterUse& use, uint32_t layer) const;
  void upload(FilterStep& step);
  void startBlocks(const FilterGraph::NumberBuffers& numbers,
                   const FilterStep::Memory* memory) const;

  // The passes of a step.
  void run(Recorder& recorder, const PointStep& step) const;
  void run(Recorder& recorder, const FilterStep& step) const;
  void run(Recorder& recorder, const LuminanceStep& step) const;
  void run(Recorder& recorder, const ReduceStep& step) const;
  void run(Recorder& recorder, const PlaceStep& step) const;
  void runPoint(Recorder& recorder, const PointStep& step, const Buffer& to) const;
  void runBlocks(Recorder& recorder, const FilterStep& step, size_t pass,
                 const std::vector<const Buffer*>& buffers) const;
  void runPart(Recorder& recorder, const PointStep& whole, size_t last, const FilterUses& uses,
               const Buffer& to);

  FilterGraph graph_;
  std::vector<Plane> planes_;  // of the last frame, one for each value
  TemplateMatching templates_;
  std::unique_ptr<PointStep> part_;  // the first ones of fused point filters, for a view
};

}  // namespace glint::gpu
