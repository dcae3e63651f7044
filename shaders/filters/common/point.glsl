// The kernel that all point filters share. It replaces every value by the entry of a table. One invocation handles one
// load of 16 bytes. start.glsl precedes this file.
layout(local_size_x = 16, local_size_y = 16) in;
layout(push_constant) uniform Push { uint width, height, pitch; } push_;
struct Parameters { uint frame, present, slots, extra; };
layout(std140, binding = 0) uniform Blocks { Parameters blocks_[16]; };
layout(std430, binding = 1) readonly buffer Tables { uint tables_[]; };
layout(std430, binding = 2) readonly buffer In { uvec4 in_[]; };
layout(std430, binding = 3) writeonly buffer Out { uvec4 out_[]; };
// A copy of the table in shared memory, used for 8 bits on devices other than CPUs.
shared uint near_[256];
const bool kNear_ = !kEdges_ && kBits == 8u;
uint entry_(uint begin, uint v) { return kNear_ ? near_[v] : tables_[begin + v]; }
void main() {
  const uint at = gl_GlobalInvocationID.x;
  const uint y = gl_GlobalInvocationID.y;
  const uint layer = gl_GlobalInvocationID.z;
  const uint loads = push_.pitch * kChannels / 4u;
  const bool inside = at < loads && y < push_.height;
  if (!kNear_ && (!inside || blocks_[layer].present == 0u)) return;
  const uvec4 from = in_[(layer * push_.height + min(y, push_.height - 1u)) * loads + min(at, loads - 1u)];
  const uint begin = blocks_[layer].extra;
  if (kNear_) {
    near_[gl_LocalInvocationIndex] = tables_[begin + gl_LocalInvocationIndex];
    barrier();
    if (!inside || blocks_[layer].present == 0u) return;
  }
  uvec4 to = uvec4(0u);
  [[unroll]] for (uint i = 0u; i < 4u; ++i) {
    [[unroll]] for (uint k = 0u; k < 32u; k += kBits)
      to[i] |= entry_(begin, from[i] >> k & kFull) << k;
  }
  out_[(layer * push_.height + y) * loads + at] = to;
}
