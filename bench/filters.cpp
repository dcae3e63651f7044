#include "bench/filters.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>

#include "config/filter_catalog.h"
#include "gpu/filters/chain.h"
#include "gpu/visible_on_cpu.h"

namespace glint::bench {
namespace {

struct Sized {
  const char* name;
  std::vector<std::string> chain;
};

/// Returns the cases with chosen parameters: filters for which one size is not enough, and a chain.
/// The sizes in the names are the widths of the filters' windows.
const std::vector<Sized>& sized() {
  static const std::vector<Sized> all{
      {"brightness", {"brightness:amount=0.1"}},
      {"gamma", {"gamma:gamma=2.2"}},
      {"threshold", {"threshold:level=0.2"}},
      {"box 5 px", {"box:radius=2"}},
      {"box 31 px", {"box:radius=15"}},
      {"gaussian 5 px", {"gaussian:sigma=0.66"}},
      {"gaussian 15 px", {"gaussian:sigma=2.33"}},
      {"median 3 px", {"median:radius=1"}},
      {"median 5 px", {"median:radius=2"}},
      {"median 15 px", {"median:radius=7"}},
      {"dilate rect 3 px", {"morphology:op=dilate:shape=rect:size=3"}},
      {"dilate rect 9 px", {"morphology:op=dilate:shape=rect:size=9"}},
      {"dilate rect 31 px", {"morphology:op=dilate:shape=rect:size=31"}},
      {"tophat rect 15 px", {"morphology:op=tophat:shape=rect:size=15"}},
      {"tophat ellipse 15 px", {"morphology:op=tophat:shape=ellipse:size=15"}},
      {"bilateral 11 px", {"bilateral:radius=5:sigma_space=3.3"}},
      {"adaptive threshold 31 px", {"adaptive_threshold:radius=15"}},
      {"template 32 px", {"template:look=file:frame:part=96,96,32,32"}},
      {"chain of five",
       {"brightness:amount=0.1", "gamma:gamma=2.2", "median:radius=1", "gaussian:sigma=0.66",
        "threshold:level=0.2"}}};
  return all;
}

FilterUses usesOf(const FilterCase& what) {
  FilterUses uses;
  for (const std::string& text : what.chain) uses.push_back(filters::parseUse(text, "--filters"));
  filters::check(uses, "--filters");
  return uses;
}

/// Returns a use of the filter with its default parameters, whose inputs are all the source.
std::string plainUse(const filters::Head& head) {
  std::string use = head.name;
  for (const filters::Input& input : head.inputs) use += ":" + input.name + "=source";
  return use;
}

/// Returns the frame itself as the image of which templates are parts.
gpu::FilterImages imagesOf(const FilterUses& uses, const Image& image) {
  std::map<std::string, std::vector<gpu::FilterImage>> images;
  for (const FilterUse& use : uses) {
    if (use.name != "template") continue;
    gpu::FilterImage frame{image.format, {}};
    for (uint32_t y = 0; y < image.format.height; ++y) {
      for (uint32_t i = 0; i < image.format.width * image.format.channels; ++i) {
        uint16_t value = 0;  // little endian
        std::memcpy(&value, image.row(y) + size_t{i} * image.format.bits / 8,
                    image.format.bits / 8);
        frame.values.push_back(value);
      }
    }
    images["pattern:frame"] = {frame};
  }
  return std::make_shared<const std::map<std::string, std::vector<gpu::FilterImage>>>(
      std::move(images));
}

/// Kernels for one number of bits per value, which cases share.
struct Kernels {
  Kernels(const gpu::Device& device, uint32_t bits) : passes(device, bits), filters(device) {}
  gpu::Passes passes;
  gpu::FilterKernels filters;
};

/// A chain with its planes and one frame on the device.
class FilterBench {
 public:
  FilterBench(const gpu::Device& device, Kernels& kernels, const FilterCase& what,
              const Image& image)
      : device_(device),
        uses_(usesOf(what)),
        format_{what.image, 1},
        slot_(std::move(gpu::makeSlots(device, format_, 1)[0])),
        chain_(device, kernels.passes, kernels.filters, format_, uses_, imagesOf(uses_, image),
               {"", what.image.channels == 3}),
        source_(device, slot_->buffer.size(), gpu::visibleOnCpu(device), "source"),
        luminance_(device, gpu::planeBytes(grey(), 1), gpu::visibleOnCpu(device), "luminance") {
    const gpu::ImageView view = slot_->layer(0);
    for (uint32_t y = 0; y < what.image.height; ++y)
      std::memcpy(view.row(y), image.row(y), size_t{what.image.width} * what.image.bytesPerPixel());
    gpu::Recorder recorder(device_);
    recorder.begin();
    recorder.copy(slot_->buffer, source_, source_.size(), gpu::kUpload);
    if (what.image.channels == 3) kernels.passes.luminance(recorder, source(), luminance());
    recorder.submit();
    recorder.wait();
  }

  /// Filters the next frame, which shows the same image, and returns the chain's plane.
  gpu::Plane runOnce(gpu::Recorder& recorder) {
    slot_->set(0, {.sequence = FrameNumber(sequence_++)});
    recorder.begin();
    const gpu::Plane kept = chain_.record(recorder, *slot_, uses_, source(), luminance()).kept;
    recorder.submit();
    recorder.wait();
    chain_.learn();
    return kept;
  }

