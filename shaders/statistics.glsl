// Combines the PlaneStatistics of two parts of a plane. Sums are added. Of equal extrema the one with the lower index
// is kept.

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
