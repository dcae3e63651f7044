// Computes the distances along one column exactly by examining every site that may be nearest, with several
// invocations per column. In the worst case the work grows with the square of the length. But a device with many lanes
// would not be busy with one invocation for each of its short columns.
//
// An invocation handles a block of kBlock rows. For each block, and for each group of kGroup blocks, the least value
// of its sites is known. A block or group is skipped if even a site with that value, at the least possible distance,
// would be no nearer than the sites found so far. The most promising block is examined first, so that nearly all
// others are skipped.
//
// Include this file after distance_column.glsl.

// The nearest sites found so far for the rows of the invocation's block.
struct Found {
  uint value[kBlock];  // squared distance; farAway(): none so far
  uint row[kBlock];    // row of the site
  uint most;           // the greatest of the values
};

// Returns a value above every distance. It is far enough below the largest number that a step can be added to it.
uint farAway() { return kFloat == 0 ? 0xc0000000u : 0x7f800000u; }

// Returns the squared length of a step by that many rows.
uint costOfStep(int rows) {
  if (kFloat == 0) return uint(rows * rows);
  precise const float far = params.along * float(rows * rows);
  return floatBitsToUint(far);
}

// Returns the sum of two squared distances. The bits of floats that are not negative have the same order as the
// floats, so callers may compare the results as integers.
uint withStep(uint value, uint step) {
  if (kFloat == 0) return value + step;
  precise const float sum = uintBitsToFloat(value) + uintBitsToFloat(step);
  return floatBitsToUint(sum);
}

// Return the places in columnMemory of a row's value, and of the least value of a block and of a group.
uint placeOf(uint row) { return row * kLanes + gl_LocalInvocationID.x; }
uint placeOfLeast(uint block) { return placeOf(kShared + block); }
uint placeOfGroup(uint group) { return placeOf(kShared + kShared / kBlock + group); }

// Writes the values of the invocation's rows to columnMemory, and the least value of each block and group. All
// invocations of the workgroup must call this together.
void readColumn(uint length, bool inside) {
  uint least = farAway();
  [[unroll]] for (uint i = 0; i < kBlock; ++i) {
    const uint row = gl_LocalInvocationID.y * kBlock + i;
    const uint read = inside && row < length ? siteValue(row) : kNoDistance;
    const uint value = read == kNoDistance ? farAway() : read;
    columnMemory[placeOf(row)] = value;
    least = min(least, value);
  }
  const uint own = gl_LocalInvocationID.y;
  columnMemory[placeOfLeast(own)] = least;
  barrier();
  if (own % kGroup == 0) {
    for (uint block = own + 1; block < min(own + kGroup, kTogether); ++block)
      least = min(least, columnMemory[placeOfLeast(block)]);
    columnMemory[placeOfGroup(own / kGroup)] = least;
  }
  barrier();
}

// Returns a lower limit for the squared distance between a site of a block and any of the invocation's rows. It is
// farAway() or more if the block has no site.
uint leastCost(uint block) {
  const int blocks = abs(int(block) - int(gl_LocalInvocationID.y));
  return withStep(columnMemory[placeOfLeast(block)], costOfStep(max(blocks * int(kBlock) - int(kBlock - 1), 0)));
}

// Returns the same as leastCost() for a group.
uint leastCostOfGroup(uint group) {
  const int own = int(gl_LocalInvocationID.y), first = int(group * kGroup), last = first + int(kGroup) - 1;
  const int blocks = max(max(first - own, own - last), 0);
  return withStep(columnMemory[placeOfGroup(group)], costOfStep(max(blocks * int(kBlock) - int(kBlock - 1), 0)));
}

// Keeps the site in `row` for the invocation's i-th row if it is nearer than the one found so far. Of equally near
// sites the one in the lowest row is kept.
void consider(uint cost, uint row, uint i, inout Found found) {
  if (kSites == 0) {
    found.value[i] = min(found.value[i], cost);
  } else {
    const bool nearer = cost < found.value[i] || cost == found.value[i] && row < found.row[i];
    found.row[i] = nearer ? row : found.row[i];
    found.value[i] = nearer ? cost : found.value[i];
  }
}

// Considers all sites of a block for all rows of the invocation.
void searchBlock(uint block, inout Found found) {
  const int apart = (int(gl_LocalInvocationID.y) - int(block)) * int(kBlock);
  uint steps[2 * kBlock - 1];
  [[unroll]] for (uint k = 0; k < 2 * kBlock - 1; ++k)
    steps[k] = costOfStep(apart + int(k) - int(kBlock - 1));
  [[unroll]] for (uint j = 0; j < kBlock; ++j) {
    const uint row = block * kBlock + j;
    const uint value = columnMemory[placeOf(row)];
    [[unroll]] for (uint i = 0; i < kBlock; ++i)
      consider(withStep(value, steps[i + kBlock - 1 - j]), row, i, found);
  }
  found.most = found.value[0];
  [[unroll]] for (uint i = 1; i < kBlock; ++i) found.most = max(found.most, found.value[i]);
}

// Returns the block with the least leastCost() in the group with the least leastCostOfGroup(), or the invocation's own
// block if no group contains a site.
uint mostPromising(uint blocks) {
  uint best = 0, least = farAway();
  for (uint group = 0; group * kGroup < blocks; ++group) {
    const uint cost = leastCostOfGroup(group);
    best = cost < least ? group : best;
    least = min(cost, least);
  }
  if (least == farAway()) return gl_LocalInvocationID.y;
  const uint from = best * kGroup;
  least = farAway();
  for (uint block = from; block < min(from + kGroup, blocks); ++block) {
    const uint cost = leastCost(block);
    best = cost < least || block == from ? block : best;
    least = min(cost, least);
  }
  return best;
}

// Returns true if a site at the squared distance `cost` may replace one at the distance `most`.
bool mayMatter(uint cost, uint most) {
  return cost < farAway() && (kSites == 0 ? cost < most : cost <= most);
}

// Computes the distances of the invocation's rows. All invocations of the workgroup must call this, those in columns
// beyond the width with `inside` false.
void searchColumn(uint length, bool inside) {
  readColumn(length, inside);
  const uint own = gl_LocalInvocationID.y;
  if (!inside || own * kBlock >= length) return;
  const uint blocks = (length + kBlock - 1) / kBlock;
  Found found;
  [[unroll]] for (uint i = 0; i < kBlock; ++i) {
    found.value[i] = farAway();
    found.row[i] = kNoSite;
  }
  found.most = farAway();
  if (leastCost(own) < farAway()) searchBlock(own, found);
  const uint first = mostPromising(blocks);
  if (first != own) searchBlock(first, found);
  for (uint group = 0; group * kGroup < blocks; ++group) {
    if (!mayMatter(leastCostOfGroup(group), found.most)) continue;
    const uint end = min(group * kGroup + kGroup, blocks);
    for (uint block = group * kGroup; block < end; ++block)
      if (mayMatter(leastCost(block), found.most) && block != own && block != first) searchBlock(block, found);
  }
  [[unroll]] for (uint i = 0; i < kBlock; ++i) {
    const bool none = found.value[i] >= farAway();
    if (own * kBlock + i < length)
      put(own * kBlock + i, none ? kNoDistance : found.value[i], none ? kNoSite : found.row[i]);
  }
}