  /// Returns the filtered values in raster order; only for values of 8 bits.
  std::vector<uint8_t> values() {
    gpu::Recorder recorder(device_);
    const gpu::Plane kept = runOnce(recorder);
    const gpu::Buffer read(device_, kept.buffer->size(), gpu::MemoryUse::readback, "filtered");
    recorder.begin();
    recorder.copy(*kept.buffer, read, read.size());
    recorder.submit();
    recorder.wait();
    const size_t row = size_t{kept.shape.width} * chain_.keptFormat().channels;
    const auto bytes = read.as<uint8_t>();
    std::vector<uint8_t> values;
    for (size_t y = 0; y < kept.shape.height; ++y) {
      const auto from = bytes.begin() + static_cast<std::ptrdiff_t>(y * kept.shape.pitch * 4);
      values.insert(values.end(), from, from + static_cast<std::ptrdiff_t>(row));
    }
    return values;
  }

 private:
  shared::PlaneShape grey() const {
    gpu::ImageFormat image = format_.image;
    image.channels = 1;
    return gpu::planeShape(image);
  }
  gpu::Plane source() const { return {&source_, gpu::planeShape(format_.image), 1}; }
  gpu::Plane luminance() const {
    return {format_.image.channels == 1 ? &source_ : &luminance_, grey(), 1};
  }

  const gpu::Device& device_;
  FilterUses uses_;
  gpu::FrameFormat format_;
  std::unique_ptr<gpu::FrameSlot> slot_;
  gpu::FilterChain chain_;
  gpu::Buffer source_, luminance_;
  uint64_t sequence_ = 0;
};

void compare(const std::vector<uint8_t>& got, FilterResult& result) {
  const auto& want = result.peer->values;
  if (got.size() != want.size()) {
    result.differences = want.size();
    return;
  }
  for (size_t i = 0; i < want.size(); ++i) {
    result.differences += got[i] != want[i];
    result.most =
        std::max(result.most, static_cast<uint32_t>(std::abs(int{got[i]} - int{want[i]})));
  }
}

/// Returns the effort for a case whose kernels took `microseconds` to make. A GPU lowers its clock
/// while the host compiles kernels, and takes up to a second to raise it again when work arrives.
Effort effortAfter(double microseconds, const Effort& effort, const gpu::Device& device) {
  constexpr double kIdle = 200000;  // us after which a GPU begins to lower its clock
  constexpr double kRaising = 1.5;  // s
  Effort after = effort;
  if (microseconds > kIdle && device.info().type != "cpu" && effort.measure > 0)
    after.warmUp = std::max(after.warmUp, kRaising);
  return after;
}

bool suitsPeers(const gpu::ImageFormat& image) {
  return image.channels == 1 && image.bits == 8;
}

}  // namespace

std::string describe(const FilterCase& what) {
  return what.name + ", " + std::to_string(what.image.width) + "x" +
         std::to_string(what.image.height) + (what.image.channels == 1 ? " grey " : " colour ") +
         std::to_string(what.image.bits) + " bit";
}

std::vector<FilterCase> filterCases(uint32_t width, uint32_t height, uint32_t channels,
                                    uint32_t bits) {
  std::vector<FilterCase> cases;
  const auto add = [&](const std::string& name, const std::vector<std::string>& chain) {
    const auto& head =
        filters::catalog().get(filters::parseUse(chain[0], "--filters").name, "").head;
    cases.push_back({name, chain, {width, height, head.grey ? channels : 3, bits}});
  };
  for (const Sized& one : sized()) add(one.name, one.chain);
  for (const filters::Filter* filter : filters::catalog().all()) {
    const bool there = std::any_of(cases.begin(), cases.end(), [&](const FilterCase& c) {
      return c.chain.size() == 1 &&
             filters::parseUse(c.chain[0], "--filters").name == filter->head.name;
    });
    if (!there) add(filter->head.name, {plainUse(filter->head)});
  }
  return cases;
}

std::vector<FilterResult> measureFilters(const gpu::Device& device,
                                         const std::vector<FilterCase>& cases, const Effort& effort,
                                         const MeasureFilterPeer& peer,
                                         const std::function<void(const FilterResult&)>& progress) {
  constexpr uint32_t kMarkers = 50;
  std::vector<FilterResult> results;
  std::map<uint32_t, Kernels> kernels;  // kernels by bits per value
  std::optional<Image> image;           // image of the case before
  for (const FilterCase& what : cases) {
    FilterResult& result = results.emplace_back();
    result.what = what;
    try {
      if (!image || image->format != what.image) image = makeImage(what.image, kMarkers);
      Kernels& made = kernels.try_emplace(what.image.bits, device, what.image.bits).first->second;
      std::optional<FilterBench> bench;
      const double making = wallTime([&] { bench.emplace(device, made, what, *image); });
      static_cast<WorkTimes&>(result) =
          measureWork(device, effortAfter(making, effort, device),
                      [&](gpu::Recorder& recorder) { bench->runOnce(recorder); });
      if (peer && suitsPeers(what.image)) result.peer = peer(what, *image, effort);
      if (result.peer) compare(bench->values(), result);
    } catch (const std::exception& error) {
      result.skipped = error.what();
    }
    if (progress) progress(result);
  }
  return results;
}

}  // namespace glint::bench
