// Functions with which blocks and tiles write the plane TARGET_.
#ifdef BLOCK_WIDE_
// Writes the four values from place e of row y on. `e` is a multiple of 4.
void put(int e, int y, uvec4 v) {
  if (e >= int(push_.pitch * kPerWord * kOut) || y >= int(push_.height)) return;
  const uint at_ = (layer_ * push_.height + uint(y)) * push_.pitch * kPerWord * kOut + uint(e);
#if defined TARGET_WORDS_
  TARGET_[at_] = v.x; TARGET_[at_ + 1u] = v.y; TARGET_[at_ + 2u] = v.z; TARGET_[at_ + 3u] = v.w;
#elif defined TARGET_DOUBLE_
  if (kBits == 8u) {
    TARGET_[at_ / 2u] = v.x | v.y << 16; TARGET_[at_ / 2u + 1u] = v.z | v.w << 16;
  } else {
    TARGET_[at_] = v.x; TARGET_[at_ + 1u] = v.y; TARGET_[at_ + 2u] = v.z; TARGET_[at_ + 3u] = v.w;
  }
#else
  v &= kFull;
  if (kBits == 8u) {
    TARGET_[at_ / 4u] = v.x | v.y << 8 | v.z << 16 | v.w << 24;
  } else {
    TARGET_[at_ / 2u] = v.x | v.y << 16; TARGET_[at_ / 2u + 1u] = v.z | v.w << 16;
  }
#endif
}
#endif
#ifdef TILE_
// Writes four packed values of 8 bits from place e of row y on. `e` is a multiple of 4.
void put_word(int e, int y, uint word) {
  if (e < int(push_.pitch * 4u) && y < int(push_.height))
    TARGET_[(layer_ * push_.height + uint(y)) * push_.pitch + uint(e) / 4u] = word;
}
#endif
