// Does one sweep of the distances that are counted in steps between neighbours (city block, chessboard and chamfer
// distances). It runs after `distance_steps`, once for each direction (dy, dz) in which the metric has steps.
//
// Row by row, each voxel takes the least of its own distance and the distances via three voxels of the preceding row,
// which is (dy, dz) away: the one straight ahead, and the two with x changed by one. One workgroup follows one chain
// of rows from border to border.
//
// The trick: the shortest path between two voxels goes in only one direction along each axis, and its steps may be
// taken in any order without leaving the box around both voxels. So a path that first takes all steps along x and then
// those of each direction (dy, dz) is as short. One sweep for each direction finds it, whatever the volume contains.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "shared/distance.h"

layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint kLanes = 64u;
layout(constant_id = 1) const uint kRow = 64u;     // most voxels of a row
layout(constant_id = 2) const uint kShared = 1u;   // 1: the preceding row is kept in shared memory

layout(push_constant) uniform Push { DistanceSweepParams params; };
layout(std430, binding = 0) buffer Distances { uint distances[]; };
layout(std430, binding = 1) coherent buffer Before { uint before[]; };  // the same buffer, used if kShared is 0

const uint kFar = 0x3fffffffu;  // more than any distance; a few steps can be added without an overflow
const uint kPitch = kRow + 2u;  // a row with one voxel more on either side, whose distance is kFar
const uint kAhead = 4u;         // rows that are read together, before they are needed
// True if every voxel of a row has a lane of its own, and the preceding row is kept in shared memory.
const bool kNarrow = kRow <= kLanes && kShared == 1u;
shared uint rows[kShared * 2u * kPitch + 1u];

// A chain of rows, each (dy, dz) away from the preceding one.
struct Chain {
  uint first;   // index of the first voxel of the first row
  uint stride;  // voxels from one row to the next, modulo 2^32 because it may be negative
  uint count;   // number of rows
};

Chain chainOf(uint number) {
  const DistanceShape shape = params.shape;
  uvec2 at = uvec2(params.dy < 0 ? shape.height - 1 : 0, params.dz < 0 ? shape.depth - 1 : 0);
  if (params.dz == 0) {
    at.y = number;
  } else if (number < shape.height) {
    at.x = number;
  } else {
    at.y += uint(params.dz) * (number - shape.height + 1);
  }
  const uint down = params.dy > 0 ? shape.height - at.x : params.dy < 0 ? at.x + 1 : kFar;
  const uint deep = params.dz > 0 ? shape.depth - at.y : params.dz < 0 ? at.y + 1 : kFar;
  return Chain((at.y * shape.height + at.x) * shape.width,
               uint(params.dz * int(shape.height) + params.dy) * shape.width,
               min(down, deep));
}

// Returns the least distance via three voxels of the preceding row.
uint stepFrom(uint left, uint straight, uint right) {
  return min(straight, min(left, right) + params.side) + params.weight;
}

// Returns the least distance via the preceding row, which is in half `parity` of the shared memory.
uint fromShared(uint parity, uint x) {
  const uint at = parity * kPitch + x;
  return stepFrom(rows[at], rows[at + 1], rows[at + 2]);
}

// Returns the least distance via the preceding row, which begins at voxel `row` of the buffer.
uint fromBuffer(uint row, uint x) {
  const uint left = x > 0 ? min(before[row + x - 1], kFar) : kFar;
  const uint right = x + 1 < params.shape.width ? min(before[row + x + 1], kFar) : kFar;
  return stepFrom(left, min(before[row + x], kFar), right);
}

// Follows a chain whose rows have a lane for each voxel. The next rows are read before they are needed.
void followNarrow(Chain chain) {
  const uint x = gl_LocalInvocationID.x;
  const bool inside = x < params.shape.width;
  uint at = chain.first + x;
  if (inside) rows[x + 1] = min(distances[at], kFar);
  uint ahead[kAhead];
  [[unroll]] for (uint k = 0; k < kAhead; ++k)
    ahead[k] = inside && 1 + k < chain.count ? distances[at + (1 + k) * chain.stride] : 0;
  for (uint row = 1; row < chain.count; row += kAhead) {
    uint old[kAhead];
    [[unroll]] for (uint k = 0; k < kAhead; ++k) {
      old[k] = ahead[k];
      const uint next = row + kAhead + k;
      ahead[k] = inside && next < chain.count ? distances[at + (1 + kAhead + k) * chain.stride] : 0;
    }
    [[unroll]] for (uint k = 0; k < kAhead; ++k) {
      if (row + k >= chain.count) break;
      at += chain.stride;
      barrier();
      if (inside) {
        const uint value = min(old[k], fromShared(k % 2, x));
        rows[(k + 1) % 2 * kPitch + x + 1] = min(value, kFar);
        if (value < old[k] && value < kFar) distances[at] = value;
      }
    }
  }
}

// Follows a chain whose rows have more voxels than the workgroup has lanes, or do not fit in shared memory.
void followWide(Chain chain) {
  uint at = chain.first;
  if (kShared != 0) {
    for (uint x = gl_LocalInvocationID.x; x < params.shape.width; x += kLanes)
      rows[x + 1] = min(distances[at + x], kFar);
  }
  for (uint row = 1; row < chain.count; ++row) {
    at += chain.stride;
    memoryBarrierBuffer();
    barrier();
    for (uint x = gl_LocalInvocationID.x; x < params.shape.width; x += kLanes) {
      const uint old = kShared != 0 ? distances[at + x] : before[at + x];
      const uint way = kShared != 0 ? fromShared((row + 1) % 2, x) : fromBuffer(at - chain.stride, x);
      const uint value = min(old, way);
      if (kShared != 0) rows[row % 2 * kPitch + x + 1] = min(value, kFar);
      if (value >= old || value >= kFar) continue;
      if (kShared != 0) {
        distances[at + x] = value;
      } else {
        before[at + x] = value;
      }
    }
  }
}

void main() {
  const Chain chain = chainOf(gl_WorkGroupID.x);
  if (kShared != 0 && gl_LocalInvocationID.x < 4)
    rows[gl_LocalInvocationID.x / 2 * kPitch +
         gl_LocalInvocationID.x % 2 * (params.shape.width + 1)] = kFar;
  if (kNarrow) {
    followNarrow(chain);
  } else {
    followWide(chain);
  }
}
