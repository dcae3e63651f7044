#include <algorithm>

#include <fmt/format.h>

#include "app/output/report/charts.h"
#include "app/output/report/svg.h"

namespace glint::output::report {
namespace {

constexpr double kHeight = 250;

/// Bars of neighbouring bins. `edges` has one more element than the shares of each series.
struct Bars {
  std::vector<double> edges;
  std::vector<std::vector<double>> shares;  ///< one for each histogram, in %
  double most = 0;                          ///< the largest share
  uint64_t leftOut = 0;                     ///< values below the first edge
};

// Returns the range of bins that are shown. Leaves out the lowest ones, which together hold at most
// 1 % of all values except zeros. The shortest lengths are of no interest, but would take most of
// the width on a logarithmic axis.
std::pair<size_t, size_t> shownBins(const LogHistogram& histogram) {
  const auto bins = histogram.bins();
  size_t first = 0, last = bins.size();
  for (uint64_t below = 0; first < last; ++first)
    if ((below += bins[first]) * 100 > histogram.count() - histogram.zeros()) break;
  while (last > first && bins[last - 1] == 0) --last;
  return {first, last};
}

// Combines as many bins to each bar as it takes to have at most 64 bars.
Bars barsOf(const std::vector<const LogHistogram*>& histograms) {
  size_t first = histograms.front()->bins().size(), end = 0;
  for (const LogHistogram* histogram : histograms) {
    const auto [from, to] = shownBins(*histogram);
    if (from < to) first = std::min(first, from);
    end = std::max(end, to);
  }
  if (first >= end) return {};
  const size_t last = end - 1;
  size_t group = 0;
  for (const size_t wanted : {2, 5, 10, 20}) {
    group = wanted;
    if (last / group - first / group < 64) break;
  }
  Bars bars;
  for (size_t i = first / group; i <= last / group + 1; ++i)
    bars.edges.push_back(LogHistogram::edge(i * group));
  for (const LogHistogram* histogram : histograms) {
    auto& shares = bars.shares.emplace_back(bars.edges.size() - 1, 0.0);
    uint64_t shown = 0;
    for (size_t i = first - first % group; i <= last; ++i) {
      shown += histogram->bins()[i];
      shares[i / group - first / group] += 100.0 * static_cast<double>(histogram->bins()[i]) /
                                           static_cast<double>(histogram->count());
    }
    bars.leftOut += histogram->count() - shown;
    bars.most = std::max(bars.most, *std::ranges::max_element(shares));
  }
  return bars;
}

// Returns the axis of the bars. Its title names the values that are left out.
Axis barAxis(std::string title, const Bars& bars) {
  if (bars.leftOut > 0) title += fmt::format("; {} smaller values left out", grouped(bars.leftOut));
  return logAxis(std::move(title), bars.edges.front(), bars.edges.back());
}

// Returns the path of bars that stand side by side, with a pixel between them.
std::string barPath(const Chart& chart, std::span<const double> edges,
                    std::span<const double> values) {
  std::string d;
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i] <= 0) continue;
    const double left = chart.x(edges[i]) + 0.5, right = chart.x(edges[i + 1]) - 0.5;
    const double bottom = chart.y(0), top = std::min(chart.y(values[i]), bottom - 1);
    d += fmt::format("M{:.1f} {:.1f}V{:.1f}H{:.1f}V{:.1f}z", left, bottom, top, right, bottom);
  }
  return fmt::format("<path class=\"bars\" d=\"{}\"/>", d);
}

// Returns the outline of bars, so that several histograms can lie over each other.
std::string outline(const Chart& chart, std::span<const double> edges,
                    std::span<const double> values, std::string_view className) {
  std::string d = fmt::format("M{:.1f} {:.1f}", chart.x(edges[0]), chart.y(0));
  for (size_t i = 0; i < values.size(); ++i)
    d += fmt::format("V{:.1f}H{:.1f}", chart.y(values[i]), chart.x(edges[i + 1]));
  d += fmt::format("V{:.1f}", chart.y(0));
  return fmt::format("<path class=\"outline {}\" d=\"{}\"/>", className, d);
}

// Adds the outlines for x and y, with their names.
void addBoth(Chart& chart, std::span<const double> edges, std::span<const std::vector<double>> both,
             std::string_view x, std::string_view y) {
  chart.add(outline(chart, edges, both[0], "in-x"));
  chart.add(outline(chart, edges, both[1], "in-y"));
  chart.addLegend(y, "in-y key-line");
  chart.addLegend(x, "in-x key-line");
}

}  // namespace

