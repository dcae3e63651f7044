#include "gpu/detect/plane_candidates.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>
#include <thread>
#include <utility>

#include "gpu/detect/place.h"
#include "gpu/passes.h"

namespace glint::gpu {
namespace {

constexpr uint32_t kWordBits = 64;

/// Least number of pixels for one thread. Searching them takes twice as long as starting a thread.
constexpr size_t kPixelsOfThread = 1 << 18;
/// Most threads. More would only wait for memory.
constexpr uint32_t kMostThreads = 8;

/// The number of candidates that takePeaks() sorts at first, and the factor by which this number
/// grows if it needs more. In crowded frames, a few of the candidates decide what the best peaks
/// are.
constexpr size_t kFirstOrdered = 16384, kMoreOrdered = 4;

template <class Pixel>
const Pixel* rowOf(const ImageView& image, uint32_t y) {
  return reinterpret_cast<const Pixel*>(image.row(y));
}

/// Returns true if (x, y) lies inside of something large, as in shaders/candidate.glsl. `least` is
/// the least value of the places beside it.
template <class Pixel>
bool isInside(const ImageView& response, uint32_t x, uint32_t y, int least) {
  constexpr std::array<std::pair<int, int>, 4> kAxes{{{1, -1}, {1, 0}, {1, 1}, {0, 1}}};
  return std::any_of(kAxes.begin(), kAxes.end(), [&](const auto& axis) {
    int seen = 0;
    for (const int away : {7, -7, 15, -15, 24, -24}) {
      const int64_t u = int64_t{x} + away * axis.first, v = int64_t{y} + away * axis.second;
      if (u < 0 || v < 0 || u >= response.format.width || v >= response.format.height) continue;
      if (rowOf<Pixel>(response, static_cast<uint32_t>(v))[u] < least) return false;
      ++seen;
    }
    return seen >= 3;
  });
}

template <class Pixel>
Pixel greatestOf(const Pixel* row, uint32_t width) {
  Pixel most = 0;
  for (uint32_t x = 0; x < width; ++x) most = std::max(most, row[x]);
  return most;
}

/// Returns a byte with one bit for each of eight flags, which are 0 or 1.
uint64_t bitsOf(const uint8_t* flags) {
  uint64_t bytes = 0;
  std::memcpy(&bytes, flags, sizeof bytes);
  return (bytes * 0x0102040810204080) >> 56;
}

/// Returns for each distance in rows from a peak, up to the height of the image, how many columns
/// to either side are nearer to the peak than `separation`.
std::vector<uint32_t> halfWidthsOf(double separation, uint32_t height) {
  const uint64_t near = squaredUp(separation);
  std::vector<uint32_t> widths;
  for (uint64_t dy = 0; dy * dy < near && dy < height; ++dy)
    widths.push_back(glint::gpu::reachOf(static_cast<uint32_t>(near - dy * dy)));
  return widths;
}

/// The rows that one thread searches.
struct Band {
  uint32_t first, end;           // first row, and one past the last
  std::vector<uint32_t> levels;  // number of candidates with each value
  std::vector<uint8_t> flags;    // flags of one row, padded to whole words; 1: a candidate
};

/// The data that the threads which search for candidates share.
struct Seekers {
  const ImageView& response;
  const LayerMask& mask;
  uint32_t threshold, prominence;
  size_t pitch;  // words of a row of bits
  std::vector<uint64_t>& bits;

  /// Flags the candidates of a row, including those inside of something large. The loops have no
  /// branches, so that compilers can vectorise them.
  template <class Pixel>
  void flagRow(uint32_t y, std::vector<Pixel>& columns, std::vector<uint8_t>& flags) const {
    const uint32_t width = response.format.width;
    const auto least = static_cast<Pixel>(threshold);
    const Pixel* own = rowOf<Pixel>(response, y);
    const Pixel* above = rowOf<Pixel>(response, y - std::min(y, 1U));
    const Pixel* below = rowOf<Pixel>(response, std::min(y + 1, response.format.height - 1));
    Pixel* const greatest = columns.data() + 1;  // the greatest value of three rows
    for (uint32_t x = 0; x < width; ++x)
      greatest[x] = std::max(std::max(above[x], own[x]), below[x]);
    columns[0] = greatest[0];
    greatest[width] = greatest[width - 1];
    const Pixel *left = columns.data(), *right = columns.data() + 2;
    uint8_t* const found = flags.data();
    for (uint32_t x = 0; x < width; ++x) {
      const Pixel most = std::max(std::max(left[x], greatest[x]), right[x]);
      found[x] = static_cast<uint8_t>((own[x] >= least) & (own[x] >= most));
    }
    if (mask.empty()) return;
    const uint8_t* counts = mask.pixels.data() + size_t{y} * width;
    for (uint32_t x = 0; x < width; ++x) found[x] &= static_cast<uint8_t>(counts[x] != 0);
  }

