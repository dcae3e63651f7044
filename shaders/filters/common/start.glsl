// The start of every filter's kernel: extensions and what is known once the kernel is specialised.
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_EXT_spirv_intrinsics : require
#extension GL_KHR_shader_subgroup_vote : require
layout(constant_id = 0) const uint kBits = 8u;  // of a value: 8 or 16
layout(constant_id = 1) const uint kForm_ = 1u;  // the input's channels, and 4 more for a second form of the kernel
const uint kChannels = kForm_ & 3u;
const bool kEdges_ = kForm_ < 4u;  // false: no block reaches beyond the left or the right edge of the image
const uint kPerWord = 32u / kBits;
const uint kFull = (1u << kBits) - 1u;
