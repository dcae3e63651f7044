// A load: 16 bytes of a plane, which kernels read and write at once. llvmpipe reads and writes a buffer
// number by number, so for CPUs (LOADS_FOR_CPUS) kernels read planes as texel buffers: 16 bytes, which come whole, or
// a word for each invocation. They write numbers of twice the width.
//
// PLANE_OF_LOADS(at, name) declares a plane to read, loadOf(name, i) reads. `Stored` is what is written.
// PLANE_OF_WORDS(at, name) declares one whose words are read here and there, by readWord(name, i).

#ifdef LOADS_FOR_CPUS
const bool kForCpus = true;
#extension GL_EXT_samplerless_texture_functions : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#define PLANE_OF_LOADS(at, name) layout(binding = at) uniform utextureBuffer name
#define loadOf(name, i) texelFetch(name, int(i))
#define PLANE_OF_WORDS(at, name) layout(binding = at, r32ui) readonly uniform uimageBuffer name
#define readWord(name, i) imageLoad(name, int(i)).x
#define Stored u64vec2
Stored stored(uvec4 words) { return Stored(pack64(words.xy), pack64(words.zw)); }
#else
const bool kForCpus = false;
#define PLANE_OF_LOADS(at, name) layout(std430, binding = at) readonly buffer Loads { uvec4 name[]; }
#define loadOf(name, i) name[i]
#define PLANE_OF_WORDS(at, name) layout(std430, binding = at) readonly buffer Words { uint name[]; }
#define readWord(name, i) name[i]
#define Stored uvec4
Stored stored(uvec4 words) { return words; }
#endif