  /// Returns those candidates of a word that do not lie inside of something large. The word begins
  /// at (x, y).
  template <class Pixel>
  uint64_t standingOut(uint64_t word, uint32_t x, uint32_t y) const {
    uint64_t kept = word;
    for (uint64_t left = word; left != 0; left &= left - 1) {
      const auto bit = static_cast<uint32_t>(std::countr_zero(left));
      const uint32_t value = rowOf<Pixel>(response, y)[x + bit];
      const int lowest = static_cast<int>(value - prominence - (value - threshold) / 4);
      if (isInside<Pixel>(response, x + bit, y, lowest)) kept &= ~(uint64_t{1} << bit);
    }
    return kept;
  }

  template <class Pixel>
  void seek(Band& band) const {
    const uint32_t width = response.format.width;
    std::vector<Pixel> columns(size_t{width} + 2);
    for (uint32_t y = band.first; y < band.end; ++y) {
      const Pixel* own = rowOf<Pixel>(response, y);
      if (greatestOf(own, width) < threshold) continue;
      flagRow(y, columns, band.flags);
      for (size_t i = 0; i < pitch; ++i) {
        uint64_t word = 0;
        for (uint32_t k = 0; k < kWordBits; k += 8)
          word |= bitsOf(band.flags.data() + i * kWordBits + k) << k;
        const auto x = static_cast<uint32_t>(i * kWordBits);
        if (prominence != 0) word = standingOut<Pixel>(word, x, y);
        // Neighbouring candidates have the same value, so a run of them is counted at once.
        for (uint64_t left = word; left != 0;) {
          const int bit = std::countr_zero(left), end = bit + std::countr_one(left >> bit);
          band.levels[own[x + static_cast<uint32_t>(bit)]] += static_cast<uint32_t>(end - bit);
          left = end < static_cast<int>(kWordBits) ? left & (~uint64_t{0} << end) : 0;
        }
        bits[y * pitch + i] = word;
      }
    }
  }
};

/// Divides the rows among as many threads as are worth starting.
std::vector<Band> bandsOf(const ImageFormat& format, size_t pitch) {
  const auto worth = static_cast<uint32_t>(format.pixels() / kPixelsOfThread);
  const uint32_t most = std::clamp(std::thread::hardware_concurrency(), 1U, kMostThreads);
  const uint32_t count = std::clamp(worth, 1U, std::min(most, format.height));
  std::vector<Band> bands;
  for (uint32_t i = 0; i < count; ++i)
    bands.push_back({.first = format.height * i / count,
                     .end = format.height * (i + 1) / count,
                     .levels = std::vector<uint32_t>(size_t{format.fullScale()} + 1, 0),
                     .flags = std::vector<uint8_t>(pitch * kWordBits, 0)});
  return bands;
}

}  // namespace

PlaneCandidates::PlaneCandidates(const ImageView& response, const LayerMask& mask,
                                 uint32_t threshold, uint32_t prominence)
    : response_(response),
      pitch_((response.format.width + kWordBits - 1) / kWordBits),
      bits_(pitch_ * response.format.height, 0),
      levels_(size_t{response.format.fullScale()} + 1, 0) {
  if (threshold > response.format.fullScale()) return;
  const Seekers seekers{response_, mask, threshold, prominence, pitch_, bits_};
  const auto seek = [&](Band& band) {
    response.format.bits == 8 ? seekers.seek<uint8_t>(band) : seekers.seek<uint16_t>(band);
  };
  std::vector<Band> bands = bandsOf(response.format, pitch_);
  {
    std::vector<std::jthread> threads;
    for (size_t i = 1; i < bands.size(); ++i)
      threads.emplace_back([&seek, &band = bands[i]] { seek(band); });
    seek(bands[0]);
  }
  for (const Band& band : bands)
    for (size_t value = 0; value < levels_.size(); ++value) levels_[value] += band.levels[value];
  count_ = std::accumulate(levels_.begin(), levels_.end(), size_t{0});
}

uint32_t PlaneCandidates::valueAt(uint32_t x, uint32_t y) const {
  return response_.format.bits == 8 ? rowOf<uint8_t>(response_, y)[x]
                                    : rowOf<uint16_t>(response_, y)[x];
}

bool PlaneCandidates::holds(uint32_t x, uint32_t y) const {
  return (bits_[y * pitch_ + x / kWordBits] >> x % kWordBits & 1) != 0;
}

/// Calls visit(value, x, y) in raster order for each remaining candidate with a value of at least
/// `least` and below `end`, until it returns false. `visit` may remove candidates.
template <class Visit>
void PlaneCandidates::visit(uint32_t least, uint32_t end, const Visit& visit) const {
  for (uint32_t y = 0; y < response_.format.height; ++y) {
    for (size_t i = 0; i < pitch_; ++i) {
      for (uint64_t left = bits_[y * pitch_ + i]; left != 0; left &= left - 1) {
        const auto x =
            static_cast<uint32_t>(i * kWordBits) + static_cast<uint32_t>(std::countr_zero(left));
        const uint32_t value = valueAt(x, y);
        if (value >= least && value < end && holds(x, y) && !visit(value, x, y)) return;
      }
    }
  }
}

std::vector<shared::Candidate> PlaneCandidates::ranked() const {
  std::vector<size_t> next(levels_.size());  // place of the next candidate with each value
  size_t first = 0;
  for (size_t value = levels_.size(); value-- > 0; first += levels_[value]) next[value] = first;
  std::vector<shared::Candidate> all(count_);
  visit(0, static_cast<uint32_t>(levels_.size()), [&](uint32_t value, uint32_t x, uint32_t y) {
    all[next[value]++] = {value, placeOf(x, y)};
    return true;
  });
  return all;
}

/// Removes the candidates around a peak, and the peak itself, within the disc of halfWidthsOf().
void PlaneCandidates::clearDisc(const std::vector<uint32_t>& halfWidths, uint32_t x, uint32_t y) {
  const uint32_t width = response_.format.width, height = response_.format.height;
  const auto reach = static_cast<uint32_t>(halfWidths.size() - 1);
  for (uint32_t row = y - std::min(y, reach); row <= std::min(y + reach, height - 1); ++row) {
    const uint32_t half = halfWidths[row > y ? row - y : y - row];
    const uint32_t from = x - std::min(x, half), to = std::min(x + half, width - 1);
    for (uint32_t i = from / kWordBits; i <= to / kWordBits; ++i) {
      uint64_t disc = ~uint64_t{0};
      if (i == from / kWordBits) disc &= ~uint64_t{0} << from % kWordBits;
      if (i == to / kWordBits) disc &= ~uint64_t{0} >> (kWordBits - 1 - to % kWordBits);
      bits_[row * pitch_ + i] &= ~disc;
    }
  }
}

std::vector<shared::Candidate> PlaneCandidates::takePeaks(double separation, size_t most) {
  const std::vector<uint32_t> halfWidths = halfWidthsOf(separation, response_.format.height);
  std::vector<shared::Candidate> peaks;
  const auto accept = [&](uint32_t value, uint32_t x, uint32_t y) {
    peaks.push_back({value, placeOf(x, y)});
    clearDisc(halfWidths, x, y);
    return peaks.size() < most;
  };
  size_t room = kFirstOrdered;
  std::vector<size_t> next(levels_.size());
  std::vector<uint32_t> places;
  for (auto end = static_cast<uint32_t>(levels_.size()); end > 0 && peaks.size() < most;) {
    // Takes as many values as there is room for, and at least one.
    uint32_t least = end - 1;
    size_t count = levels_[least];
    while (least > 0 && count + levels_[least - 1] <= room) count += levels_[--least];
    if (least ==
        end - 1) {  // candidates with one value need not be sorted: they come in raster order
      if (count > 0) visit(least, end, accept);
    } else if (count > 0) {
      size_t first = 0;
      for (uint32_t value = end; value-- > least; first += levels_[value]) next[value] = first;
      places.resize(count);
      visit(least, end, [&](uint32_t value, uint32_t x, uint32_t y) {
        places[next[value]++] = placeOf(x, y);
        return true;
      });
      first = 0;
      for (uint32_t value = end; value-- > least; first += levels_[value]) {
        for (size_t i = first; i < next[value] && peaks.size() < most; ++i) {
          const uint32_t x = places[i] & 0xffff, y = places[i] >> 16;
          if (holds(x, y)) accept(value, x, y);
        }
      }
    }
    end = least;
    room *= kMoreOrdered;
  }
  return peaks;
}

}  // namespace glint::gpu
