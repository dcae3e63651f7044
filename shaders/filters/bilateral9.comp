//! help GPUImage's bilateral blur: nine pixels of a column, then nine of a row.
//!   Pixels that differ from the one in the centre weigh less.
//! kind float
//! feeds view
//! planes grey colour
//! border replicate
//! param spacing: default 4; whole; range 1 to 16; unit px; help Distance from one of the nine pixels to the next.
//! param factor: default 8; range 0 to 64; slider 0 to 10; help How strongly a difference lowers a pixel's weight.
//! pass columns -> middle words
//! pass rows
//! check the formula in double
const float kWeights[9] = {5.0, 9.0, 12.0, 15.0, 18.0, 15.0, 12.0, 9.0, 5.0};

// Returns the colour of a pixel, with full scale as 1. A grey pixel has three equal channels.
vec3 colourAt(ivec2 p) {
#ifdef PASS_columns
  const float full = float(kFull);
  return kChannels == 1u ? vec3(at(p, 0)) / full : vec3(at(p, 0), at(p, 1), at(p, 2)) / full;
#else
  if (kChannels == 1u) return vec3(uintBitsToFloat(middle(p, 0)));
  return vec3(uintBitsToFloat(middle(p, 0)), uintBitsToFloat(middle(p, 1)), uintBitsToFloat(middle(p, 2)));
#endif
}

uint value(ivec2 p, int c) {
#ifdef PASS_columns
  const ivec2 away = ivec2(0, P.spacing);
#else
  const ivec2 away = ivec2(P.spacing, 0);
#endif
  const vec3 centre = colourAt(p);
  float sum = 0.0, all = 0.0;
  for (int i = -4; i <= 4; ++i) {
    const vec3 other = colourAt(p + i * away);
    const float w = kWeights[i + 4] * (1.0 - min(1.0, P.factor * distance(other, centre)));
    sum += w * other[c];
    all += w;
  }
#ifdef PASS_columns
  return floatBitsToUint(sum / all);
#else
  return uint(clamp(floor(sum / all * float(kFull) + 0.5), 0.0, float(kFull)));
#endif
}
