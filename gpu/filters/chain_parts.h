// What a chain consists of. Internal to gpu/filters/.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gpu/filters/chain.h"
#include "gpu/filters/patterns.h"
#include "shared/feedback.h"

namespace glint {

/// sum, mean, min, max, variance: fractions of full scale.
using ToldNumbers = std::array<double, 5>;

/// The first two values are the frame as it came and its luminance.
inline constexpr size_t kSourceValue = 0, kLuminanceValue = 1;

/// A part of the frame, px.
struct FilterChain::Rect {
  int64_t left = 0, top = 0;
  uint32_t width = 1, height = 1;
  bool operator==(const Rect&) const = default;
};

/// One plane of the graph.
struct FilterChain::Value {
  uint32_t channels = 1;
  size_t rect = 0;                                    ///< what it shows
  bool given = false;                                 ///< with the frame
  size_t buffer = 0;                                  ///< of the chain
  std::shared_ptr<const Buffer> image{};              ///< from a file
  std::vector<double> means = {};                     ///< of that, a layer each; counts
  const std::vector<FilterImage>* marks = nullptr;    ///< that `image` shows, a layer each
  const std::vector<FilterImage>* pattern = nullptr;  ///< whose variants `image` holds
  size_t lastUse = 0;                                 ///< the last step that reads it
};

/// A filter's numbers for one camera.
struct LayerNumbers {
  bool made = false;
  filters::ParameterValues values;
  std::vector<uint32_t> words, tables, begins;
  std::vector<bool> runs;  ///< a pass each
  uint32_t frames = 0;     ///< that it remembers
};

/// A picture that is sought, and follows what it finds.
struct FilterChain::Sought {
  struct Look {
    PatternLook original, used;          ///< `used`: in the last frame
    std::optional<PatternLook> learned;  ///< from it, for the next one
  };
  std::vector<Look> looks;  ///< a layer each
  std::vector<PatternVariant> variants;
  bool changed = true;              ///< its words are not made yet
  std::unique_ptr<Reduction> best;  ///< of the scores
};

struct FilterChain::Step {
  enum class Kind { point, filter, luminance, reduce, place };
  Kind kind = Kind::filter;
  std::vector<size_t> uses;      ///< of the chain: of a point step those that follow each other
  std::optional<FilterUse> own;  ///< instead of them: not one of the chain
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
  std::vector<size_t> scratches;  ///< buffers of the chain
  size_t blockWords = 4;
  std::unique_ptr<Buffer> blocks, tables, memory;
  uint32_t slotWords = 0, slots = 0;  ///< of memory
  bool changed = false;
  std::unique_ptr<Sought> sought;
  std::vector<LayerNumbers> numbers;                               ///< of a filter, a layer each
  std::vector<std::vector<filters::ParameterValues>> pointValues;  ///< of the layers' tables
};

/// Statistics of a plane, which the host reads.
struct FilterChain::Reduction {
  std::string id, channel;  ///< channel: "", "red_", "green_" or "blue_"
  size_t value = 0;
  ScanMemory memory;
  Buffer result, feedback;
};

struct FilterChain::Layer {
  std::optional<FrameNumber> last;  ///< sequence of its last frame
  uint32_t frame = 0;            ///< since it began
  bool present = false, own = false;
  std::vector<std::optional<ToldNumbers>> used, learned;  ///< a reduction each
};

}  // namespace glint
