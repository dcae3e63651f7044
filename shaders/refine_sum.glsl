// Sums over the workgroup. Every invocation gets the result, and all of them must call these functions together.
//
// Subgroups of 32 or more lanes sum up 32 quantities by folding. In each of five steps an invocation keeps one half of
// its quantities. It gives the other half to its partner, and adds the partner's share of the half that it keeps. So
// 31 exchanges sum up 32 quantities, and each sum ends in an invocation of its own. Consecutive sums use different
// shared memory, so the subgroups have to wait for each other only once per sum.

const uint kQuantities = 32u;
const bool kAlone = kGroup == kLanes;
const bool kFolds = kLanes >= kQuantities;
const uint kSubgroups = kGroup / kLanes;
shared float ofSubgroups[kAlone ? 1 : 2 * kSubgroups * kQuantities];  // sums of the subgroups, for two turns
shared vec4 quantities[kSubgroups * kQuantities / 4];  // sums of the workgroup, a copy for each subgroup
shared uint counts[kGroup];
uint turn = 0;  // the half of `ofSubgroups` that the next sum uses, 0 or 1

// One step of folding for four quantities. There is no loop, because NVIDIA's compiler keeps an array that a loop
// indexes in memory, even if it unrolls the loop.
vec4 fold(vec4 lower, vec4 upper, uint half_) {
  const bool keeps = (gl_SubgroupInvocationID & half_) != 0;
  return (keeps ? upper : lower) + subgroupShuffleXor(keeps ? lower : upper, half_);
}

// Returns the subgroup's sum of one quantity, whose number is the invocation's number in the subgroup, modulo 32.
float fold(vec4 v[kQuantities / 4]) {
  const vec4 a = fold(v[0], v[4], 16), b = fold(v[1], v[5], 16);
  const vec4 c = fold(v[2], v[6], 16), d = fold(v[3], v[7], 16);
  const vec4 e = fold(a, c, 8), f = fold(b, d, 8);
  const vec4 g = fold(e, f, 4);
  const bool second = (gl_SubgroupInvocationID & 2) != 0;
  const vec2 h = (second ? g.zw : g.xy) + subgroupShuffleXor(second ? g.xy : g.zw, 2);
  const bool first = (gl_SubgroupInvocationID & 1) != 0;
  float sum = (first ? h.y : h.x) + subgroupShuffleXor(first ? h.x : h.y, 1);
  for (uint half_ = kQuantities; half_ < kLanes; half_ *= 2) sum += subgroupShuffleXor(sum, half_);
  return sum;
}

// Replaces each of 32 quantities by its sum over the workgroup.
void groupSum(inout vec4 v[kQuantities / 4]) {
  const uint self = gl_SubgroupInvocationID;
  const uint own = gl_SubgroupID * kQuantities;
  float sum = 0.0;
  if (kFolds) {
    sum = fold(v);
  } else {
    for (uint i = 0; i < kQuantities / 4; ++i) v[i] = sumAcross(v[i]);
    if (kAlone) return;
  }
  if (!kAlone) {
    const uint room = turn * kSubgroups * kQuantities;
    turn ^= 1;
    if (!kFolds && self == 0) {
      for (uint i = 0; i < kQuantities; ++i) ofSubgroups[room + own + i] = v[i / 4][i % 4];
    }
    if (kFolds && self < kQuantities) ofSubgroups[room + own + self] = sum;
    barrier();
    for (uint i = self; i < kQuantities; i += kLanes) {
      sum = 0.0;
      for (uint k = 0; k < kSubgroups; ++k) sum += ofSubgroups[room + k * kQuantities + i];
      quantities[(own + i) / 4][i % 4] = sum;
    }
  } else if (self < kQuantities) {
    quantities[self / 4][self % 4] = sum;
  }
  subgroupMemoryBarrierShared();
  subgroupBarrier();
  const uint first = own / 4;
  v[0] = quantities[first];
  v[1] = quantities[first + 1];
  v[2] = quantities[first + 2];
  v[3] = quantities[first + 3];
  v[4] = quantities[first + 4];
  v[5] = quantities[first + 5];
  v[6] = quantities[first + 6];
  v[7] = quantities[first + 7];
  subgroupBarrier();
}

// Returns the sum of `v` over the workgroup.
uint groupSum(uint v) {
  v = sumAcross(v);
  if (kAlone) return v;
  if (subgroupElect()) counts[gl_SubgroupID] = v;
  barrier();
  uint sum = 0;
  for (uint i = 0; i < gl_NumSubgroups; ++i) sum += counts[i];
  return sum;
}
