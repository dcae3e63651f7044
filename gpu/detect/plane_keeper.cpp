#include "gpu/detect/plane_keeper.h"

#include <array>
#include <mutex>
#include <vector>

#include "gpu/detect/frame_in_flight.h"
#include "gpu/mask.h"
#include "gpu/visible_on_cpu.h"
#include "shared/params.h"
#include "spirv/candidates.h"

namespace glint::gpu {
namespace {

constexpr size_t kBuffers = 3;  // one is shown, one waits to be shown, and one is being written

ImageFormat formatOf(const ImageFormat& frame, uint32_t channels, uint32_t bits) {
  return {frame.width, frame.height, channels, bits};
}

PlaneImage copyOf(Recorder& recorder, const Plane& plane, const ImageFormat& format,
                  std::shared_ptr<const Buffer> to) {
  recorder.copy(*plane.buffer, *to, planeBytes(plane.shape, plane.layers), "keep");
  return {std::move(to), format, plane.shape};
}

/// One buffer from each pool of the resources. `complete` is false if a pool has no free buffer.
struct Taken {
  explicit Taken(const FrameResources& resources) {
    const std::array pools{&resources.keptSource, &resources.keptLuminance, &resources.keptResponse,
                           &resources.keptCandidates};
    for (size_t i = 0; i < pools.size(); ++i) {
      if (!*pools[i]) continue;
      buffers[i] = (*pools[i])->take();
      any = true;
      complete = complete && buffers[i];
    }
  }
  std::array<std::shared_ptr<const Buffer>, 4> buffers;
  bool any = false, complete = true;
};

}  // namespace

shared::PlaneShape bitmapShape(const ImageFormat& image) {
  const uint32_t pitch = maskPitch(image.width);
  return {image.width, image.height, pitch, pitch * image.height};
}

struct PlanePool::State {
  std::vector<Buffer> buffers;
  std::mutex mutex;  // guards `free`
  std::vector<const Buffer*> free;
};

PlanePool::PlanePool(const Device& device, size_t bytes, const std::string& name)
    : state_(std::make_shared<State>()) {
  for (size_t i = 0; i < kBuffers; ++i)
    state_->buffers.emplace_back(device, bytes, visibleOnCpu(device), name);
  for (const Buffer& buffer : state_->buffers) state_->free.push_back(&buffer);
}

std::shared_ptr<const Buffer> PlanePool::take() const {
  const std::lock_guard lock(state_->mutex);
  if (state_->free.empty()) return nullptr;
  const Buffer* buffer = state_->free.back();
  state_->free.pop_back();
  return {buffer, [state = state_](const Buffer* done) {
            const std::lock_guard back(state->mutex);
            state->free.push_back(done);
          }};
}

CandidateMarker::CandidateMarker(const Device& device, uint32_t bits)
    : kernel_(device, "candidates", candidates_spirv, {{bits, 0}}),
      kernelMasked_(device, "candidates", candidates_spirv, {{bits, 1}}) {}

void CandidateMarker::record(Recorder& recorder, const FrameInFlight& frame, const Buffer& feedback,
                             const Buffer& bitmap) const {
  const Plane& response = frame.planes.response;
  const PixelMask mask = frame.mask();
  const bool masked = mask.buffer != nullptr;
  const auto shape = bitmapShape(frame.frame->format.image);
  recorder.run(masked ? kernelMasked_ : kernel_,
               {response.buffer, &feedback, masked ? mask.buffer : response.buffer, &bitmap,
                response.buffer},
               shared::CandidatesParams{response.shape, shape.pitch,
                                        frame.search == Search::blobs ? 1U : 0U},
               {shape.pitch, shape.height, response.layers});
}

std::shared_ptr<const PlaneImages> keepPlanes(Recorder& recorder, const FrameInFlight& frame,
                                              const Buffer& feedback) {
  Taken taken(frame.resources);
  if (!taken.any || !taken.complete || frame.planes.filterMissed) return nullptr;
  const ImageFormat& format = frame.frame->format.image;
  const ImageFormat grey = formatOf(format, 1, format.bits);
  auto& [source, luminance, response, candidates] = taken.buffers;
  auto images = std::make_shared<PlaneImages>();
  // For neutral frames the grey is copied, which has only a third of the bytes.
  const bool neutral = frame.frame->neutral();
  if (source)
    images->source = copyOf(recorder, neutral ? frame.planes.luminance : frame.planes.source,
                            neutral ? grey : format, std::move(source));
  if (luminance)
    images->luminance = copyOf(recorder, frame.planes.luminance, grey, std::move(luminance));
  if (response)
    images->response = copyOf(recorder, frame.planes.response, grey, std::move(response));
  if (candidates) {
    frame.resources.candidateMarker->record(recorder, frame, feedback, *candidates);
    images->candidates = {std::move(candidates), formatOf(format, 1, 1), bitmapShape(format)};
  }
  images->filter = frame.planes.filter;
  images->layers = frame.frame->format.layers;
  images->timeline = recorder.timeline();
  images->value = recorder.nextValue();
  return images;
}

}  // namespace glint::gpu
