#include "gpu/volume/slabs.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <string>

#include "gpu/device.h"
#include "gpu/volume/distance.h"

namespace glint::gpu {
namespace {

constexpr size_t kWord = sizeof(uint32_t);

/// Memory through which host and kernels exchange data: one buffer where they share memory,
/// otherwise two.
class Exchange {
 public:
  Exchange(const Device& device, size_t bytes, const std::string& name)
      : mapped_(device, bytes, MemoryUse::readback, name) {
    if (!device.unifiedMemory()) own_.emplace(device, bytes, MemoryUse::device, name);
  }

  const Buffer& buffer() const { return own_ ? *own_ : mapped_; }
  std::span<uint32_t> words() const { return mapped_.as<uint32_t>(); }
  void upload(Recorder& recorder) const {
    if (own_) recorder.copy(mapped_, *own_, mapped_.size(), kUpload);
  }
  void download(Recorder& recorder) const {
    if (own_) recorder.copy(*own_, mapped_, mapped_.size(), "download");
  }

 private:
  Buffer mapped_;
  std::optional<Buffer> own_;
};

/// One transform of a volume, in slabs if needed, with everything that its steps share.
class Slabs {
 public:
  Slabs(const Device& device, const VolumeShape& shape, const DistanceOptions& options,
        const VolumeProgress& progress, size_t mostWords, std::shared_ptr<KernelStore> kernels)
      : device_(device),
        shape_(shape),
        options_(options),
        progress_(progress),
        mostWords_(mostWords),
        kernels_(std::move(kernels)),
        passes_(device, shape, options, kernels_),
        recorder_(device) {
    const size_t row = std::max(shape.width, 2 * shape.words());  // records are two words
    planes_ = fitting(shape.depth, row * shape.height);
    rows_ = fitting(shape.height, row * shape.depth);
    const bool steps = options.metric != Metric::euclidean;
    if (planes_ == 0 || (steps && planes_ < std::min(shape.depth, 2U)) || (!steps && rows_ == 0))
      refuse();
    out_.slabs = (shape.depth + planes_ - 1) / planes_;
    if (!steps) out_.slabs = std::max(out_.slabs, (shape.height + rows_ - 1) / rows_);
    out_.values.resize(shape.voxels());
    if (options.nearest) out_.nearest.resize(shape.voxels());
    out_.sweeps = countSweeps(shape, options.metric);
  }

  VolumeDistances run(std::span<const uint32_t> bits) {
    report(0);
    if (options_.metric != Metric::euclidean) {
      countInPlanes(bits);
      countBetweenPlanes();
    } else if (planes_ == shape_.depth && rows_ == shape_.height) {
      transformWhole(bits);
    } else {
      transformPlanes(bits);
      transformDepth();
    }
    report(1);
    return std::move(out_);
  }

 private:
  /// Returns how many of `all` planes or rows, of `words` words each, fit into a buffer.
  uint32_t fitting(uint32_t all, size_t words) const {
    return static_cast<uint32_t>(std::min<size_t>(all, mostWords_ / words));
  }

  [[noreturn]] void refuse() const {
    throw Error("a volume of " + describe(shape_) + " voxels is too large for the device '" +
                device_.info().name + "': not even a slab of it fits into the " +
                std::to_string(mostWords_ * kWord >> 20) + " MiB that a buffer may have");
  }

  void report(double done) const {
    if (progress_ && !progress_(done))
      throw Error("the distance transform was stopped before it was done");
  }

  /// Calls `record` to record passes, runs them, waits, and adds up the device's time for them.
  template <class Record>
  void runNow(const Record& record) {
    recorder_.begin();
    record();
    recorder_.submit();
    recorder_.wait();
    for (const PassTime& pass : recorder_.times()) {
      if (pass.name.starts_with("distance")) out_.deviceSeconds += pass.microseconds * 1e-6;
    }
  }

  VolumeShape planesOf(uint32_t count) const { return {shape_.width, shape_.height, count}; }

  /// Copies the bits of `count` planes, from plane `first` on, into `features`.
  void takeBits(std::span<const uint32_t> bits, uint32_t first, uint32_t count,
                const Exchange& features) const {
    const size_t plane = size_t{shape_.words()} * shape_.height;
    std::copy_n(bits.begin() + static_cast<ptrdiff_t>(first * plane), count * plane,
                features.words().begin());
  }

