// Computes the squared distances in the volume from those within planes (third step of the distance transform). It runs
// after `distance_planes`. A column extends along the depth. One invocation transforms one column, or several
// invocations search it together (distance_column.glsl).
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "shared/distance.h"

layout(push_constant) uniform Push { DistanceEnvelopeParams params; };
layout(std430, binding = 0) readonly buffer Planes { uint planes[]; };
layout(std430, binding = 1) buffer Links { uint links[]; };  // one word per voxel, used if kShared is 0
layout(std430, binding = 2) writeonly buffer Distances { uint distances[]; };
layout(std430, binding = 3) readonly buffer Sites { uint sites[]; };  // written by `distance_planes`
// The raster index of the nearest feature of each voxel; kNoDistance: the volume has none.
layout(std430, binding = 4) writeonly buffer Nearest { uint nearest[]; };

#include "distance_column.glsl"

// Returns the index of the invocation's column in plane `row`, in `planes` and `sites`.
uint linkPlace(uint row) {
  return (row * params.shape.height + gl_WorkGroupID.y) * params.shape.width +
         gl_GlobalInvocationID.x;
}

// Returns the value of the invocation's column in plane `row`.
uint siteValue(uint row) { return planes[linkPlace(row)]; }

// Returns the index, in the whole volume, of the feature that is nearest within a plane.
uint rasterIndex(uint plane) {
  const uint site = sites[linkPlace(plane)];
  return (plane * params.rasterHeight + (site >> 16)) * params.shape.width + (site & 0xffffu);
}

void put(uint row, uint value, uint site) {
  distances[linkPlace(row)] = value;
  if (kSites != 0) nearest[linkPlace(row)] = site == kNoSite ? kNoDistance : rasterIndex(site);
}

#include "distance_envelope.glsl"
#include "distance_search.glsl"

void main() {
  const bool inside = gl_GlobalInvocationID.x < params.shape.width;
  if (kTogether > 1) {
    searchColumn(params.shape.depth, inside);
  } else if (inside) {
    transformColumn(params.shape.depth);
  }
}
