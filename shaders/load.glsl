// Reading and writing planes in loads. A load is 16 bytes, which a kernel reads or writes at once.
//
// llvmpipe, Vulkan on the CPU, accesses a storage buffer one number at a time. Kernels that are compiled for CPUs
// (LOADS_FOR_CPUS) therefore read planes as texel buffers, where 16 bytes come as a whole, and write 64-bit numbers.
//
// PLANE_OF_LOADS(at, name) declares the plane `name` at binding `at`, and loadOf(name, i) reads its load i.
// PLANE_OF_WORDS(at, name) declares a plane of which single words are read, and readWord(name, i) reads word i.
// `Stored` is the type of a load in a plane that is written, and stored() converts a load to it.

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
