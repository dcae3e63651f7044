// The start of every filter's kernel: its extensions and specialisation constants.
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_EXT_spirv_intrinsics : require
#extension GL_KHR_shader_subgroup_vote : require
layout(constant_id = 0) const uint kBits = 8u;  // bits of a value: 8 or 16
layout(constant_id = 1) const uint kForm_ = 1u;  // the input's channels, plus 4 for a second form of the kernel
const uint kChannels = kForm_ & 3u;
const bool kEdges_ = kForm_ < 4u;  // false in the second form, whose blocks do not reach beyond the left or right edge
const uint kPerWord = 32u / kBits;
const uint kFull = (1u << kBits) - 1u;
