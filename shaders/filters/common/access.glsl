// Functions for the places of pixels in a plane, and for pixels outside of the image. Names that end in an underscore
// are not for the code of filters.
Parameters P;
uint layer_;
ivec2 size() { return ivec2(push_.width, push_.height); }
bool inImage(ivec2 p) { return all(greaterThanEqual(p, ivec2(0))) && all(lessThan(p, size())); }
uint packed_(ivec2 p, uint channels, uint c) {
  return (layer_ * push_.height + uint(p.y)) * push_.pitch * channels + (uint(p.x) * channels + c) / kPerWord;
}
uint shift_(ivec2 p, uint channels, uint c) { return (uint(p.x) * channels + c) % kPerWord * kBits; }
uint worded_(ivec2 p, uint channels, uint c) {
  return (layer_ * push_.height + uint(p.y)) * push_.pitch * kPerWord * channels + uint(p.x) * channels + c;
}
// Returns the index of a value in a plane of words, NAME_[].
uint place(ivec2 p, int c) { return worded_(p, kOut, uint(c)); }
uint luminance(uint blue, uint green, uint red) { return (19u * blue + 183u * green + 54u * red + 128u) >> 8; }

#if defined BORDER_MIRROR_
// Returns the place inside of n pixels to which i is mirrored. It avoids a division of integers, which CPUs carry out
// one lane after the other.
int mirror_(int i, int n) {
  const int period = max(2 * n - 2, 1);
  i = abs(i);
  i -= int(float(i) / float(period)) * period;
  i += i < 0 ? period : i >= period ? -period : 0;
  return min(i, period - i);
}
ivec2 inside_(ivec2 p) { return ivec2(mirror_(p.x, size().x), mirror_(p.y, size().y)); }
const bool kOutside_ = false;
#elif defined BORDER_REPLICATE_
ivec2 inside_(ivec2 p) { return clamp(p, ivec2(0), size() - 1); }
const bool kOutside_ = false;
#else
ivec2 inside_(ivec2 p) { return p; }
const bool kOutside_ = true;
#endif
