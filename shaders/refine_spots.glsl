// The storage of a group's spots, one per marker. On a GPU they are in shared memory. On a CPU every invocation
// computes the same values and keeps its own copy in registers, because llvmpipe reads every number of shared memory in
// a loop over the lanes. Include this file after declaring `Spot`.

#ifdef LOADS_FOR_CPUS
Spot spots[kMostNear];
Surroundings surroundings[kMostNear];

// An array stays in registers only if the compiler knows all indices, so these functions compare `k` with each index.
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

// Returns the i-th of the spots other than `k`.
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
