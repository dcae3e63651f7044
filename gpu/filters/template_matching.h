// Prepares the templates of a chain for their kernels, reads what they match in a frame, and lets
// them follow what they match. Internal to gpu/filters/.
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
  /// Places (x, y) in each layer, px of the frame.
  using Places = std::vector<std::vector<std::pair<uint32_t, uint32_t>>>;
  /// The match at each place; empty where no template matches.
  using Matches = std::vector<std::vector<std::optional<TemplateMatch>>>;

  /// `planes`: the planes of the last recorded frame, one for each value of the graph. `graph` and
  /// `planes` must outlive the object.
  TemplateMatching(FilterGraph& graph, const std::vector<Plane>& planes)
      : graph_(graph), planes_(planes) {}

  /// Makes the template that a step's parameters ask for. If it differs from the present one, what
  /// was learned is forgotten. Throws UsageError.
  void prepare(FilterStep& step, const FilterUse& use) const;
  /// Puts the template's variants where the kernels read them, if they changed. Throws UsageError.
  void put(FilterStep& step, const FilterUse& use);
  /// Chooses the templates of a layer's next frame: those learned from the frame before, if the
  /// next frame follows it, otherwise those of the files.
  void beginFrame(uint32_t layer, bool follows);
  /// Changes the templates with `update` towards what they found in the frame recorded last, for
  /// the next frame. Waits for the device.
  void learn();

  /// Returns true if the response is made from how well a template matches, so that the template
  /// lies where the response has peaks.
  bool finds() const;
  /// Returns the matches of the templates at `places` in the frame recorded last; at each place, of
  /// the template that matches best. `place`: true to fit each place to a fraction of a pixel;
  /// otherwise only TemplateMatch::fit is valid. The device must be done with the frame; waits for
  /// the device.
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
  /// A match to be placed to a fraction of a pixel: variant `which` (from 1) of the step's
  /// template, at the pixel (x, y) of the template's plane.
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
  std::unique_ptr<Recorder> after_;        // runs the work that follows a frame
  std::unique_ptr<Buffer> fits_, pixels_;  // readback of that work: words of matches, and pixels
};

}  // namespace glint::gpu
