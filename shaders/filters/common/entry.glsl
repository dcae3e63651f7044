
#if defined TILE_
void main() {
  layer_ = gl_WorkGroupID.z;
  if (blocks_[layer_].present == 0u) return;
  P = blocks_[layer_];
  tile(int(gl_WorkGroupID.x) * BLOCK_WIDE_, int(gl_WorkGroupID.y) * BLOCK_HIGH_);
}
#elif defined BLOCK_WIDE_
void main() {
  layer_ = gl_GlobalInvocationID.z;
  const uint b = gl_GlobalInvocationID.x;
  const int e = int(b < push_.first ? b : b + push_.gap) * BLOCK_WIDE_;
  const int y = int(gl_GlobalInvocationID.y) * BLOCK_HIGH_;
  if (b >= push_.blocks || y >= int(push_.height)) return;
  P = blocks_[layer_];
  if (P.present == 0u) return;
  block(e, y);
}
#else
void main() {
  layer_ = gl_GlobalInvocationID.z;
  const uint w = gl_GlobalInvocationID.x;
  const uint y = gl_GlobalInvocationID.y;
  if (w >= push_.pitch * kOut || y >= push_.height) return;
  P = blocks_[layer_];
  if (P.present == 0u) return;
#ifdef CHANGES_
  for (uint k = 0u; k < kPerWord; ++k) {
    const uint e = w * kPerWord + k;
    if (e / kOut < push_.width) change(ivec2(e / kOut, y), int(e % kOut));
  }
#else
#ifndef TARGET_WORDS_
  uint word = 0u;
#endif
  for (uint k = 0u; k < kPerWord; ++k) {
    const uint e = w * kPerWord + k;
    const ivec2 p = ivec2(min(e / kOut, push_.width - 1u), y);
    const uint v = value(p, int(e % kOut));
#ifdef TARGET_WORDS_
    TARGET_[(layer_ * push_.height + y) * push_.pitch * kPerWord * kOut + e] = v;
  }
#else
    word |= (v & kFull) << (k * kBits);
  }
  TARGET_[(layer_ * push_.height + y) * push_.pitch * kOut + w] = word;
#endif
#endif
}
#endif
