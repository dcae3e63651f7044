// Lets one header declare structs for both C++ and GLSL: only 4-byte scalars and structs of them,
// sized in multiples of 16 bytes where they stand in arrays, so std140, std430 and C++ agree.
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
