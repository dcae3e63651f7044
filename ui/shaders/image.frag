#version 450
// One plane of a frame, drawn straight from its storage buffer.
layout(constant_id = 0) const uint kBits = 8;      // bits of a channel: 1, 8 or 16
layout(constant_id = 1) const uint kChannels = 1;  // 3: blue, green, red
layout(constant_id = 2) const bool kIntensity = false;
// Samples along each axis of a pixel of the screen, if several pixels of the image share it.
layout(constant_id = 3) const uint kSamples = 1;
layout(constant_id = 4) const bool kWarped = false;  // true if the image is seen askew

layout(std430, binding = 0) readonly buffer Plane {
  uint words[];
};
layout(push_constant) uniform Params {
  vec2 origin;      // framebuffer px: the upper left corner of the image
  uvec2 size;       // px
  uint pitch;       // words
  uint first;       // word of the layer
  float step;       // px of the image for each px of the framebuffer
  float black;      // the count that is drawn black
  float gain;       // gain of counts above black
  float white;      // the count that is drawn white
  float threshold;  // counts
  float unused;
  // Rows of the matrix that takes (x, y, 1) of the framebuffer to (x w, y w, w) of the image.
  vec4 warp[3];
};
layout(location = 0) out vec4 colour;

uint channel(uint row, uint index) {
  if (kBits == 1) return (words[row + (index >> 5)] >> (index & 31)) & 1;
  if (kBits == 8) return (words[row + (index >> 2)] >> ((index & 3) * 8)) & 0xffu;
  return (words[row + (index >> 1)] >> ((index & 1) * 16)) & 0xffffu;
}

vec3 pixel(vec2 at) {
  const uvec2 p = uvec2(ivec2(clamp(at, vec2(0.0), vec2(size) - 1.0)));  // floats are clamped more cheaply
  const uint row = first + p.y * pitch;
  if (kChannels == 1) return vec3(int(channel(row, p.x)));
  if (kBits == 16) {
    const uint blue = p.x * 3;
    return vec3(channel(row, blue + 2), channel(row, blue + 1), channel(row, blue));
  }
  const uint word = row + p.x * 3 / 4, shift = p.x * 3 % 4 * 8;
  // Reads the next word only if the pixel reaches into it. Has no branch, which would cost a CPU
  // more than the load.
  const uint next = words[word + uint(shift > 8u)];
  const uint bgr = words[word] >> shift | next << 1 << (31 - shift);
  // A CPU has no conversion of unsigned numbers.
  return vec3(ivec3(bgr >> 16 & 0xffu, bgr >> 8 & 0xffu, bgr & 0xffu));
}

// Returns the false colour of a value: blues that grow lighter below the threshold, green at it,
// and yellow to red and white above.
vec3 falseColour(float value) {
  const float part = value / max(threshold, 1.0);
  if (part < 0.92) return mix(vec3(0.02, 0.03, 0.06), vec3(0.25, 0.45, 0.75), part / 0.92);
  if (part < 1.08) return vec3(0.15, 0.85, 0.35);
  const float above = clamp((value - threshold * 1.08) / max(white - threshold * 1.08, 1.0), 0.0, 1.0);
  if (above < 0.6) return mix(vec3(1.0, 0.9, 0.1), vec3(0.95, 0.25, 0.1), above / 0.6);
  return mix(vec3(0.95, 0.25, 0.1), vec3(1.0), (above - 0.6) / 0.4);
}

// Returns the place in the image, px from its corner. If the image's plane is behind the eye there,
// returns a place outside of it.
vec2 warped(vec2 at) {
  const vec3 p = vec3(dot(warp[0].xyz, vec3(at, 1.0)), dot(warp[1].xyz, vec3(at, 1.0)), dot(warp[2].xyz, vec3(at, 1.0)));
  return p.z > 0.0 ? p.xy / p.z : vec2(-1.0);
}

void main() {
  if (kWarped) {
    const vec2 middle = warped(gl_FragCoord.xy);
    if (any(lessThan(middle, vec2(0.0))) || any(greaterThan(middle, vec2(size)))) discard;
  }
  const vec2 corner = (gl_FragCoord.xy - origin - 0.5 + 0.5 / float(kSamples)) * step;
  vec3 value = vec3(0.0);
  for (uint y = 0; y < kSamples; ++y)
    for (uint x = 0; x < kSamples; ++x) {
      if (kWarped)
        value += pixel(warped(gl_FragCoord.xy - 0.5 + (vec2(x, y) + 0.5) / float(kSamples)));
      else
        value += pixel(corner + step / float(kSamples) * vec2(x, y));
    }
  if (kSamples > 1) value /= float(kSamples * kSamples);
  if (kIntensity)
    colour = vec4(falseColour(value.x), 1.0);
  else
    colour = vec4((value - black) * gain, 1.0);  // the framebuffer clamps values outside of 0 to 1
}
