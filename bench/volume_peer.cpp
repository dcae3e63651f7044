#include "bench/volume_peer.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>
#include <thread>

namespace glint::bench {
namespace {

constexpr uint32_t kNone = UINT32_MAX;
constexpr size_t kBlock = 16;  // columns that are transformed together: a cache line of words

/// Calls `work` with 0 to count - 1, on several threads.
void inParallel(unsigned threads, size_t count, const std::function<void(size_t)>& work) {
  std::vector<std::thread> running;
  for (unsigned t = 0; t < threads; ++t) {
    running.emplace_back([&, t] {
      for (size_t i = count * t / threads; i < count * (t + 1) / threads; ++i) work(i);
    });
  }
  for (auto& thread : running) thread.join();
}

void transformRow(const uint8_t* features, uint32_t* squares, size_t side) {
  int64_t last = -1;
  for (size_t x = 0; x < side; ++x) {
    if (features[x] != 0) last = static_cast<int64_t>(x);
    squares[x] = last < 0 ? kNone : static_cast<uint32_t>(static_cast<int64_t>(x) - last);
  }
  last = -1;
  for (size_t x = side; x-- > 0;) {
    if (features[x] != 0) last = static_cast<int64_t>(x);
    if (last >= 0)
      squares[x] = std::min(squares[x], static_cast<uint32_t>(last - static_cast<int64_t>(x)));
    if (squares[x] != kNone) squares[x] *= squares[x];
  }
}

/// Room for one column's lower envelope.
struct Envelope {
  explicit Envelope(size_t length) : sites(length), starts(length) {}
  std::vector<int32_t> sites, starts;
};

/// Transforms one column in place. `out` is scratch of the same length.
void transformColumn(std::vector<int32_t>& column, Envelope& envelope, std::vector<int32_t>& out) {
  const auto length = static_cast<int32_t>(column.size());
  int32_t* const sites = envelope.sites.data();
  int32_t* const starts = envelope.starts.data();
  int32_t top = -1;
  for (int32_t w = 0; w < length; ++w) {
    const int32_t value = column[static_cast<size_t>(w)];
    if (value < 0) continue;
    int32_t start = 0;
    for (; top >= 0; --top) {
      const int32_t v = sites[top];
      const int32_t sum = value - column[static_cast<size_t>(v)] + (w - v) * (w + v);
      start = sum < 0 ? 0 : sum / (2 * (w - v)) + 1;
      if (start > starts[top]) break;
    }
    if (top < 0) start = 0;
    if (start >= length) continue;
    sites[++top] = w;
    starts[top] = start;
  }
  for (int32_t i = length - 1; i >= 0; --i) {
    if (top < 0) {
      out[static_cast<size_t>(i)] = -1;
      continue;
    }
    if (starts[top] > i) --top;
    const int32_t d = i - sites[top];
    out[static_cast<size_t>(i)] = column[static_cast<size_t>(sites[top])] + d * d;
  }
  column.swap(out);
}

/// Transforms `columns` columns side by side, at most kBlock; the first of them begins at `first`.
void transformBlock(uint32_t* first, size_t columns, size_t stride, size_t length) {
  thread_local std::array<std::vector<int32_t>, kBlock> block;
  for (auto& column : block) column.resize(length);
  for (size_t i = 0; i < length; ++i) {
    for (size_t c = 0; c < columns; ++c)
      block[c][i] = static_cast<int32_t>(first[i * stride + c]);  // kNone becomes -1
  }
  Envelope envelope(length);
  std::vector<int32_t> out(length);
  for (size_t c = 0; c < columns; ++c) transformColumn(block[c], envelope, out);
  for (size_t i = 0; i < length; ++i) {
    for (size_t c = 0; c < columns; ++c) first[i * stride + c] = static_cast<uint32_t>(block[c][i]);
  }
}

struct Step {
  int dx, dy, dz;
  uint32_t weight;
};

/// Returns the steps from a voxel to its 13 neighbours that are before it in raster order.
std::vector<Step> stepsBefore() {
  std::vector<Step> steps;
  for (int i = 0; i < 13; ++i) {
    const int dx = i % 3 - 1, dy = i / 3 % 3 - 1, dz = i / 9 - 1;
    steps.push_back(
        {dx, dy, dz, static_cast<uint32_t>(2 + std::abs(dx) + std::abs(dy) + std::abs(dz))});
  }
  return steps;
}

}  // namespace

std::vector<uint32_t> squaredDistances(const std::vector<uint8_t>& features, uint32_t side,
                                       unsigned threads) {
  std::vector<uint32_t> squares(features.size());
  const size_t plane = size_t{side} * side;
  const auto alongRows = [&](uint32_t* first, size_t stride) {
    for (size_t x = 0; x < side; x += kBlock)
      transformBlock(first + x, std::min<size_t>(kBlock, side - x), stride, side);
  };
  inParallel(threads, side, [&](size_t z) {
    for (size_t y = 0; y < side; ++y) {
      const size_t row = z * plane + y * side;
      transformRow(features.data() + row, squares.data() + row, side);
    }
    alongRows(squares.data() + z * plane, side);
  });
  inParallel(threads, side, [&](size_t y) { alongRows(squares.data() + y * side, plane); });
  return squares;
}

std::vector<uint32_t> chamferDistances(const std::vector<uint8_t>& features, uint32_t side) {
  // A border that is far from every feature makes it unnecessary to test if a neighbour is inside.
  const size_t wide = side + 2;
  const uint32_t far = UINT32_MAX / 2;
  std::vector<uint32_t> all(wide * wide * wide, far);
  const auto at = [&](size_t x, size_t y, size_t z) {
    return ((z + 1) * wide + y + 1) * wide + x + 1;
  };
  const auto inner = [&](size_t i) { return at(i % side, i / side % side, i / side / side); };
  for (size_t i = 0; i < features.size(); ++i) {
    if (features[i] != 0) all[inner(i)] = 0;
  }
  const auto steps = stepsBefore();
  const auto relax = [&](size_t i, int sign) {
    const auto here = static_cast<ptrdiff_t>(inner(i));
    uint32_t best = all[static_cast<size_t>(here)];
    for (const Step& s : steps) {
      const auto w = static_cast<ptrdiff_t>(wide);
      const ptrdiff_t there = here + sign * ((s.dz * w + s.dy) * w + s.dx);
      best = std::min(best, all[static_cast<size_t>(there)] + s.weight);
    }
    all[static_cast<size_t>(here)] = best;
  };
  for (size_t i = 0; i < features.size(); ++i) relax(i, 1);
  for (size_t i = features.size(); i-- > 0;) relax(i, -1);
  std::vector<uint32_t> result(features.size());
  for (size_t i = 0; i < features.size(); ++i)
    result[i] = all[inner(i)] >= far ? kNone : all[inner(i)];
  return result;
}

}  // namespace glint::bench
