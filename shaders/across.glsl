// Sums and the like over the subgroup. llvmpipe goes through its lanes in a loop for each number, which for CPUs
// (LOADS_FOR_CPUS) is written out: in the same order, a fifth of the time.

#ifdef LOADS_FOR_CPUS
#define ACROSS(T, name, first, op, otherwise)                                        \
  T name(T v) {                                                                      \
    if (kLanes != 4 && kLanes != 8) return otherwise(v);                             \
    T all_ = op(first, subgroupShuffle(v, 0));                                     \
    all_ = op(all_, subgroupShuffle(v, 1));                                        \
    all_ = op(op(all_, subgroupShuffle(v, 2)), subgroupShuffle(v, 3));           \
    if (kLanes == 4) return all_;                                                    \
    all_ = op(op(all_, subgroupShuffle(v, 4)), subgroupShuffle(v, 5));           \
    return op(op(all_, subgroupShuffle(v, 6)), subgroupShuffle(v, 7));           \
  }
#else
#define ACROSS(T, name, first, op, otherwise) \
  T name(T v) { return otherwise(v); }
#endif
#define PLUS(a, b) ((a) + (b))
#define OR(a, b) ((a) | (b))

ACROSS(float, sumAcross, 0.0, PLUS, subgroupAdd)
ACROSS(vec3, sumAcross, vec3(0), PLUS, subgroupAdd)
ACROSS(vec4, sumAcross, vec4(0), PLUS, subgroupAdd)
ACROSS(ivec4, sumAcross, ivec4(0), PLUS, subgroupAdd)
ACROSS(uint, sumAcross, 0u, PLUS, subgroupAdd)
ACROSS(uint, orAcross, 0u, OR, subgroupOr)
ACROSS(uint, leastAcross, 0xffffffffu, min, subgroupMin)
ACROSS(float, leastAcross, 1e38, min, subgroupMin)
