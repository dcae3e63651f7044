// The markers of a group, as far as they are known: on a GPU in shared memory. On a CPU all of a subgroup work out
// the same, so that each has its own in registers: llvmpipe goes through its lanes in a loop for each number that
// it reads from shared memory. Include after declaring `Spot`.

#ifdef LOADS_FOR_CPUS
Spot spots[kMostNear];
Surroundings surroundings[kMostNear];

// Indices that a compiler knows keep what they index in registers.
Spot spotAt(uint k) {
  Spot s = spots[0];
  [[unroll]] for (uint i = 1; i < kMostNear; ++i) {
    if (i == k) s = spots[i];
  }
  return s;
}

void putSpot(uint k, Spot s) {
  [[unroll]] for (uint i = 0; i < kMostNear; ++i) {
    if (i == k) spots[i] = s;
  }
}

// Of the others than `k` the i-th one.
Spot otherSpot(uint k, uint i) {
  Spot s = spots[i + 1];
  if (i < k) s = spots[i];
  return s;
}

Surroundings surroundingsAt(uint k) {
  Surroundings s = surroundings[0];
  [[unroll]] for (uint i = 1; i < kMostNear; ++i) {
    if (i == k) s = surroundings[i];
  }
  return s;
}

void putSurroundings(uint k, Surroundings s) {
  [[unroll]] for (uint i = 0; i < kMostNear; ++i) {
    if (i == k) surroundings[i] = s;
  }
}

void waitForAll() {}
#else
shared Spot spots[kMostNear];
shared Surroundings surroundings[kMostNear];

Spot spotAt(uint k) { return spots[k]; }
Spot otherSpot(uint k, uint i) { return spots[i < k ? i : i + 1]; }
Surroundings surroundingsAt(uint k) { return surroundings[k]; }

void putSpot(uint k, Spot s) {
  if (gl_LocalInvocationIndex == 0) spots[k] = s;
}
void putSurroundings(uint k, Surroundings s) {
  if (gl_LocalInvocationIndex == 0) surroundings[k] = s;
}

void waitForAll() { barrier(); }
#endif
