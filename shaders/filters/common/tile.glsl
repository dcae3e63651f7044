// Functions that only passes with tiles have. Tiles work on words of four values of 8 bits.
const int kLanes = 256;
#define lane int(gl_LocalInvocationIndex)
// Returns the dot product of the four bytes of `a` and of `b`. This is the instruction OpUDotKHR with the packed
// format 0, for which glslang has no name yet.
spirv_instruction(extensions = ["SPV_KHR_integer_dot_product"], capabilities = [6018, 6019], id = 4451)
uint dotOfBytes_(uint a, uint b, spirv_literal int format);
uint sumOfBytes(uint word, uint weights) { return dotOfBytes_(word, weights, 0); }
uint wordAt_(int e, int y) { return row_(y) * push_.pitch + uint(clamp(e, 0, int(push_.pitch) * 4 - 4)) / 4u; }
// Replaces the values of a word that are outside of the image by `outside`.
uint ignored_(uint word, int e, int y) {
  const int left = clamp(int(push_.width) - e, 0, 4);
  const bool none = e < 0 || y < 0 || y >= int(push_.height) || left == 0;
  const uint inner = none ? 0u : 0xffffffffu >> (32 - 8 * max(left, 1));
  return (word & inner) | (outside * 0x01010101u & ~inner);
}
bool withinImage(int e, int y, int wide, int high) {
  return e >= 0 && y >= 0 && e + wide <= int(push_.width) && y + high <= int(push_.height);
}

// LOAD_TILE(NAME_, e, y, wide, high) fills tile_[] with `high` rows of `wide` words each from place e of row y on. `e`
// is a multiple of 4. All lanes load at the same time, four words per turn, from addresses that are always in the
// image. Then the columns outside of the image are made from those inside, which are in the tile by then.
#define LOAD_TILE(plane, e0, y0, wide, high) { \
  const int count_ = (wide) * (high); \
  for (int i_ = lane; i_ < count_; i_ += 4 * kLanes) { \
    uint v_[4]; \
    [[unroll]] for (int k_ = 0; k_ < 4; ++k_) { \
      const int n_ = min(i_ + k_ * kLanes, count_ - 1); \
      v_[k_] = plane[wordAt_((e0) + n_ % (wide) * 4, (y0) + n_ / (wide))]; \
    } \
    [[unroll]] for (int k_ = 0; k_ < 4; ++k_) { \
      const int n_ = i_ + k_ * kLanes; \
      if (n_ >= count_) continue; \
      tile_[n_] = kOutside_ ? ignored_(v_[k_], (e0) + n_ % (wide) * 4, (y0) + n_ / (wide)) : v_[k_]; \
    } \
  } \
  barrier(); \
  const int left_ = max(-(e0) / 4, 0), right_ = (int(push_.width) - (e0)) / 4; \
  const int outer_ = kOutside_ ? 0 : left_ + clamp((wide) - right_, 0, 6); \
  for (int i_ = lane; i_ < outer_ * (high); i_ += kLanes) { \
    const int n_ = i_ % outer_, w_ = n_ < left_ ? n_ : right_ + n_ - left_, r_ = i_ / outer_ * (wide); \
    uint word_ = 0u; \
    [[unroll]] for (int k_ = 0; k_ < 4; ++k_) { \
      const int s_ = clamp(inside_(ivec2((e0) + 4 * w_ + k_, 0)).x - (e0), 0, 4 * (wide) - 1); \
      word_ |= (tile_[r_ + s_ / 4] >> (s_ % 4 * 8) & 255u) << (8 * k_); \
    } \
    if (w_ < (wide)) tile_[r_ + w_] = word_; \
  } \
  if (outer_ > 0) barrier(); \
}
