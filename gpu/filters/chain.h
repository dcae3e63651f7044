// Runs a chain of filters on the device: a graph of planes, each made from earlier ones.
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

/// The plane of one filter, as it lies in the buffer to which it was copied.
struct ViewedPlane {
  ImageFormat format;
  shared::PlaneShape shape;
  int32_t left = 0, top = 0;  ///< px of the frame: the place of the plane's first pixel
};

/// The planes that a chain makes from a frame.
struct ChainPlanes {
  /// Grey, of the whole frame: the last plane that was made only by filters that feed `measure`.
  Plane measured;
  Plane response;  ///< grey, of the whole frame: the last plane of all
  Plane kept;      ///< the plane that Keep names, in colour if it has colour
  /// The plane that View names; empty if View names none or no filter has that id.
  std::optional<ViewedPlane> viewed = {};
};

/// A chain of filters for frames of one format. The filters' parameters may differ from frame to
/// frame; kernels and planes stay the same. At most one frame is in flight.
class FilterChain {
 public:
  struct Keep {
    /// Id of the filter whose plane is kept; "source": the frame as it came; empty: the last one.
    std::string plane;
    /// True: every filter that takes colour is given it. False: only filters that need it are.
    bool colour = false;
    /// True: passes with tiles are used where the device has what they need. Empty: the same,
    /// except on CPUs.
    std::optional<bool> tiles = {};
  };

  /// A filter whose plane is copied while a frame is recorded. The copy changes neither the other
  /// planes nor what filters remember.
  struct View {
    std::string filter;          ///< id of the filter; empty: nothing is copied
    const Buffer* to = nullptr;  ///< has room for the frame in colour
  };

  /// `device` and `passes` must outlive the chain. Throws UsageError where a filter does not take
  /// what it is given (colour, an image of another size), Error where the device has no room.
  FilterChain(const Device& device, const Passes& passes, FilterKernels& kernels,
              const FrameFormat& format, const FilterUses& uses, const FilterImages& images,
              const Keep& keep = {"", false, {}});
  ~FilterChain();

  /// Returns true if `uses` differ from the filters of the constructor in parameters only, and
  /// `images` are the same object.
  bool fits(const FilterUses& uses, const FilterImages& images) const;

  /// Records all filters on a frame whose planes are given. `uses` must fit (see fits()). A frame
  /// that is recorded again is treated as the first time. Where a camera's frames do not follow
  /// each other, its filters forget earlier frames.
  ChainPlanes record(Recorder& recorder, const FrameSlot& frame, const FilterUses& uses,
                     const Plane& source, const Plane& luminance, const View& view = {"", nullptr});

  /// Returns the format of ChainPlanes::kept, for the parameters of the frame recorded last (before
  /// the first frame: for those of the constructor).
  ImageFormat keptFormat() const;

  /// Returns the numbers that parameters could follow in a camera's last frame, with their names
  /// (such as "light.mean").
  std::vector<std::pair<std::string, double>> used(uint32_t layer) const {
    return graph_.reported(layer);
  }

  /// Returns true if a filter matches a template.
  bool matches() const { return !graph_.matchers.empty(); }
  /// See TemplateMatching for finds() and matchesAt().
  bool finds() const { return templates_.finds(); }
  TemplateMatching::Matches matchesAt(const TemplateMatching::Places& places, bool place) {
    return templates_.matchesAt(places, place);
  }

  /// Reads the numbers of filters that reduce, for the next frame; to be called once the device is
  /// done with the recording. The numbers of a camera's first frame also serve that frame itself,
  /// if it is recorded again.
  void learn();
  /// Returns how often a frame must be recorded, each time followed by learn(), until its filters
  /// have used the right numbers. Once is enough if these are the numbers of the previous frame.
  /// Without a previous frame, each filter that reports numbers takes one more.
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

  // These make the numbers of a step for the frame that is recorded.
  void fill(PointStep& step, const FilterUses& uses) const;
  void fill(FilterStep& step, const FilterUses& uses);
  bool makeNumbers(FilterStep& step, const FilterUse& use, uint32_t layer) const;
  void upload(FilterStep& step);
  void startBlocks(const FilterGraph::NumberBuffers& numbers,
                   const FilterStep::Memory* memory) const;

  // These record the passes of a step.
  bool runOnHost(Recorder& recorder, const std::string& name, size_t input, size_t output,
                 const std::vector<HostFilter>& layers) const;
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
  std::vector<Plane> planes_;  // planes of the last frame, one for each value of the graph
  TemplateMatching templates_;
  std::unique_ptr<PointStep> part_;  // for a view: the first few of several fused point filters
};

}  // namespace glint::gpu
