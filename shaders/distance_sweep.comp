// Does the sweeps of the distances that are counted in steps between neighbours (city block, chessboard and chamfer
// distances) along one direction (dy, dz): forwards, backwards, or first forwards and then backwards. It runs after
// `distance_rows`, once for each direction in which the metric has steps. The first one takes the distances within rows
// from the records.
//
// Row by row, each voxel takes the least of its own distance and the distances via three voxels of the preceding row:
// the one straight ahead, and the two with x changed by one. One workgroup follows one chain of rows, each (dy, dz)
// away from the preceding one, from border to border.
//
// The trick: the shortest path between two voxels goes in only one direction along each axis, and its steps may be
// taken in any order without leaving the box around both voxels. So a path that first takes all steps along x and then
// those of each direction (dy, dz) is as short. Sweeps forwards and backwards along each direction find it, whatever
// the volume contains.
//
// An invocation keeps four voxels of the preceding row in registers. What it needs of its neighbours it gets through the
// subgroup, or through shared memory if the workgroup is larger than a subgroup.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#include "shared/distance.h"
#include "distance_row.glsl"

layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint kLanes = 32u;  // at least a quarter of the width
layout(constant_id = 1) const uint kAlone = 1u;   // 1: the workgroup fits into one subgroup
layout(constant_id = 2) const uint kStart = 0u;   // 1: the sweep forwards begins with the distances within rows
layout(constant_id = 3) const uint kWhole = 1u;   // 1: the width is a multiple of 4
layout(constant_id = 4) const uint kFull = 0u;    // 1: the width is 4 * kLanes

layout(push_constant) uniform Push { DistanceSweepParams params; };
layout(std430, binding = 0) readonly buffer Records { uvec2 records[]; };
layout(std430, binding = 1) buffer Distances { uint distances[]; };
layout(std430, binding = 2) buffer Groups { uvec4 groups[]; };  // the same buffer, used if kWhole is 1

const uint kFar = 0x3fffffffu;  // more than any distance; a few steps can be added without an overflow

// The last and the first distances of all invocations: of two rows in turn, with kFar before and after them.
const uint kEnds = kAlone == 1u ? 1u : kLanes + 2u;
shared uint lasts[2u * kEnds];
shared uint firsts[2u * kEnds];

// A chain of rows.
struct Chain {
  uint first;  // number of the first row
  int step;    // number of rows from one row to the next, negative if the chain goes backwards
  uint count;
};

uint lane() {
  return kAlone == 1u ? gl_SubgroupInvocationID : gl_LocalInvocationID.x;
}

// Returns x of the first of the invocation's voxels.
uint ownX() {
  return 4 * lane();
}

// Returns which of the invocation's voxels are within the width.
bvec4 inside() {
  if (kFull == 1u) return bvec4(true);
  return lessThan(ownX() + uvec4(0, 1, 2, 3), uvec4(params.shape.width));
}

// Returns the chain with this number, forwards.
Chain chainOf(uint number) {
  const DistanceShape shape = params.shape;
  uvec2 at = uvec2(params.dy < 0 ? shape.height - 1 : 0, 0);
  if (params.dz == 0) {
    at.y = number;
  } else if (number < shape.height) {
    at.x = number;
  } else {
    at.y = number - shape.height + 1;
  }
  const uint down = params.dy > 0 ? shape.height - at.x : params.dy < 0 ? at.x + 1 : kFar;
  const uint deep = params.dz > 0 ? shape.depth - at.y : kFar;
  return Chain(at.y * shape.height + at.x, params.dz * int(shape.height) + params.dy,
               min(down, deep));
}

// Returns the same rows in reverse order.
Chain reversed(Chain chain) {
  return Chain(chain.first + uint(chain.step) * (chain.count - 1), -chain.step, chain.count);
}

// Returns the number of row `n` of a chain, or of its last row if it has fewer.
uint rowOf(Chain chain, uint n) {
  return chain.first + uint(chain.step) * min(n, chain.count - 1);
}

// Reads the invocation's voxels of a row as they are in the buffers: the distances, or with `start` the record. Where
// the row ends earlier, it reads others. Nothing is computed here, so that nothing has to wait for the memory.
uvec4 read(uint row, bool start) {
  const uint last = params.shape.width - 1, at = row * params.shape.width;
  const uint own = kFull == 1u ? ownX() : min(ownX(), last);
  if (start) return uvec4(records[row * params.shape.words + own / 32], 0, 0);
  if (kWhole == 1u) return groups[(at + own) / 4];
  const uvec4 x = min(ownX() + uvec4(0, 1, 2, 3), uvec4(last));
  return uvec4(distances[at + x.x], distances[at + x.y], distances[at + x.z], distances[at + x.w]);
}

