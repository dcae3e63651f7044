// Long lists of candidates. Many workgroups or the host accept those that the rule accepts, and a
// detector finds the same markers whichever of them decides.
#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include <gtest/gtest.h>

#include "gpu/detect/detector.h"
#include "gpu/detect/peak_list.h"
#include "shared/limits.h"
#include "tests/gpu/marker_words.h"
#include "tests/gpu/rig.h"
#include "tests/gpu/spots.h"

namespace glint {
namespace {

using Candidates = std::vector<shared::Candidate>;

shared::Candidate candidateAt(uint32_t weight, uint32_t x, uint32_t y) {
  return {weight, y << 16 | x};
}

/// Returns candidates at random pixels, no two at the same one, in random order.
Candidates scattered(uint32_t count, uint32_t width, uint32_t height, uint32_t levels,
                     uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<uint32_t> pixels(size_t{width} * height);
  for (uint32_t i = 0; i < pixels.size(); ++i) pixels[i] = i;
  for (uint32_t i = 0; i < count; ++i)
    std::swap(pixels[i], pixels[i + random() % (pixels.size() - i)]);
  Candidates all;
  for (uint32_t i = 0; i < count; ++i)
    all.push_back(candidateAt(static_cast<uint32_t>(random() % levels), pixels[i] % width,
                              pixels[i] / width));
  return all;
}

/// Applies the rule as it is stated, by comparing each candidate with each other.
Candidates acceptedOneByOne(Candidates list, const gpu::Selection& selection) {
  gpu::sortByRank(list);
  Candidates accepted;
  for (const shared::Candidate& own : list) {
    const auto isNear = [&](const shared::Candidate& other) {
      const double dx = double(own.place & 0xffff) - double(other.place & 0xffff);
      const double dy = double(own.place >> 16) - double(other.place >> 16);
      return dx * dx + dy * dy < selection.separation * selection.separation;
    };
    if (accepted.size() == selection.maxMarkers) break;
    if (std::none_of(accepted.begin(), accepted.end(), isNear)) accepted.push_back(own);
  }
  return accepted;
}

std::vector<std::pair<uint32_t, uint32_t>> rankedWords(const Candidates& list) {
  std::vector<std::pair<uint32_t, uint32_t>> words;
  for (const shared::Candidate& c : list) words.emplace_back(c.weight, c.place);
  return words;
}

struct Outcome {
  shared::LayerResult result;
  Candidates peaks;  // peaks by rank
};

/// Returns the results of the kernels for two layers, whose counts may be larger than the lists.
std::vector<Outcome> resolved(const std::vector<Candidates>& layers,
                              const gpu::Selection& selection) {
  const auto number = static_cast<uint32_t>(layers.size());
  const gpu::Passes& passes = test::passes(8);
  const gpu::ScanMemory scan(test::device(), passes, {64, 64, 16, 16 * 64}, number);
  const gpu::ResolveMemory own(test::device(), number);
  const test::DeviceArray<shared::Candidate> list(size_t{shared::kMaxListed} * number);
  const test::DeviceArray<shared::LayerResult> counts(number), results(number);
  const test::DeviceArray<shared::Candidate> found(size_t{selection.maxMarkers} * number);
  for (uint32_t i = 0; i < number; ++i) {
    counts.values()[i] = {static_cast<uint32_t>(layers[i].size()), 0, 0, 0};
    std::copy_n(layers[i].begin(), std::min<size_t>(layers[i].size(), shared::kMaxListed),
                list.values().subspan(size_t{i} * shared::kMaxListed).begin());
  }
  test::runNow([&](gpu::Recorder& r) {
    r.copy(list.buffer, scan.list, scan.list.size());
    r.copy(counts.buffer, scan.counts, scan.counts.size());
    passes.resolveMany(r, scan, own, number, selection, results.buffer, found.buffer);
  });
  std::vector<Outcome> all;
  for (uint32_t i = 0; i < number; ++i) {
    const auto& result = results.values()[i];
    const auto peaks = found.values().subspan(size_t{i} * selection.maxMarkers, result.markers);
    all.push_back({result, {peaks.begin(), peaks.end()}});
    gpu::sortByRank(all.back().peaks);
  }
  return all;
}

TEST(ManyCandidates, AreAcceptedByTheRule) {
  Candidates flat;
  for (uint32_t i = 0; i < 24 * 20; ++i)
    flat.push_back(candidateAt(255, 300 + i % 24, 200 + i / 24));
  const std::vector<std::vector<Candidates>> lists{
      {{}, {candidateAt(7, 3, 5)}},
      {scattered(5000, 1920, 1080, 256, 1), scattered(4097, 1000, 800, 40, 2)},
      {scattered(16384, 1920, 1080, 256, 3), scattered(9000, 1000, 700, 200, 4)},
      {flat, scattered(300, 40, 30, 50, 5)}};
  for (size_t i = 0; i < lists.size(); ++i) {
    for (const gpu::Selection selection : {gpu::Selection{4096, 6}, {4096, 1}, {100, 14.5}}) {
      SCOPED_TRACE(testing::Message() << "lists " << i << ", separation " << selection.separation);
      const auto got = resolved(lists[i], selection);
      for (size_t l = 0; l < got.size(); ++l) {
        const auto want = rankedWords(acceptedOneByOne(lists[i][l], selection));
        EXPECT_EQ(got[l].result.candidates, lists[i][l].size());
        EXPECT_EQ(got[l].result.unresolved, 0U);
        EXPECT_EQ(rankedWords(got[l].peaks), want);
        EXPECT_EQ(
            rankedWords(gpu::bestPeaks(lists[i][l], selection.separation, selection.maxMarkers)),
            want);
        Candidates ranked = lists[i][l];
        gpu::sortByRank(ranked);
        ranked = gpu::acceptPeaks(ranked, selection.separation);
        ranked.resize(std::min<size_t>(ranked.size(), selection.maxMarkers));
        EXPECT_EQ(rankedWords(ranked), want);
      }
    }
  }
}

TEST(ManyCandidates, OnTheHostWorkGrowsAsTheirNumber) {
  for (const uint32_t count : {1000U, 4000U, 16000U}) {
    const auto side = static_cast<uint32_t>(20 * std::sqrt(count));  // px, for equal density
    const Candidates list = scattered(count, side, side, 200, 7);
    gpu::PeakWork work;
    const size_t all = gpu::bestPeaks(list, 6, count, &work).size();
    EXPECT_GT(all, count * 3 / 4);
    EXPECT_EQ(work.ranked, count);
    EXPECT_LT(work.compared, 4 * count);
    EXPECT_EQ(gpu::bestPeaks(list, 6, 100, &work).size(), 100U);
    EXPECT_LE(work.ranked, 512U);
  }
}

TEST(ManyCandidates, MoreThanAreListedStayUnresolved) {
  const auto got = resolved(
      {scattered(shared::kMaxListed + 1, 500, 400, 9, 1), {candidateAt(9, 1, 1)}}, {64, 6});
  EXPECT_EQ(got[0].result.unresolved, 1U);
  EXPECT_EQ(got[0].result.markers, 0U);
  EXPECT_EQ(got[0].result.candidates, shared::kMaxListed + 1);
  EXPECT_EQ(got[1].result.unresolved, 0U);
  EXPECT_EQ(got[1].result.markers, 1U);
}

/// Returns the counts and markers of frames with few candidates, with more than `resolve` takes,
/// with more than are listed, and with few again.
std::vector<std::vector<uint32_t>> wordsOf(const gpu::DetectorOptions& options) {
  const gpu::FrameFormat format{{512, 384, 1, 8}, 1};
  Settings settings;
  settings.detect.maxMarkers = 300;
  gpu::FramePool pool(test::device(), format, 2);
  gpu::Detector detector(test::device(), format, options);
  std::mt19937_64 random(5);
  std::vector<std::vector<uint32_t>> words;
  for (const double threshold : {0.2, 0.052, 0.052, 0.02, 0.052, 0.2, 0.052}) {
    std::vector<test::Marker> markers;
    for (int i = 0; i < 20; ++i)
      markers.push_back({.x = 30.0 + 22 * i, .y = 40.0 + 15 * i, .amplitude = 150, .sigma = 1.5});
    const auto image = test::expose(test::render(512, 384, markers, 10), 512, {}, random);
    settings.detect.threshold = threshold;
    detector.submit(
        test::lease(pool, {image}), {std::make_shared<const Settings>(settings)},
        gpu::makeFeedback(settings, format.image, std::vector<gpu::LayerExpectation>(1)));
    const gpu::FrameResult result = detector.collect().value();
    words.push_back(test::markerWords(result.layers.front()));
  }
  return words;
}

TEST(ManyCandidates, ChangeNothingThatADetectorFinds) {
  gpu::SearchOptions byKernels = test::usualSearch();
  byKernels.hostDecides = false;
  const auto words = wordsOf({.search = byKernels});
  EXPECT_EQ(words, wordsOf({}));
  EXPECT_LT(words[0][0], 100U);
  EXPECT_GT(words[1][0], shared::kMaxResolved);
  EXPECT_LE(words[1][0], shared::kMaxListed);
  EXPECT_GT(words[3][0], shared::kMaxListed);
  EXPECT_GT(words[1].size(), 100U);
}

}  // namespace
}  // namespace glint
