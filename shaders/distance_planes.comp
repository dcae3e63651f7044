// Computes the squared distances within each plane of the volume from the records of its rows (second step of the
// distance transform). It runs after `distance_rows`. A column extends along y. One invocation transforms one column,
// or several invocations search it together (distance_column.glsl).
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "shared/distance.h"
#include "distance_row.glsl"

layout(push_constant) uniform Push { DistanceEnvelopeParams params; };
layout(std430, binding = 0) readonly buffer Records { uvec2 records[]; };
layout(std430, binding = 1) buffer Links { uint links[]; };  // one word per voxel, used if kShared is 0
layout(std430, binding = 2) writeonly buffer Distances { uint distances[]; };
// y << 16 | x of the nearest feature in the plane of each voxel; kNoDistance: the plane has none.
layout(std430, binding = 3) writeonly buffer Sites { uint sites[]; };

#include "distance_column.glsl"

uint siteColumn(uint row) {
  const uint line = gl_WorkGroupID.y * params.shape.height + row;
  return nearestInRow(records[line * params.shape.words + gl_GlobalInvocationID.x / 32],
                      gl_GlobalInvocationID.x);
}

uint siteValue(uint row) {
  const uint column = siteColumn(row);
  if (column == kNoColumn) return kNoDistance;
  const int d = int(column) - int(gl_GlobalInvocationID.x);
  if (kFloat == 0) return uint(d * d);
  precise const float far = params.across * float(d * d);
  return floatBitsToUint(far);
}

uint linkPlace(uint row) {
  return (gl_WorkGroupID.y * params.shape.height + row) * params.shape.width +
         gl_GlobalInvocationID.x;
}

void put(uint row, uint value, uint site) {
  distances[linkPlace(row)] = value;
  if (kSites != 0)
    sites[linkPlace(row)] = site == kNoSite ? kNoDistance : site << 16 | siteColumn(site);
}

#include "distance_envelope.glsl"
#include "distance_search.glsl"

void main() {
  const bool inside = gl_GlobalInvocationID.x < params.shape.width;
  if (kTogether > 1) {
    searchColumn(params.shape.height, inside);
  } else if (inside) {
    transformColumn(params.shape.height);
  }
}
