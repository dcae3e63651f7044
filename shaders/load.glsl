// A load: 16 bytes of a plane, which kernels read and write at once. llvmpipe does so number by
// number, and `luminance` is three times faster there with numbers of twice the width: on CPUs it is
// used as compiled with LOADS_OF_64_BITS. (`scan`, which walks down columns, gains nothing.)

#ifdef LOADS_OF_64_BITS
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#define Load u64vec2
uvec4 wordsOf(Load load) { return uvec4(unpack32(load.x), unpack32(load.y)); }
Load loadOf(uvec4 words) { return Load(pack64(words.xy), pack64(words.zw)); }
#else
#define Load uvec4
uvec4 wordsOf(Load load) { return load; }
Load loadOf(uvec4 words) { return words; }
#endif
