// The functions that read planes, tables and files. The declarations of a filter say which of them a pass has: Glint
// writes one line for each, such as READ_PACKED_(at, in_, kChannels).

// NAME_row(e, y) returns the values e to e + 3 of a row, where e is a multiple of 4 and inside of the image. NAME_four
// also works outside, and NAME_any for any e. LOAD is the expression that reads four values at `row` and `at_`. CPUs
// execute every branch, and do not unroll a loop that contains another one. So blocks far from the left and right edges
// are computed by another form of the kernel (kEdges_ is false).
#ifdef BLOCK_WIDE_
#define FOURS_(NAME, CHANNELS, LOAD) \
uvec4 NAME##_row(int e, int y) { \
  const uint row = row_(y), at_ = first_(e, CHANNELS); \
  uvec4 v = LOAD; \
  if (kOutside_) v = mix(v, uvec4(outside), bvec4(y < 0 || y >= int(push_.height))); \
  return v; \
} \
uint NAME##_value_(int e, int y) { \
  const ivec2 p = pixel_(e, int(CHANNELS), y); \
  return kOutside_ && !inImage(p) ? outside : NAME(p, e - p.x * int(CHANNELS)); \
} \
uvec4 NAME##_four(int e, int y) { \
  uvec4 v = NAME##_row(e, y); \
  if (kEdges_) { \
    if (e < 0 || e + 4 > int(push_.width * CHANNELS)) \
      v = uvec4(NAME##_value_(e, y), NAME##_value_(e + 1, y), NAME##_value_(e + 2, y), NAME##_value_(e + 3, y)); \
  } \
  return v; \
} \
uvec4 NAME##_any(int e, int y) { \
  const int s = e & 3; \
  return shifted(NAME##_four(e - s, y), NAME##_four(e - s + 4, y), s); \
}
#else
#define FOURS_(NAME, CHANNELS, LOAD)
#endif

// NAME_word(e, y) returns the four values of 8 bits from e on, packed in a word, where e is a multiple of 4 and inside
// of the image. NAME_edged also works outside, if the filter ignores the border. NAME_free makes no tests, and is for
// tiles that are withinImage().
#ifdef TILE_
#define WORD_(NAME, PLANE) \
uint NAME##_word(int e, int y) { return PLANE[wordAt_(e, y)]; } \
uint NAME##_free(int e, int y) { \
  return PLANE[(layer_ * push_.height + uint(y)) * push_.pitch + uint(e) / 4u]; \
}
#if defined BORDER_MIRROR_ || defined BORDER_REPLICATE_
#define EDGED_WORD_(NAME)
#else
#define EDGED_WORD_(NAME) uint NAME##_edged(int e, int y) { return ignored_(NAME##_word(e, y), e, y); }
#endif
#else
#define WORD_(NAME, PLANE)
#define EDGED_WORD_(NAME)
#endif

// NAME(p, c) returns a value of a plane that has as many bits per value as the image.
#define READ_PACKED_(NAME, PLANE, CHANNELS) \
uint NAME(ivec2 p, int c) { \
  p = inside_(p); \
  return PLANE[packed_(p, CHANNELS, uint(c))] >> shift_(p, CHANNELS, uint(c)) & kFull; \
} \
FOURS_(NAME, CHANNELS, \
       kBits == 8u ? bytes_(PLANE[row * push_.pitch * CHANNELS + at_ / kPerWord]) \
                   : halves_(PLANE[row * push_.pitch * CHANNELS + at_ / kPerWord], \
                             PLANE[row * push_.pitch * CHANNELS + at_ / kPerWord + 1u])) \
WORD_(NAME, PLANE) \
EDGED_WORD_(NAME)

// NAME(p, c) returns a value of a plane with 32 bits per value.
#define VALUE_AT_ row * push_.pitch * kPerWord * kOut + at_
#define READ_WORDS_(NAME, PLANE) \
uint NAME(ivec2 p, int c) { return PLANE[worded_(inside_(p), kOut, uint(c))]; } \
FOURS_(NAME, kOut, \
       uvec4(PLANE[VALUE_AT_], PLANE[VALUE_AT_ + 1u], PLANE[VALUE_AT_ + 2u], PLANE[VALUE_AT_ + 3u]))

// NAME(p, c) returns a value of a plane that has twice as many bits per value as the image.
#define READ_DOUBLE_(NAME, PLANE) \
uint NAME(ivec2 p, int c) { \
  const uint at_ = worded_(inside_(p), kOut, uint(c)); \
  return kBits == 8u ? PLANE[at_ / 2u] >> (at_ % 2u * 16u) & 0xffffu : PLANE[at_]; \
} \
FOURS_(NAME, kOut, \
       kBits == 8u ? halves_(PLANE[(VALUE_AT_) / 2u], PLANE[(VALUE_AT_) / 2u + 1u]) \
                   : uvec4(PLANE[VALUE_AT_], PLANE[VALUE_AT_ + 1u], PLANE[VALUE_AT_ + 2u], PLANE[VALUE_AT_ + 3u]))

// NAME_words(y) returns the index of the first word of a row in a plane with TIMES as many words as the image. The code
// of the filter defines the order of the words.
#define READ_TIMES_(NAME, TIMES) uint NAME##_words(int y) { return row_(y) * push_.pitch * kOut * TIMES; }

// NAME(i) returns the i-th word of a file. The plane begins with the index of the first word of each layer. The words
// follow.
#define READ_FILE_(NAME, PLANE) uint NAME(int i) { return PLANE[PLANE[layer_] + uint(i)]; }

// NAME(i) returns the i-th entry of a table.
#define READ_WHOLE_TABLE_(NAME) int NAME(int i) { return int(tables_[P.NAME##_begin + uint(i)]); }
#define READ_TABLE_(NAME) float NAME(int i) { return uintBitsToFloat(tables_[P.NAME##_begin + uint(i)]); }
