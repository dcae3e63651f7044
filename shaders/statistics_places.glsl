// Functions of the statistics that read single places of the plane again. Include this file after declaring `plane`,
// `params`, `mask`, `samples`, kMasked and kGroup. A pixel counts if it lies in the image and is not masked.

// Returns the raster index of the first pixel of a load that counts and has `value`. The load is given by its index
// (row * loads per row + column). Returns kNoIndex for the index kNoIndex.
uint findIn(uint layer, uint index, uint value) {
  if (index == kNoIndex) return kNoIndex;
  const uint columns = (params.plane.width + kPerLoad - 1) / kPerLoad;
  const uvec2 at = uvec2(index % columns, index / columns);
  const uvec4 load = plane[(layer * params.plane.layerStride + at.y * params.plane.pitch) / 4 + at.x];
  uint same = 0;
  for (uint i = 0; i < kPerLoad; ++i) {
    same |= uint(unpack(load[i / kPerWord], i % kPerWord) == value) << i;
  }
  same &= insideBits(params.plane.width, at.x);
  const uint x = at.x * kPerLoad;
  if (kMasked != 0) same &= maskBits(params.maskPitch, params.plane.height, layer, x, at.y);
  return rasterIndex(params.plane, x + uint(findLSB(same)), at.y);
}

// Copies the pixels of a grid with a spacing of `step` into `samples`, row by row. A pixel that does not count gives
// kNoIndex. The work is divided among `groups` workgroups, of which this one has the number `group`.
void takeSamples(uint layer, uint group, uint groups) {
  const uint step_ = max(params.step, 1);
  const uvec2 first = uvec2(step_ / 2);
  const uvec2 number = (uvec2(params.plane.width, params.plane.height) - first + step_ - 1) / step_;
  for (uint i = group * kGroup + gl_LocalInvocationIndex; i < number.x * number.y; i += groups * kGroup) {
    const uvec2 at = first + step_ * uvec2(i % number.x, i / number.x);
    const uint word = wordOf(params.plane, layer, at.x, at.y);
    uint value = unpack(plane[word / 4][word % 4], at.x % kPerWord);
    if (kMasked != 0 && (maskBits(params.maskPitch, params.plane.height, layer, at.x, at.y) & 1) == 0)
      value = kNoIndex;
    samples[layer * kMaxSamples + i] = value;
  }
}
