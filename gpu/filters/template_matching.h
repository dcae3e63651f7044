// The templates of a chain: what their kernels read, what they match in a frame, and how they
// follow it. Internal to gpu/filters/.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "gpu/filters/graph.h"
#include "gpu/recorder.h"

namespace glint::gpu {

/// Works on the steps of a graph that match a template.
class TemplateMatching {
 public:
  using FilterStep = FilterGraph::FilterStep;
  /// Places of each layer, px of the frame.
  using Places = std::vector<std::vector<std::pair<uint32_t, uint32_t>>>;
  /// The matches at such places; empty where no template matches.
  using Matches = std::vector<std::vector<std::optional<TemplateMatch>>>;

  /// `planes`: those of the last recorded frame, one for each value of the graph. Both must outlive
  /// this.
  TemplateMatching(FilterGraph& graph, const std::vector<Plane>& planes)
      : graph_(graph), planes_(planes) {}

  /// Makes the template that a step's parameters ask for, without what it learned. Throws
  /// UsageError.
  void prepare(FilterStep& step, const FilterUse& use) const;
  /// Puts the template's variants where the kernels read them, if they changed. Throws UsageError.
  void put(FilterStep& step, const FilterUse& use);
  /// Takes what was learned from the frame before, if the layer's next frame follows it. Otherwise
  /// the templates are as their files have them.
  void beginFrame(uint32_t layer, bool follows);
  /// Learns from the frame recorded last, where a template follows what it finds. Waits for the
  /// device.
  void learn();

  /// Returns true if the response tells how well a template matches, so that its peaks are where it
  /// is found.
  bool finds() const;
  /// Returns what the templates match in the frame recorded last, at each place by the one that
  /// matches best. `place`: also where it lies to a fraction of a pixel; otherwise only the fit is
  /// valid. The recording must be done; waits for the device.
  Matches matchesAt(const Places& places, bool place);

 private:
  using Rect = FilterGraph::Rect;
  using Reduction = FilterGraph::Reduction;
  using Template = FilterGraph::Template;
  using Value = FilterGraph::Value;
  /// A part of a plane, px of the plane.
  struct Cut {
    size_t value = 0;
    uint32_t layer = 0;
    int64_t left = 0, top = 0, width = 1, height = 1;
  };
  /// A match that is to be placed: `x`, `y`: px of the template's plane.
  struct Asked {
    FilterStep* step = nullptr;
    uint32_t layer = 0, which = 0, score = 0;
    int64_t x = 0, y = 0;
    std::optional<TemplateMatch>* match = nullptr;
  };

  Recorder& begin();
  std::vector<TemplateImage> cutOut(std::span<const Cut> cuts);
  std::vector<uint32_t> wordsAt(const FilterStep& step, std::span<const Cut> places);
  const TemplateFitter& fitterOf(FilterStep& step, uint32_t layer, uint32_t which) const;
  void place(std::span<const Asked> asked);
  std::optional<TemplateImage> seenAt(const FilterStep& step, uint32_t layer, int64_t x, int64_t y);
  void follow(FilterStep& step);

  FilterGraph& graph_;
  const std::vector<Plane>& planes_;
  std::unique_ptr<Recorder> after_;        // runs what is done after a frame
  std::unique_ptr<Buffer> fits_, pixels_;  // what is read then
};

}  // namespace glint::gpu
