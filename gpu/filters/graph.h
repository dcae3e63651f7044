// The graph of planes that a chain of filters consists of. Internal to gpu/filters/.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "config/filter_use.h"
#include "gpu/filters/images.h"
#include "gpu/filters/kernels.h"
#include "gpu/filters/template_fit.h"
#include "gpu/filters/templates.h"
#include "gpu/passes.h"
#include "shared/feedback.h"

namespace glint {

/// sum, mean, min, max, variance: fractions of full scale.
using ReducedNumbers = std::array<double, 5>;

/// The first two values are the frame as it came and its luminance.
inline constexpr size_t kSourceValue = 0, kLuminanceValue = 1;

/// A filter's numbers for one camera.
struct LayerNumbers {
  bool made = false;
  filters::ParameterValues values;
  std::vector<uint32_t> words, tables, begins;
  std::vector<bool> runs;  ///< a pass each
  uint32_t frames = 0;     ///< that it remembers
};

/// Of frames of one format. Its parameters may differ from frame to frame.
struct FilterGraph {
  /// A part of the frame, px.
  struct Rect {
    int64_t left = 0, top = 0;
    uint32_t width = 1, height = 1;
    bool operator==(const Rect&) const = default;
  };

  /// One plane of the graph.
  struct Value {
    uint32_t channels = 1;
    size_t rect = 0;                                      ///< what it shows
    bool given = false;                                   ///< with the frame
    size_t buffer = 0;                                    ///< of the graph
    std::shared_ptr<const Buffer> image{};                ///< from a file
    std::vector<double> means = {};                       ///< of that, a layer each; counts
    const std::vector<FilterImage>* marks = nullptr;      ///< that `image` shows, a layer each
    const std::vector<FilterImage>* templates = nullptr;  ///< whose variants `image` holds
    size_t lastUse = 0;                                   ///< the last step that reads it
  };

  /// Statistics of a plane, which the host reads.
  struct Reduction {
    std::string id, channel;  ///< channel: "", "red_", "green_" or "blue_"
    size_t value = 0;
    ScanMemory memory;
    Buffer result, feedback;
  };

  /// A template, and how it follows what it finds.
  struct Template {
    struct State {
      TemplateImage original, used;          ///< `used`: in the last frame
      std::optional<TemplateImage> learned;  ///< from it, for the next one
    };
    std::vector<State> states;  ///< a layer each
    std::vector<TemplateVariant> variants;
    bool changed = true;              ///< its words are not made yet
    std::unique_ptr<Reduction> best;  ///< of the scores
    /// By layer and variant, as they are wanted.
    std::map<std::pair<uint32_t, uint32_t>, TemplateFitter> fitters;
  };

  struct Step {
    enum class Kind { point, filter, luminance, reduce, place };
    Kind kind = Kind::filter;
    std::vector<size_t> uses;      ///< of the graph: of a point step those that follow each other
    std::optional<FilterUse> own;  ///< instead of them: not one of the graph
    const filters::Filter* filter = nullptr;
    std::vector<size_t> inputs;  ///< values
    size_t output = 0;           ///< value
    uint32_t channels = 1, outChannels = 1;
    size_t reduction = 0;             ///< of Kind::reduce
    std::optional<size_t> follows{};  ///< the reduction of its input
    bool crops = false;  ///< of Kind::place: its output's rect follows from its parameters
    std::vector<std::shared_ptr<const Kernel>> kernels;
    std::vector<std::shared_ptr<const Kernel>>
        inner;                      ///< on CPUs, of passes with blocks: far from edges
    std::vector<size_t> scratches;  ///< buffers of the graph
    size_t blockWords = 4;
    std::unique_ptr<Buffer> blocks, tables, memory;
    uint32_t slotWords = 0, slots = 0;  ///< of memory
    bool changed = false;
    std::unique_ptr<Template> matching;  ///< of a filter that matches one
    std::vector<LayerNumbers> numbers;   ///< of a filter, a layer each
    std::vector<std::vector<filters::ParameterValues>> pointValues;  ///< of the layers' tables

    /// The use that a filter's step is for, of the chain's.
    const FilterUse& use(const FilterUses& all) const { return own ? *own : all[uses[0]]; }
  };

  struct Layer {
    std::optional<FrameNumber> last;  ///< sequence of its last frame
    uint32_t frame = 0;               ///< since it began
    bool present = false, own = false;
    std::vector<std::optional<ReducedNumbers>> used, learned;  ///< a reduction each
  };

  const Device& device;
  const Passes& passes;
  FrameFormat format;
  FilterUses uses;
  FilterImages images;
  bool tiles;               // passes with tiles run
  std::vector<Rect> rects;  // the first one is the whole frame
  size_t reducers = 0;      // filters whose numbers are of the frame before
  std::vector<Value> values = {};
  std::vector<std::unique_ptr<Buffer>> buffers = {};
  std::vector<std::unique_ptr<Step>> steps = {};
  std::vector<std::unique_ptr<Reduction>> reductions = {};
  std::vector<Layer> layers = {};
  size_t measured = 0, response = 0, kept = 0;  // values
  std::vector<size_t> outputs = {};             // values, one of each use
  std::vector<Step*> matchers = {};             // the steps that match a template
};

}  // namespace glint
