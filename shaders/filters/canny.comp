//! help Finds edges by Canny's method; an edge that touches a strong one stays whole.
//! feeds response
//! planes grey colour
//! gives grey
//! border replicate
//! param low: default 50; range -1000 to 32767; slider 0 to 500; unit of 255; help A gradient above this may belong to an edge.
//! param high: default 150; range -1000 to 32767; slider 0 to 500; unit of 255; help A gradient above this is an edge.
//! param aperture: default 3; choices 3 5 7; help Size of the Sobel kernels, px.
//! param norm: default L1; choices L1 L2; help How to measure the gradient. L1: the sum of its absolute components; L2: its length.
//! param sigma: default 0; range 0 to 20; slider 0 to 4; unit px; help Standard deviation of a Gaussian that runs first; 0: none.
//! param shift: default 8; whole; range 0 to 8; help 16-bit values lose this many low bits first; what then exceeds 255 counts as 255.
//! value drop: whole bits == 16 ? shift : 0
//! value reach: whole sigma > 0 ? ceil(3 * max(sigma, 0.1)) : 0
//! value wide: max(sigma, 0.1)
//! value total: 1 + 2 * sum(k, 1, reach, exp(-k * k / (2 * wide * wide)))
//! value outer: 2 * sum(k, 1, reach, rnd(65536 * exp(-k * k / (2 * wide * wide)) / total))
//! table taps(i): whole reach + 1: i == 0 ? 65536 - outer : rnd(65536 * exp(-i * i / (2 * wide * wide)) / total)
//! table derivative(i): whole 7: (i < 3 ? -1 : 1) * (abs(i - 3) == 1 ? (aperture == 0 ? 1 : aperture == 1 ? 2 : 5) :
//!   abs(i - 3) == 2 ? (aperture == 0 ? 0 : aperture == 1 ? 1 : 4) : abs(i - 3) == 3 ? (aperture == 2 ? 1 : 0) : 0)
//! table smoothing(i): whole 7: abs(i - 3) == 0 ? (aperture == 0 ? 2 : aperture == 1 ? 6 : 20) : abs(i - 3) == 1 ? (aperture == 0 ? 1 :
//!   aperture == 1 ? 4 : 15) : abs(i - 3) == 2 ? (aperture == 0 ? 0 : aperture == 1 ? 1 : 6) : aperture == 2 ? 1 : 0
//! value less: min(low, high) / (aperture == 2 ? 16 : 1)
//! value more: max(low, high) / (aperture == 2 ? 16 : 1)
//! value least: whole floor(norm == 1 ? (less > 0 ? pow(min(less, 32767), 2) : less) : less)
//! value strong: whole floor(norm == 1 ? (more > 0 ? pow(min(more, 32767), 2) : more) : more)
//! pass blue -> middle0 words when sigma > 0
//! pass green -> middle1 words when sigma > 0 && channels == 3
//! pass red -> middle2 words when sigma > 0 && channels == 3
//! value tiled: whole tiles && sigma == 0 && aperture == 0
//! pass soften -> soft words when !tiled
//! pass gradient -> edge words when !tiled
//! pass candidates -> label words when !tiled
//! pass three -> label words tile 128x16 when tiled
//! pass unite changes label
//! pass kept
//! check cv::Canny
const uint kNone = 0xffffffffu;

#if defined(PASS_blue) || defined(PASS_green) || defined(PASS_red) || defined(PASS_soften)
// Returns a value reduced to 8 bits, with which all steps work.
uint small(ivec2 p, int c) { return min(at(p, c) >> P.drop, 255u); }
#endif

#if defined(PASS_blue) || defined(PASS_green) || defined(PASS_red)
#if defined(PASS_blue)
const int kColour = 0;
#elif defined(PASS_green)
const int kColour = 1;
#else
const int kColour = 2;
#endif
// Returns the Gaussian down the column, with 8 bits of fraction.
uint value(ivec2 p, int c) {
  uint sum = 128u + uint(taps(0)) * small(p, kColour);
  for (int i = 1; i <= P.reach; ++i)
    sum += uint(taps(i)) * (small(p - ivec2(0, i), kColour) + small(p + ivec2(0, i), kColour));
  return sum >> 8;
}

#elif defined(PASS_soften)
uint middle(ivec2 p, int c) { return c == 0 ? middle0(p, 0) : c == 1 ? middle1(p, 0) : middle2(p, 0); }

