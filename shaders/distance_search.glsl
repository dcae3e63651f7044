// Distances along one column, exactly: by looking at every site that may be nearest. In the worst case that is the
// square of the length, but all voxels of a column are worked on at once: of short columns a device with many
// lanes has too few to be busy with one invocation each.
//
// An invocation has kBlock rows of a column. Of each block, and of each kGroup blocks, the least value of the sites is
// known, so those are left out where even that, at the gap between them, is no nearer than what was found. The
// most promising block comes first, so that nearly all others are left out.
//
// Include after distance_column.glsl.

struct Found {
  uint value[kBlock];  // farAway(): none so far
  uint row[kBlock];
  uint most;  // of the values
};

// Above every distance, and far enough below the largest number that a step can be added.
uint farAway() { return kFloat == 0 ? 0xc0000000u : 0x7f800000u; }

uint costOfStep(int rows) {
  if (kFloat == 0) return uint(rows * rows);
  precise const float far = params.along * float(rows * rows);
  return floatBitsToUint(far);
}

// Bits of floats that are not negative are in the order of the floats.
uint withStep(uint value, uint step) {
  if (kFloat == 0) return value + step;
  precise const float sum = uintBitsToFloat(value) + uintBitsToFloat(step);
  return floatBitsToUint(sum);
}

uint placeOf(uint row) { return row * kLanes + gl_LocalInvocationID.x; }
uint placeOfLeast(uint block) { return placeOf(kShared + block); }
uint placeOfGroup(uint group) { return placeOf(kShared + kShared / kBlock + group); }

// Of the invocation's own rows, and the least of each block and group.
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

// No site of a block is nearer to any of the invocation's rows. farAway() or more: it has none.
uint leastCost(uint block) {
  const int blocks = abs(int(block) - int(gl_LocalInvocationID.y));
  return withStep(columnMemory[placeOfLeast(block)], costOfStep(max(blocks * int(kBlock) - int(kBlock - 1), 0)));
}

// The same of a group.
uint leastCostOfGroup(uint group) {
  const int own = int(gl_LocalInvocationID.y), first = int(group * kGroup), last = first + int(kGroup) - 1;
  const int blocks = max(max(first - own, own - last), 0);
  return withStep(columnMemory[placeOfGroup(group)], costOfStep(max(blocks * int(kBlock) - int(kBlock - 1), 0)));
}

// Of equally near sites the lowest.
void consider(uint cost, uint row, uint i, inout Found found) {
  if (kSites == 0) {
    found.value[i] = min(found.value[i], cost);
  } else {
    const bool nearer = cost < found.value[i] || cost == found.value[i] && row < found.row[i];
    found.row[i] = nearer ? row : found.row[i];
    found.value[i] = nearer ? cost : found.value[i];
  }
}

void lookAtBlock(uint block, inout Found found) {
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

// The block itself if no group holds a site.
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

bool mayMatter(uint cost, uint most) {
  return cost < farAway() && (kSites == 0 ? cost < most : cost <= most);
}

// All invocations of the workgroup must come here, those beyond the width with `inside` false.
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
  if (leastCost(own) < farAway()) lookAtBlock(own, found);
  const uint first = mostPromising(blocks);
  if (first != own) lookAtBlock(first, found);
  for (uint group = 0; group * kGroup < blocks; ++group) {
    if (!mayMatter(leastCostOfGroup(group), found.most)) continue;
    const uint end = min(group * kGroup + kGroup, blocks);
    for (uint block = group * kGroup; block < end; ++block)
      if (mayMatter(leastCost(block), found.most) && block != own && block != first) lookAtBlock(block, found);
  }
  [[unroll]] for (uint i = 0; i < kBlock; ++i) {
    const bool none = found.value[i] >= farAway();
    if (own * kBlock + i < length)
      put(own * kBlock + i, none ? kNoDistance : found.value[i], none ? kNoSite : found.row[i]);
  }
}
