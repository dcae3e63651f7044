#include "gpu/frame_pool.h"

#include <algorithm>
#include <mutex>
#include <string>
#include <utility>

#include "shared/limits.h"

namespace glint::gpu {
namespace {

// Most bytes of all slots that are uploaded early. The rest of the memory is for detection.
constexpr size_t kMostEarlyBytes = size_t{512} << 20;
constexpr size_t kEarlyPieces = 4;  // pieces of large frames; with more they do not arrive sooner

void addEarlyUpload(const Device& device, size_t bytes, FrameSlot& slot) {
  const size_t piece =
      std::max(EarlyUpload::kLeastPiece, (bytes + kEarlyPieces - 1) / kEarlyPieces);
  try {
    slot.early = std::make_unique<EarlyUpload>(device, slot.buffer, bytes, piece);
  } catch (const DeviceMemoryError&) {
    // Without this buffer, the frame is uploaded when it is used.
  }
}

}  // namespace

shared::PlaneShape planeShape(const ImageFormat& image) {
  const uint32_t perLoad = shared::kLoadBytes * 8 / image.bits;
  const uint32_t pixels = (image.width + perLoad - 1) / perLoad * perLoad;
  const uint32_t pitch = pixels * image.bytesPerPixel() / 4;
  return {image.width, image.height, pitch, pitch * image.height};
}

size_t planeBytes(const shared::PlaneShape& shape, uint32_t layers) {
  return size_t{shape.layerStride} * 4 * layers;
}

shared::PlaneShape greyShape(ImageFormat image) {
  image.channels = 1;
  return planeShape(image);
}

ImageView FrameSlot::room(uint32_t layer) const {
  const auto shape = planeShape(format.image);
  ImageView view{format.image, buffer.mapped().data() + planeBytes(shape, layer),
                 size_t{shape.pitch} * 4};
  if (grey) {
    const auto lies = greyShape(format.image);
    view.grey = grey->mapped().data() + planeBytes(lies, layer);
    view.greyPitch = size_t{lies.pitch} * 4;
  }
  return view;
}

ImageView FrameSlot::layer(uint32_t layer) const {
  const ImageView view = room(layer);
  if (colour && stamps[layer] && stamps[layer]->neutral) colour->make(layer, view);
  return view;
}

bool FrameSlot::neutral() const {
  return grey && std::all_of(stamps.begin(), stamps.end(),
                             [](const auto& stamp) { return stamp && stamp->neutral; });
}

void FrameSlot::clear() {
  stamps.assign(format.layers, std::nullopt);
  states.assign(format.layers, CameraState::ended);
  if (early) early->restart();
}

void FrameSlot::set(uint32_t layer, const FrameStamp& stamp) {
  if (colour) colour->forget(layer);
  stamps[layer] = stamp;
  states[layer] = CameraState::frame;
}

void FrameSlot::set(uint32_t layer, CameraState withoutFrame) {
  stamps[layer].reset();
  states[layer] = withoutFrame;
}

void FrameSlot::written(uint32_t layer, uint32_t rows) noexcept {
  if (!early) return;
  const auto shape = planeShape(format.image);
  early->written(planeBytes(shape, layer) + size_t{shape.pitch} * 4 * rows);
}

std::vector<std::unique_ptr<FrameSlot>> makeSlots(const Device& device, const FrameFormat& format,
                                                  uint32_t slots, Upload upload) {
  const size_t bytes = planeBytes(planeShape(format.image), format.layers);
  // On a CPU, the writer of a frame makes its grey faster than the kernel `luminance` would, and
  // kernels can read it without a copy.
  const bool grey =
      device.info().type == "cpu" && format.image.channels == 3 && format.image.bits == 8;
  const bool early = upload == Upload::early && !device.unifiedMemory() &&
                     bytes > EarlyUpload::kLeastPiece && bytes * slots <= kMostEarlyBytes;
  std::vector<std::unique_ptr<FrameSlot>> made;
  for (uint32_t i = 0; i < slots; ++i) {
    Buffer buffer(device, bytes, MemoryUse::upload, "frame " + std::to_string(i));
    made.push_back(std::make_unique<FrameSlot>(FrameSlot{.format = format,
                                                         .buffer = std::move(buffer),
                                                         .grey = {},
                                                         .stamps = {},
                                                         .states = {},
                                                         .early = {},
                                                         .colour = {}}));
    if (grey) {
      made.back()->grey.emplace(device, planeBytes(greyShape(format.image), format.layers),
                                MemoryUse::upload, "grey of frame " + std::to_string(i));
      made.back()->colour = std::make_unique<LateColour>();
    }
    if (early) addEarlyUpload(device, bytes, *made.back());
    made.back()->clear();
  }
  return made;
}

struct FramePool::State {
  FrameFormat format;
  std::function<void()> freed;
  std::vector<std::unique_ptr<FrameSlot>> slots;
  std::vector<FrameSlot*> free;
  mutable std::mutex mutex;

  void giveBack(FrameSlot* slot) {
    {
      const std::lock_guard lock(mutex);
      free.push_back(slot);
    }
    if (freed) freed();
  }
};

FramePool::FramePool(const Device& device, const FrameFormat& format, uint32_t slots,
                     std::function<void()> freed, Upload upload)
    : state_(std::make_shared<State>()) {
  state_->format = format;
  state_->freed = std::move(freed);
  state_->slots = makeSlots(device, format, slots, upload);
  for (const auto& slot : state_->slots) state_->free.push_back(slot.get());
}

std::shared_ptr<FrameSlot> FramePool::take() {
  FrameSlot* slot = nullptr;
  {
    const std::lock_guard lock(state_->mutex);
    if (state_->free.empty()) return nullptr;
    slot = state_->free.back();
    state_->free.pop_back();
  }
  slot->clear();
  return {slot, [state = state_](FrameSlot* done) { state->giveBack(done); }};
}

bool FramePool::hasFree() const {
  const std::lock_guard lock(state_->mutex);
  return !state_->free.empty();
}

const FrameFormat& FramePool::format() const {
  return state_->format;
}

}  // namespace glint::gpu