uint blurred(ivec2 p, int c) {
  if (P.reach == 0) return small(p, c);
  uint sum = uint(taps(0)) * middle(p, c);
  for (int i = 1; i <= P.reach; ++i) sum += uint(taps(i)) * (middle(p - ivec2(i, 0), c) + middle(p + ivec2(i, 0), c));
  return (sum + (1u << 23)) >> 24;
}

// Returns all channels of a pixel, one byte each.
uint value(ivec2 p, int c) {
  uint all = 0u;
  for (int k = 0; k < int(kChannels); ++k) all |= blurred(p, k) << (8 * k);
  return all;
}

#elif defined(PASS_three)
// The passes `soften`, `gradient` and `candidates` in one, in shared memory, for grey images of 8 bits with sigma 0 and
// an aperture of 3 px. A row of edges_ has 136 values. An unused word follows every 32 values, so that no two lanes
// access the same memory bank.
const int kWords = 36, kRow = 141;
shared uint tile_[20 * kWords];     // the block with 8 more values on either side and 2 more rows above and below
shared uint edges_[18 * kRow];      // values as in the plane `edge`, with 4 more on either side and 1 more row
int of(int i) { return i + (i >> 5); }

// Returns the gradient (x, y) as in the plane `edge`: its length, and its direction in the last two bits.
uint edgeOf(int x, int y) {
  const float fx = abs(float(x)), fy = abs(float(y));  // abs() of integers fails on NVIDIA: see docs/gpu.md
  const uint ux = uint(fx), uy = uint(fy), length_ = P.norm == 0 ? ux + uy : ux * ux + uy * uy;
  const uint down = uy << 15, t = 13573u * ux;
  return length_ << 2 | (down < t ? 0u : down > t + (ux << 16) ? 1u : (x ^ y) < 0 ? 3u : 2u);
}

// Computes the edges of four values of a row. `row` and `w` are the row and the word in edges_, and p is the pixel.
void edges(int w, int row, ivec2 p) {
  ivec4 across = ivec4(0), down = ivec4(0);
  [[unroll]] for (int j = 0; j < 3; ++j) {
    const int at_ = (row + j) * kWords + w;
    const uint before = tile_[at_], own = tile_[at_ + 1], after = tile_[at_ + 2];
    int v[6];
    v[0] = int(before >> 24);
    v[5] = int(after & 255u);
    [[unroll]] for (int i = 0; i < 4; ++i) v[i + 1] = int(own >> (8 * i) & 255u);
    [[unroll]] for (int i = 0; i < 4; ++i) {
      across[i] += (j == 1 ? 2 : 1) * (v[i + 2] - v[i]);
      if (j != 1) down[i] += (j == 2 ? 1 : -1) * (v[i] + 2 * v[i + 1] + v[i + 2]);
    }
  }
  [[unroll]] for (int i = 0; i < 4; ++i)
    edges_[row * kRow + of(4 * w) + i] = inImage(p + ivec2(i, 0)) ? edgeOf(across[i], down[i]) : 0u;
}

int lengthOf(int x, int row) { return int(edges_[row * kRow + of(x)] >> 2); }

void tile(int e, int y) {
  LOAD_TILE(in_, e - 8, y - 2, kWords, 20)
  for (int i = lane; i < 18 * 34; i += kLanes) edges(i % 34, i / 34, ivec2(e - 4 + i % 34 * 4, y - 1 + i / 34));
  barrier();
  for (int i = lane; i < 16 * 128; i += kLanes) {
    const ivec2 p = ivec2(e + i % 128, y + i / 128);
    if (!inImage(p)) continue;
    const int x = i % 128 + 4, row = i / 128 + 1;
    const uint own = edges_[row * kRow + of(x)], direction = own & 3u;
    const int m = int(own >> 2);
    const ivec2 away = direction == 0u ? ivec2(1, 0) : direction == 1u ? ivec2(0, 1) : ivec2(direction == 2u ? 1 : -1, 1);
    const int before = lengthOf(x - away.x, row - away.y), after = lengthOf(x + away.x, row + away.y);
    uint found = kNone;
    if (m > P.least && m > before && m >= after && (direction < 2u || m > after)) found = m > P.strong ? 0u : place(p, 0) + 1u;
    label_[place(p, 0)] = found;
  }
}

