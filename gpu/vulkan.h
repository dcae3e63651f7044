// Includes the Vulkan headers with RAII handles, exceptions and designated initialisers.
#pragma once

#define VULKAN_HPP_NO_STRUCT_CONSTRUCTORS
#include <vulkan/vulkan_raii.hpp>
