// Combining partial PlaneStatistics: sums add, extrema keep the lowest raster index among equals.

#include "wide.glsl"

const uint kNoIndex = 0xffffffffu;

PlaneStatistics noStatistics() {
  return PlaneStatistics(0, 0, 0, 0, 0xffffffffu, kNoIndex, 0, kNoIndex);
}

PlaneStatistics combine(PlaneStatistics a, PlaneStatistics b) {
  const Wide sum = add(Wide(a.sumLow, a.sumHigh), Wide(b.sumLow, b.sumHigh));
  const Wide squares = add(Wide(a.squaresLow, a.squaresHigh), Wide(b.squaresLow, b.squaresHigh));
  PlaneStatistics r = a;
  r.sumLow = sum.low;
  r.sumHigh = sum.high;
  r.squaresLow = squares.low;
  r.squaresHigh = squares.high;
  if (b.least < a.least || (b.least == a.least && b.leastIndex < a.leastIndex)) {
    r.least = b.least;
    r.leastIndex = b.leastIndex;
  }
  if (b.most > a.most || (b.most == a.most && b.mostIndex < a.mostIndex)) {
    r.most = b.most;
    r.mostIndex = b.mostIndex;
  }
  return r;
}

PlaneStatistics subgroupCombine(PlaneStatistics v) {
  const Wide sum = subgroupSum(Wide(v.sumLow, v.sumHigh));
  const Wide squares = subgroupSum(Wide(v.squaresLow, v.squaresHigh));
  const uint least = subgroupMin(v.least);
  const uint leastIndex = subgroupMin(v.least == least ? v.leastIndex : kNoIndex);
  const uint most = subgroupMax(v.most);
  const uint mostIndex = subgroupMin(v.most == most ? v.mostIndex : kNoIndex);
  return PlaneStatistics(sum.low, sum.high, squares.low, squares.high, least, leastIndex, most,
                         mostIndex);
}

// One entry a subgroup; a workgroup of kStatisticsGroup invocations has at most that many.
const uint kStatisticsGroup = 64u;
shared PlaneStatistics perSubgroup[kStatisticsGroup];

// Over the whole workgroup; the result is valid in invocation 0. Call in uniform control flow.
PlaneStatistics workgroupCombine(PlaneStatistics v) {
  v = subgroupCombine(v);
  if (subgroupElect()) perSubgroup[gl_SubgroupID] = v;
  barrier();
  if (gl_LocalInvocationIndex == 0) {
    for (uint i = 1; i < gl_NumSubgroups; ++i) v = combine(v, perSubgroup[i]);
  }
  return v;
}