std::string stepsChart(const CameraSummary& camera) {
  const Bars bars = barsOf({&camera.steps});
  if (bars.edges.empty()) return {};
  Chart chart(kHalf, kHeight, barAxis("step (px a frame)", bars),
              linearAxis("share of steps (%)", 0, bars.most, 5, true));
  chart.add(barPath(chart, bars.edges, bars.shares[0]));
  if (const double median = camera.steps.quantile(0.5); median > bars.edges.front()) {
    chart.add(fmt::format("<path class=\"mark\" d=\"M{:.1f} {}V{:.1f}\"/>", chart.x(median),
                          Chart::kTop, chart.y(0)));
    chart.addLegend(fmt::format("median {} px", rounded(median)), "mark");
  }
  return chart.finish("Distribution of the distance from one frame to the next");
}

std::vector<GapClass> gapClasses(const std::map<uint32_t, uint64_t>& gaps) {
  std::vector<GapClass> classes;
  uint32_t most = 0;
  for (uint64_t power = 1; !gaps.empty(); power *= 10) {
    for (const uint64_t tenths : {10, 15, 20, 30, 40, 50, 70}) {
      const auto upTo = static_cast<uint32_t>(std::min<uint64_t>(tenths * power / 10, UINT32_MAX));
      if (upTo <= most || (tenths == 40 && power > 1)) continue;
      GapClass& next = classes.emplace_back(GapClass{most + 1, upTo, 0});
      for (auto gap = gaps.lower_bound(next.least); gap != gaps.end() && gap->first <= upTo; ++gap)
        next.count += gap->second;
      most = upTo;
      if (gaps.rbegin()->first <= most) return classes;
    }
  }
  return classes;
}

std::string gapsChart(const CameraSummary& camera) {
  const std::vector<GapClass> classes = gapClasses(camera.gaps);
  if (classes.empty()) return {};
  std::vector<double> edges{0}, counts;
  constexpr size_t kFewest = 8;  // the fewest places, so that one bar does not fill the chart
  const auto places = static_cast<double>(std::max(kFewest, classes.size()));
  Axis axis{"length of the gap (frames, up to)", 0, places, false, {}};
  constexpr size_t kMostLabels = 16;
  const size_t step = (classes.size() + kMostLabels - 1) / kMostLabels;
  for (size_t i = 0; i < classes.size(); ++i) {
    edges.push_back(static_cast<double>(i + 1));
    counts.push_back(static_cast<double>(classes[i].count));
    if (i % step == 0)
      axis.ticks.push_back({static_cast<double>(i) + 0.5, std::to_string(classes[i].most)});
  }
  const double most = *std::ranges::max_element(counts);
  Chart chart(kHalf, kHeight, std::move(axis), linearAxis("gaps", 0, std::max(5.0, most), 5, true));
  chart.add(barPath(chart, edges, counts));
  return chart.finish("How many gaps there are of each length");
}

std::string sigmaChart(const CameraSummary& camera) {
  const Bars bars = barsOf({&camera.sigmaX, &camera.sigmaY});
  if (bars.edges.empty()) return {};
  Chart chart(kHalf, kHeight, barAxis("standard deviation (px)", bars),
              linearAxis("share of rows (%)", 0, bars.most, 5, true));
  addBoth(chart, bars.edges, bars.shares, "sigma_x", "sigma_y");
  return chart.finish("Distribution of the standard deviations of x and y");
}

std::string phaseChart(const CameraSummary& camera) {
  if (camera.phaseX.count() == 0) return {};
  std::vector<double> edges, densities[2];
  double most = 1.5;
  for (size_t i = 0; i <= PhaseHistogram::kBins; ++i)
    edges.push_back(static_cast<double>(i) / PhaseHistogram::kBins);
  const PhaseHistogram* const histograms[]{&camera.phaseX, &camera.phaseY};
  for (size_t h = 0; h < 2; ++h) {
    for (const uint64_t count : histograms[h]->bins()) {
      densities[h].push_back(static_cast<double>(count * PhaseHistogram::kBins) /
                             static_cast<double>(histograms[h]->count()));
      most = std::max(most, densities[h].back());
    }
  }
  Axis axis{.title = "phase (px): 0 and 1 are the centre of a pixel, 0.5 its border",
            .ticks = {{0, "0"}, {0.25, "0.25"}, {0.5, "0.5"}, {0.75, "0.75"}, {1, "1"}}};
  Chart chart(kHalf, kHeight, std::move(axis), linearAxis("density (even = 1)", 0, most, 5, true));
  chart.add(fmt::format("<path class=\"mark\" d=\"M{} {:.1f}h{}\"/>", Chart::kLeft, chart.y(1),
                        chart.width()));
  addBoth(chart, edges, densities, "x mod 1", "y mod 1");
  return chart.finish("Distribution of the fractional parts of x and y");
}

}  // namespace glint::output::report
