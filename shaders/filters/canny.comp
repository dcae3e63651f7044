//! help Edges as Canny finds them, with hysteresis: what is connected to a strong edge is kept whole.
//! feeds response
//! planes grey colour
//! gives grey
//! border replicate
//! param low: default 50; range -1000 to 32767; slider 0 to 500; unit of 255; help A gradient above it may belong to an edge.
//! param high: default 150; range -1000 to 32767; slider 0 to 500; unit of 255; help A gradient above it is one.
//! param aperture: default 3; choices 3 5 7; help Size of the Sobel kernels, px.
//! param norm: default L1; choices L1 L2; help Of the gradient: the sum of its parts without signs, or its length.
//! param sigma: default 0; range 0 to 20; slider 0 to 4; unit px; help Of a Gaussian before it; 0: none.
//! param shift: default 8; whole; range 0 to 8; help Bits by which values of 16-bit planes are made smaller first; 255 at most is left.
//! value drop: whole bits == 16 ? shift : 0
//! value reach: whole sigma > 0 ? ceil(3 * max(sigma, 0.1)) : 0
//! value wide: max(sigma, 0.1)
//! value total: 1 + 2 * sum(k, 1, reach, exp(-k * k / (2 * wide * wide)))
//! value outer: 2 * sum(k, 1, reach, rnd(65536 * exp(-k * k / (2 * wide * wide)) / total))
//! table taps(i): whole reach + 1: i == 0 ? 65536 - outer : rnd(65536 * exp(-i * i / (2 * wide * wide)) / total)
//! value less: min(low, high) / (aperture == 2 ? 16 : 1)
//! value more: max(low, high) / (aperture == 2 ? 16 : 1)
//! value least: whole floor(norm == 1 ? (less > 0 ? pow(min(less, 32767), 2) : less) : less)
//! value strong: whole floor(norm == 1 ? (more > 0 ? pow(min(more, 32767), 2) : more) : more)
//! pass blue -> middle0 words when sigma > 0
//! pass green -> middle1 words when sigma > 0 && channels == 3
//! pass red -> middle2 words when sigma > 0 && channels == 3
//! pass soften -> soft words
//! pass gradient -> edge words
//! pass candidates -> label words
//! pass unite changes label
//! pass kept
//! check cv::Canny
const uint kNone = 0xffffffffu;

#if defined(PASS_blue) || defined(PASS_green) || defined(PASS_red) || defined(PASS_soften)
// Everything is done on 8 bits.
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
// Columns of the Gaussian, with 8 bits of fraction.
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

// All channels of a pixel, a byte each.
uint value(ivec2 p, int c) {
  uint all = 0u;
  for (int k = 0; k < int(kChannels); ++k) all |= blurred(p, k) << (8 * k);
  return all;
}

#elif defined(PASS_gradient)
const int kDerivative[3][4] = {{0, 1, 0, 0}, {0, 2, 1, 0}, {0, 5, 4, 1}};  // from the middle; the other half is negative
const int kSmooth[3][4] = {{2, 1, 0, 0}, {6, 4, 1, 0}, {20, 15, 6, 1}};

// Halves to even.
int sixteenth(int g) {
  const int q = g >> 4, rest = g & 15;
  return rest > 8 || (rest == 8 && (q & 1) != 0) ? q + 1 : q;
}

// Without its sign; not by abs(): see docs/gpu.md, NVIDIA.
int sizeOf(int g) { return int(abs(float(g))); }

ivec2 gradientOf(ivec2 p, int c) {
  const int reach = P.aperture + 1;
  ivec2 g = ivec2(0);
  for (int j = -reach; j <= reach; ++j) {
    for (int i = -reach; i <= reach; ++i) {
      const int v = int(soft(p + ivec2(i, j), 0) >> (8 * c) & 255u);
      g += v * ivec2(sign(i) * kDerivative[P.aperture][abs(i)] * kSmooth[P.aperture][abs(j)],
                     sign(j) * kDerivative[P.aperture][abs(j)] * kSmooth[P.aperture][abs(i)]);
    }
  }
  return P.aperture == 2 ? ivec2(sixteenth(g.x), sixteenth(g.y)) : g;
}

// The gradient, and in the last two bits its direction: 0 across, 1 down, 2 down to the right, 3 down to the left.
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

// A number of its own for each candidate, 0 for all strong ones.
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
// The root of a node. On the way nodes are hooked to their parents' parents; those writes may race, but each leaves an ancestor in
// place of an ancestor.
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
    a = find(before);  // somebody else hooked it meanwhile
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
