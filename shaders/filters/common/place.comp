#version 460
// Copies a part of a plane to another plane, whose other pixels become 0. One invocation makes one word.
layout(local_size_x = 16, local_size_y = 4) in;
layout(constant_id = 0) const uint kBits = 8u;
layout(constant_id = 1) const uint kChannels = 1u;
const uint kPerWord = 32u / kBits;
layout(push_constant) uniform Push { uint width, height, pitch, fromWidth, fromHeight, fromPitch; int x, y; } push_;
layout(std430, binding = 0) readonly buffer In { uint in_[]; };
layout(std430, binding = 1) writeonly buffer Out { uint out_[]; };
void main() {
  const uint w = gl_GlobalInvocationID.x;
  const uint y = gl_GlobalInvocationID.y;
  const uint layer = gl_GlobalInvocationID.z;
  if (w >= push_.pitch * kChannels || y >= push_.height) return;
  const int fromY = int(y) + push_.y;
  uint word = 0u;
  for (uint k = 0u; k < kPerWord; ++k) {
    const uint e = w * kPerWord + k;
    const int fromX = int(min(e / kChannels, push_.width - 1u)) + push_.x;
    if (fromX < 0 || fromY < 0 || fromX >= int(push_.fromWidth) || fromY >= int(push_.fromHeight)) continue;
    const uint from = uint(fromX) * kChannels + e % kChannels;
    const uint at = (layer * push_.fromHeight + uint(fromY)) * push_.fromPitch * kChannels + from / kPerWord;
    word |= (in_[at] >> (from % kPerWord * kBits) & ((1u << kBits) - 1u)) << (k * kBits);
  }
  out_[(layer * push_.height + y) * push_.pitch * kChannels + w] = word;
}