  void transformWhole(std::span<const uint32_t> bits) {
    const DistanceTransform transform(device_, shape_, options_, kernels_);
    const Exchange features(device_, transform.featureBytes(), "features");
    const Exchange distances(device_, transform.valueBytes(), "distances");
    std::optional<Exchange> nearest;
    if (options_.nearest) nearest.emplace(device_, transform.valueBytes(), "nearest features");
    takeBits(bits, 0, shape_.depth, features);
    runNow([&] {
      features.upload(recorder_);
      transform.record(recorder_, features.buffer(), distances.buffer(),
                       nearest ? &nearest->buffer() : nullptr);
      distances.download(recorder_);
      if (nearest) nearest->download(recorder_);
    });
    std::copy_n(distances.words().begin(), shape_.voxels(), out_.values.begin());
    if (nearest) std::copy_n(nearest->words().begin(), shape_.voxels(), out_.nearest.begin());
  }

  void transformPlanes(std::span<const uint32_t> bits) {
    const VolumeShape most = planesOf(planes_);
    const Exchange features(device_, kWord * most.words() * most.rows(), "features");
    const Exchange distances(device_, kWord * most.voxels(), "distances in planes");
    const Buffer records(device_, DistancePasses::recordBytes(most), MemoryUse::device,
                         "distance rows");
    const Buffer links(device_, kWord * most.voxels(), MemoryUse::device, "distance columns");
    std::optional<Exchange> sites;
    if (options_.nearest) sites.emplace(device_, kWord * most.voxels(), "nearest in planes");
    for (uint32_t first = 0; first < shape_.depth; first += planes_) {
      const uint32_t count = std::min(planes_, shape_.depth - first);
      takeBits(bits, first, count, features);
      runNow([&] {
        features.upload(recorder_);
        passes_.rows(recorder_, planesOf(count), features.buffer(), records);
        passes_.planes(recorder_, planesOf(count), records, links, distances.buffer(),
                       sites ? &sites->buffer() : nullptr);
        distances.download(recorder_);
        if (sites) sites->download(recorder_);
      });
      movePlanes(distances, first, count, out_.values, false);
      if (sites) movePlanes(*sites, first, count, out_.nearest, false);
      report(0.5 * (first + count) / shape_.depth);
    }
  }

  void transformDepth() {
    const VolumeShape most{shape_.width, rows_, shape_.depth};
    const size_t bytes = kWord * most.voxels();
    const Exchange planes(device_, bytes, "distances in planes");
    const Exchange distances(device_, bytes, "distances");
    const Buffer links(device_, bytes, MemoryUse::device, "distance columns");
    std::optional<Exchange> sites, nearest;
    if (options_.nearest) {
      sites.emplace(device_, bytes, "nearest in planes");
      nearest.emplace(device_, bytes, "nearest features");
    }
    for (uint32_t first = 0; first < shape_.height; first += rows_) {
      const uint32_t count = std::min(rows_, shape_.height - first);
      moveRows(planes, first, count, out_.values, true);
      if (sites) moveRows(*sites, first, count, out_.nearest, true);
      runNow([&] {
        planes.upload(recorder_);
        if (sites) sites->upload(recorder_);
        passes_.depth(recorder_, {shape_.width, count, shape_.depth}, shape_.height,
                      planes.buffer(), sites ? &sites->buffer() : nullptr, links,
                      distances.buffer(), nearest ? &nearest->buffer() : nullptr);
        distances.download(recorder_);
        if (nearest) nearest->download(recorder_);
      });
      moveRows(distances, first, count, out_.values, false);
      if (nearest) moveRows(*nearest, first, count, out_.nearest, false);
      report(0.5 + 0.5 * (first + count) / shape_.height);
    }
  }

  void countInPlanes(std::span<const uint32_t> bits) {
    const VolumeShape most = planesOf(planes_);
    const Exchange features(device_, kWord * most.words() * most.rows(), "features");
    const Exchange distances(device_, kWord * most.voxels(), "distances");
    const Buffer records(device_, DistancePasses::recordBytes(most), MemoryUse::device,
                         "distance rows");
    for (uint32_t first = 0; first < shape_.depth; first += planes_) {
      const VolumeShape slab = planesOf(std::min(planes_, shape_.depth - first));
      takeBits(bits, first, slab.depth, features);
      runNow([&] {
        features.upload(recorder_);
        passes_.rows(recorder_, slab, features.buffer(), records);
        passes_.sweepPlanes(recorder_, slab, records, distances.buffer());
        if (planes_ == shape_.depth)
          passes_.sweepAcross(recorder_, slab, distances.buffer(), DistancePasses::Across::both);
        distances.download(recorder_);
      });
      movePlanes(distances, first, slab.depth, out_.values, false);
      report((first + slab.depth) / (3.0 * shape_.depth));
    }
  }

