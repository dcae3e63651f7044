// Joins every run with the runs that it touches on its left and above it, at a side or a corner. It runs after
// blobs_mark. One invocation handles `rowsPerThread` rows of a column of words. Afterwards all runs of a component have
// the same root.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shared/blobs.h"
#include "blobs.glsl"

layout(std430, binding = 0) readonly buffer Bitmap { uint bitmap[]; };
layout(std430, binding = 1) readonly buffer Occupied { uint occupied[]; };
layout(std430, binding = 2) coherent buffer Parents { uint parents[]; };

// Returns the root of a node. On the way it makes the grandparent of every node its parent. These writes may race with
// others, but each replaces one ancestor by another.
uint find(uint node) {
  uint parent = parents[node];
  if (parent == node) return node;
  uint previous = node;
  for (uint next = parents[parent]; next < parent; next = parents[parent]) {
    parents[previous] = next;
    previous = parent;
    parent = next;
  }
  return parent;
}

void unite(uint a, uint b) {
  a = find(a);
  b = find(b);
  while (a != b) {
    const uint greater = max(a, b);
    const uint lesser = min(a, b);
    const uint before = atomicCompSwap(parents[greater], greater, lesser);
    if (before == greater) return;
    a = find(before);  // another invocation gave `greater` a parent in the meantime
    b = lesser;
  }
}

// Joins the runs of a word with the runs that they touch in the word above and in the two words beside that one.
void uniteRuns(uint index, uint bits, uint above, bool leftAbove, bool rightAbove) {
  const uint up = index - wordsPerRow();
  for (uint rest = bits; rest != 0;) {
    const uint start = uint(findLSB(rest));
    const uint end = runEnd(bits, start);
    const uint run = bitsOf(start, end);
    const uint node = nodeAt(index, start);
    rest &= ~run;
    for (uint touched = above & (run | run << 1 | run >> 1); touched != 0;) {
      const uint i = uint(findLSB(touched));
      const uint from = runStart(above, i);
      unite(node, nodeAt(up, from));
      touched &= ~bitsOf(from, runEnd(above, i));
    }
    if (start == 0 && leftAbove) unite(node, nodeAt(up - 1, runStart(bitmap[up - 1], 31)));
    if (end == 32 && rightAbove) unite(node, nodeAt(up + 1, 0));
  }
}

void main() {
  const uint words = wordsPerRow();
  const uint word = columnWord();
  for (uint rows = occupied[columnIndex()]; rows != 0; rows &= rows - 1) {
    const uint y = columnTop() + uint(findLSB(rows));
    const uint index = wordAt(gl_WorkGroupID.z, word, y);
    const uint bits = bitmap[index];
    const bool atLeft = (bits & 1) != 0 && word > 0;
    const bool atRight = (bits >> 31) != 0 && word + 1 < words;
    if (atLeft) {
      const uint left = bitmap[index - 1];
      if ((left >> 31) != 0) unite(nodeAt(index, 0), nodeAt(index - 1, runStart(left, 31)));
    }
    if (y == 0) continue;
    const uint up = index - words;
    uniteRuns(index, bits, bitmap[up], atLeft && (bitmap[up - 1] >> 31) != 0,
              atRight && (bitmap[up + 1] & 1) != 0);
  }
}