#elif defined(PASS_gradient)
// Returns a sixteenth of g. Halves are rounded to even.
int sixteenth(int g) {
  const int q = g >> 4, rest = g & 15;
  return rest > 8 || (rest == 8 && (q & 1) != 0) ? q + 1 : q;
}

// Returns the absolute value. abs() of integers fails on NVIDIA: see docs/gpu.md.
int sizeOf(int g) { return int(abs(float(g))); }

// Returns the gradient of a channel along x and y, by Sobel's operator of the chosen aperture.
ivec2 gradientOf(ivec2 p, int c) {
  const int reach = P.aperture + 1;
  ivec2 g = ivec2(0);
  for (int j = -reach; j <= reach; ++j) {
    const int down = derivative(j + 3), along = smoothing(j + 3);
    for (int i = -reach; i <= reach; ++i) {
      const int v = int(soft(p + ivec2(i, j), 0) >> (8 * c) & 255u);
      g += v * ivec2(derivative(i + 3) * along, smoothing(i + 3) * down);
    }
  }
  return P.aperture == 2 ? ivec2(sixteenth(g.x), sixteenth(g.y)) : g;
}

// Returns the length of the gradient, and in the last two bits its direction: 0 across, 1 down, 2 down to the right,
// 3 down to the left.
uint value(ivec2 p, int c) {
  int most = -1;
  ivec2 g = ivec2(0);
  for (int k = 0; k < int(kChannels); ++k) {
    const ivec2 own = gradientOf(p, k);
    const int m = P.norm == 0 ? sizeOf(own.x) + sizeOf(own.y) : own.x * own.x + own.y * own.y;
    if (m > most) {
      most = m;
      g = own;
    }
  }
  const uint y = uint(sizeOf(g.y)) << 15, x = uint(sizeOf(g.x)), t = 13573u * x;  // tan(pi / 8) 2^15
  const uint direction = y < t ? 0u : y > t + (x << 16) ? 1u : (g.x ^ g.y) < 0 ? 3u : 2u;
  return uint(most) << 2 | direction;
}

#elif defined(PASS_candidates)
int lengthAt(ivec2 p) { return inImage(p) ? int(edge(p, 0) >> 2) : 0; }

// Returns the node of a pixel if it is a candidate: 0 for strong edges, and for other candidates a number of their own.
// Returns kNone for other pixels.
uint value(ivec2 p, int c) {
  const int m = lengthAt(p);
  const uint direction = edge(p, 0) & 3u;
  const ivec2 away = direction == 0u ? ivec2(1, 0) : direction == 1u ? ivec2(0, 1) : ivec2(direction == 2u ? 1 : -1, 1);
  const int before = lengthAt(p - away), after = lengthAt(p + away);
  if (m <= P.least || m <= before || m < after || (direction >= 2u && m == after)) return kNone;
  return m > P.strong ? 0u : place(p, 0) + 1u;
}

#else
uint parentOf(uint node) { return node == 0u ? 0u : label_[node - 1u]; }

#ifdef PASS_unite
// Returns the root of a node. On the way it makes the grandparent of every node its parent. These writes may race with
// others, but each replaces one ancestor by another.
uint find(uint node) {
  uint parent = parentOf(node);
  while (parent != node) {
    const uint next = parentOf(parent);
    if (next != parent) label_[node - 1u] = next;
    node = parent;
    parent = next;
  }
  return node;
}

void unite(uint a, uint b) {
  a = find(a);
  b = find(b);
  while (a != b) {
    const uint greater = max(a, b), lesser = min(a, b);
    const uint before = atomicCompSwap(label_[greater - 1u], greater, lesser);
    if (before == greater) return;
    a = find(before);  // another invocation gave `greater` a parent in the meantime
    b = lesser;
  }
}

void change(ivec2 p, int c) {
  const uint own = label_[place(p, 0)];
  if (own == kNone) return;
  const ivec2 kBefore[4] = {{-1, 0}, {-1, -1}, {0, -1}, {1, -1}};
  for (int i = 0; i < 4; ++i) {
    const ivec2 q = p + kBefore[i];
    if (!inImage(q)) continue;
    const uint other = label_[place(q, 0)];
    if (other != kNone) unite(own, other);
  }
}
#else
uint value(ivec2 p, int c) {
  uint node = label(p, 0);
  if (node == kNone) return 0u;
  for (uint parent = parentOf(node); parent != node; parent = parentOf(node)) node = parent;
  return node == 0u ? kFull : 0u;
}
#endif
#endif