  /// Sweeps slabs of planes upwards, then downwards. Neighbouring slabs share a plane: a slab gets
  /// from it the distances of the slab swept before, and does not change it.
  void countBetweenPlanes() {
    if (planes_ == shape_.depth) return;
    const Exchange distances(device_, kWord * planesOf(planes_).voxels(), "distances");
    const auto sweepSlab = [&](uint32_t first, DistancePasses::Across across) {
      const VolumeShape slab = planesOf(std::min(planes_, shape_.depth - first));
      movePlanes(distances, first, slab.depth, out_.values, true);
      runNow([&] {
        distances.upload(recorder_);
        passes_.sweepAcross(recorder_, slab, distances.buffer(), across);
        distances.download(recorder_);
      });
      movePlanes(distances, first, slab.depth, out_.values, false);
    };
    std::vector<uint32_t> firsts;
    for (uint32_t first = 0; first == 0 || first + 1 < shape_.depth; first += planes_ - 1)
      firsts.push_back(first);
    const auto share = [&](size_t done) {
      return static_cast<double>(done) / (3.0 * static_cast<double>(firsts.size()));
    };
    for (size_t i = 0; i < firsts.size(); ++i) {
      sweepSlab(firsts[i], DistancePasses::Across::up);
      report(1.0 / 3 + share(i + 1));
    }
    for (size_t i = firsts.size(); i-- > 0;) {
      sweepSlab(firsts[i], DistancePasses::Across::down);
      report(2.0 / 3 + share(firsts.size() - i));
    }
  }

  /// Copies `count` planes of a volume, from plane `first` on, into `slab`, or back.
  void movePlanes(const Exchange& slab, uint32_t first, uint32_t count,
                  std::vector<uint32_t>& volume, bool toDevice) const {
    const size_t plane = size_t{shape_.width} * shape_.height;
    move(slab.words().data(), volume.data() + first * plane, count * plane, toDevice);
  }

  /// Copies `count` rows of every plane of a volume, from row `first` on, into `slab`, or back. The
  /// planes of `slab` consist of these rows.
  void moveRows(const Exchange& slab, uint32_t first, uint32_t count, std::vector<uint32_t>& volume,
                bool toDevice) const {
    const size_t words = size_t{count} * shape_.width;
    for (size_t z = 0; z < shape_.depth; ++z) {
      const size_t at = (z * shape_.height + first) * shape_.width;
      move(slab.words().data() + z * words, volume.data() + at, words, toDevice);
    }
  }

  static void move(uint32_t* device, uint32_t* host, size_t words, bool toDevice) {
    toDevice ? std::memcpy(device, host, words * kWord) : std::memcpy(host, device, words * kWord);
  }

  const Device& device_;
  const VolumeShape shape_;
  const DistanceOptions options_;
  const VolumeProgress& progress_;
  size_t mostWords_;
  std::shared_ptr<KernelStore> kernels_;
  DistancePasses passes_;
  Recorder recorder_;
  uint32_t planes_ = 0;  // number of planes in a slab of whole planes
  uint32_t rows_ = 0;    // number of rows of every plane in a slab of whole columns along z
  VolumeDistances out_;
};

constexpr size_t kLeastRoom = size_t{4} << 20;  // bytes of a buffer: with less, there is an error

}  // namespace

VolumeDistances transformVolume(const Device& device, const VolumeShape& shape,
                                std::span<const uint32_t> bits, const DistanceOptions& options,
                                const VolumeProgress& progress, size_t mostBytes,
                                std::shared_ptr<KernelStore> kernels) {
  if (!kernels) kernels = std::make_shared<KernelStore>(device);
  checkDistance(shape, options);
  if (bits.size() != size_t{shape.words()} * shape.rows())
    throw UsageError("the features of a volume of " + describe(shape) + " voxels are " +
                     std::to_string(size_t{shape.words()} * shape.rows()) + " words, not " +
                     std::to_string(bits.size()));
  size_t room = std::min<size_t>(mostBytes, device.limits().maxStorageBufferRange / 16 * 16);
  for (;;) {
    try {
      return Slabs(device, shape, options, progress, room / kWord, kernels).run(bits);
    } catch (const DeviceMemoryError&) {
      if (room / 2 < kLeastRoom)
        throw Error("a volume of " + describe(shape) + " voxels is too large for the device '" +
                    device.info().name + "', which has no memory left for a slab of it");
      room = std::min(room, kWord * shape.voxels()) / 2;
    }
  }
}

}  // namespace glint::gpu
