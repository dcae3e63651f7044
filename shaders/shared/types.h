// Macros with which one header declares structs for both C++ and GLSL. Such structs contain only
// 4-byte scalars and structs of them. Structs that are elements of arrays have a size that is a
// multiple of 16 bytes. So the layouts std140, std430 and that of C++ agree.
#ifndef GLINT_SHARED_TYPES_H
#define GLINT_SHARED_TYPES_H

#ifdef __cplusplus
#include <cstdint>
namespace glint::shared {
using uint = uint32_t;
}
#define GLINT_SHARED_BEGIN namespace glint::shared {
#define GLINT_SHARED_END }
#define GLINT_CONSTANT inline constexpr uint
#else
#define GLINT_SHARED_BEGIN
#define GLINT_SHARED_END
#define GLINT_CONSTANT const uint
#endif

#endif
