// The Vulkan headers as gpu/ uses them: RAII handles, exceptions, designated initialisers.
#pragma once

#define VULKAN_HPP_NO_STRUCT_CONSTRUCTORS
#include <vulkan/vulkan_raii.hpp>