// Returns the distance within the row of voxel `x`, whose record is `record`.
uint withinRow(uvec2 record, uint x) {
  const uint column = nearestInRow(record, x);
  return column == kNoColumn ? kFar : params.along * uint(abs(int(column) - int(x)));
}

// Returns the distances that were read, with kFar beyond the width.
uvec4 distancesOf(uvec4 data, bool start) {
  if (start) {
    const uint x = ownX();
    data = uvec4(withinRow(data.xy, x), withinRow(data.xy, x + 1), withinRow(data.xy, x + 2),
                 withinRow(data.xy, x + 3));
  }
  return mix(uvec4(kFar), min(data, uvec4(kFar)), inside());
}

// Writes the distances of the invocation's voxels of a row.
void write(uint row, uvec4 value) {
  const uint at = row * params.shape.width + ownX();
  value = mix(value, uvec4(kNoDistance), equal(value, uvec4(kFar)));
  const bvec4 within = inside();
  if (kWhole == 1u) {
    if (within.x) groups[at / 4] = value;
  } else {
    if (within.x) distances[at] = value.x;
    if (within.y) distances[at + 1] = value.y;
    if (within.z) distances[at + 2] = value.z;
    if (within.w) distances[at + 3] = value.w;
  }
}

// Returns the least distances of the next row's voxels via this row, which is row `n` of its chain.
uvec4 stepFrom(uvec4 row, uint n) {
  const uint own = lane();
  uint left, right;
  if (kAlone == 1u) {
    const uint before = subgroupShuffle(row.w, (own + kLanes - 1) % kLanes);
    const uint after = subgroupShuffle(row.x, (own + 1) % kLanes);
    left = own == 0 ? kFar : before;
    right = own == kLanes - 1 ? kFar : after;
  } else {
    const uint at = n % 2 * kEnds + own;
    lasts[at + 1] = row.w;
    firsts[at + 1] = row.x;
    barrier();
    left = lasts[at];
    right = firsts[at + 2];
  }
  const uvec4 sides = min(uvec4(left, row.xyz), uvec4(row.yzw, right));
  return min(row, sides + params.side) + params.weight;
}

// Carries the distances on from row `n` of the chain to the next one, which is in `data`.
#define STEP(data)                                        \
  if (n + 1 < chain.count) {                              \
    const uvec4 old = distancesOf(data, start);           \
    row = min(old, stepFrom(row, n));                     \
    ++n;                                                  \
    if (start || row != old) write(rowOf(chain, n), row); \
  }

// Reads four rows, from row `next` of the chain on.
#define READ(a, b, c, d)               \
  a = read(rowOf(chain, next), start);     \
  b = read(rowOf(chain, next + 1), start); \
  c = read(rowOf(chain, next + 2), start); \
  d = read(rowOf(chain, next + 3), start); \
  next += 4;

// Follows a chain. With `start` its rows come from the records, and all of them are written.
void follow(Chain chain, bool start) {
  uvec4 row = distancesOf(read(rowOf(chain, 0), start), start);
  if (start) write(rowOf(chain, 0), row);
  // Four rows are read while the four before them are computed. NVIDIA's compiler would keep an array in memory, and
  // wait for each row before it could put the row there. If it read a row in each step, it would wait for all rows that
  // are on their way whenever it needs one.
  uvec4 a, b, c, d, e, f, g, h;
  uint next = 1;
  READ(a, b, c, d)
  for (uint n = 0; n + 1 < chain.count;) {
    READ(e, f, g, h)
    STEP(a)
    STEP(b)
    STEP(c)
    STEP(d)
    READ(a, b, c, d)
    STEP(e)
    STEP(f)
    STEP(g)
    STEP(h)
  }
}

void main() {
  if (kAlone == 0u && lane() < 2) {
    lasts[lane() * kEnds] = kFar;
    firsts[(lane() + 1) * kEnds - 1] = kFar;
  }
  const Chain chain = chainOf(gl_WorkGroupID.x);
  if (params.forwards != 0) follow(chain, kStart == 1u);
  if (kAlone == 0u) barrier();  // the ends of the last row have been read
  if (params.backwards != 0) follow(reversed(chain), false);
}
