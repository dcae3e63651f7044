// Sums over the workgroup, for every invocation. Call in uniform control flow.
//
// A subgroup alone adds by its own means. Of several, each invocation leaves its share in shared
// memory, and then adds a part of one quantity: 32 shares for each of 32 quantities and kGroup / 32
// parts. That takes a third of the time that 32 additions across a GPU's subgroup take.

const uint kQuantities = 32u;
const bool kAlone = kGroup == kLanes;
const uint kParts = kAlone ? 1u : kGroup / kQuantities;
const uint kShares = kAlone ? 1u : kGroup + 1;  // one more than needed keeps the banks apart
shared float shares[kQuantities * kShares];
shared vec4 quantities[kQuantities / 4];
shared uint counts[kGroup];

void groupSum(inout vec4 v[kQuantities / 4]) {
  if (kAlone) {
    for (uint i = 0; i < kQuantities / 4; ++i) v[i] = subgroupAdd(v[i]);
    return;
  }
  const uint self = gl_LocalInvocationIndex;
  [[unroll]] for (uint i = 0; i < kQuantities; ++i) shares[i * kShares + self] = v[i / 4][i % 4];
  barrier();
  const uint quantity = self / kParts;
  const uint part = self % kParts;
  float sum = 0.0;
  [[unroll]] for (uint i = 0; i < 32; ++i) {
    const uint share = (i + part * (32 / kParts)) % 32;  // no two invocations at one bank
    sum += shares[quantity * kShares + part * 32 + share];
  }
  barrier();
  shares[self] = sum;
  barrier();
  if (self < kQuantities) {
    sum = 0.0;
    for (uint i = 0; i < kParts; ++i) sum += shares[self * kParts + i];
    quantities[self / 4][self % 4] = sum;
  }
  barrier();
  [[unroll]] for (uint i = 0; i < kQuantities / 4; ++i) v[i] = quantities[i];
}

uint groupSum(uint v) {
  v = subgroupAdd(v);
  if (kAlone) return v;
  if (subgroupElect()) counts[gl_SubgroupID] = v;
  barrier();
  uint sum = 0;
  for (uint i = 0; i < gl_NumSubgroups; ++i) sum += counts[i];
  return sum;
}
