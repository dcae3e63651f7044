// Functions that `resolve` and `resolve_many` share. They compare two candidates, and find the bucket of a candidate
// in a hash table of square cells. Include this file after declaring `params` and `kBuckets`.

uint bucket(uvec2 cell) {
  return (cell.x * 0x9e3779b1u ^ cell.y * 0x85ebca6bu) >> 16 & (kBuckets - 1);
}

uvec2 cellOf(uvec2 at) { return at >> params.cellShift; }

uvec2 position(Candidate c) { return uvec2(c.place & 0xffffu, c.place >> 16); }

bool better(Candidate a, Candidate b) {
  return a.weight > b.weight || (a.weight == b.weight && a.place < b.place);
}

bool tooNear(Candidate a, Candidate b) {
  const ivec2 d = ivec2(position(a)) - ivec2(position(b));
  return uint(d.x * d.x) + uint(d.y * d.y) < params.separationUp;
}
