#include "gpu/device.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstdio>

#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include "config/error.h"
#include "gpu/physical_devices.h"

namespace glint::gpu {
namespace {

constexpr const char* kValidationLayer = "VK_LAYER_KHRONOS_validation";

constexpr uint32_t kNvidia = 0x10de;  // NVIDIA's vendor number for PCI devices
// Time stamps of holdFence(). This is twice the number of llvmpipe's scenes (MAX_SCENES), so its
// threads have finished with a scene before its time stamp is used again.
constexpr uint32_t kHeldFences = 128;

// Throws Error if no more files can be opened. The loader opens files, but does not distinguish
// this reason for a failure from others.
void refuseWithoutHandles() {
  const int handle = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (handle >= 0)
    ::close(handle);
  else if (errno == EMFILE || errno == ENFILE)
    throw Error(
        "there are no file handles left for the Vulkan loader: allow more (ulimit -n), or write "
        "fewer files");
}

/// Keeps the Vulkan loader in the process for ever. If memory runs out inside it, an exception of a
/// driver leaves it with a lock that is held, and being unloaded it would wait for that lock.
void keepLoader() {
  static void* const loader = ::dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  static_cast<void>(loader);  // null: vk::raii::Context reports it
}

vk::raii::Context openLoader() {
  keepLoader();
  try {
    return vk::raii::Context();
  } catch (const std::exception&) {
    refuseWithoutHandles();
    throw Error(
        "the Vulkan loader (libvulkan.so.1) is not installed; "
        "install a Vulkan driver, for example mesa-vulkan-drivers");
  }
}

/// Calls a function of the loader. If the file of a driver or of a layer is damaged, the loader
/// reports that as a lack of memory.
auto askLoader(const auto& call) {
  try {
    return call();
  } catch (const vk::OutOfHostMemoryError&) {
    refuseWithoutHandles();
    throw Error(
        "the Vulkan loader cannot read its files: that of a driver or a layer is damaged "
        "(VK_DRIVER_FILES, /etc/vulkan, /usr/share/vulkan), or memory is short; "
        "VK_LOADER_DEBUG=error shows which");
  }
}

bool hasLayer(const vk::raii::Context& context, std::string_view name) {
  const auto layers = askLoader([&] { return context.enumerateInstanceLayerProperties(); });
  return std::any_of(layers.begin(), layers.end(),
                     [&](const auto& layer) { return name == layer.layerName.data(); });
}

bool hasDebugUtils(const vk::raii::Context& context) {
  return contains(askLoader([&] { return context.enumerateInstanceExtensionProperties(); }),
                  VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
}

vk::raii::Instance makeInstance(const vk::raii::Context& context, const Device::Options& options) {
  const bool validation = options.validation;
  const vk::ApplicationInfo application{.pApplicationName = "glint",
                                        .apiVersion = VK_API_VERSION_1_2};
  std::vector<const char*> layers;
  std::vector<const char*> extensions;
  const auto offered = askLoader([&] { return context.enumerateInstanceExtensionProperties(); });
  for (const std::string& name : options.instanceExtensions) {
    if (!contains(offered, name)) throw Error("no Vulkan driver here offers " + name);
    extensions.push_back(name.c_str());
  }
  const std::array enabled{vk::ValidationFeatureEnableEXT::eSynchronizationValidation};
  vk::ValidationFeaturesEXT features{};
  features.setEnabledValidationFeatures(enabled);
  if (validation) {
    if (!hasLayer(context, kValidationLayer)) {
      throw Error(
          "validation was asked for, but the layer VK_LAYER_KHRONOS_validation is not "
          "installed (package vulkan-validationlayers)");
    }
    layers.push_back(kValidationLayer);
  }
  if (hasDebugUtils(context) || validation) {
    extensions.push_back(VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
  }
  vk::InstanceCreateInfo create{.pNext = validation ? &features : nullptr,
                                .pApplicationInfo = &application};
  create.setPEnabledLayerNames(layers);
  create.setPEnabledExtensionNames(extensions);
  try {
    return askLoader([&] { return vk::raii::Instance(context, create); });
  } catch (const vk::IncompatibleDriverError&) {
    throw Error("no Vulkan driver is installed; install one, for example mesa-vulkan-drivers");
  }
}

bool offersByteProducts(const vk::raii::PhysicalDevice& device) {
  return contains(device.enumerateDeviceExtensionProperties(),
                  VK_KHR_SHADER_INTEGER_DOT_PRODUCT_EXTENSION_NAME) &&
         device
             .getFeatures2<vk::PhysicalDeviceFeatures2,
                           vk::PhysicalDeviceShaderIntegerDotProductFeaturesKHR>()
             .get<vk::PhysicalDeviceShaderIntegerDotProductFeaturesKHR>()
             .shaderIntegerDotProduct;
}

/// Makes one instance that is never destroyed, so that the drivers stay loaded. A driver that is
/// unloaded leaks memory, and loading it again takes time.
void keepDriversLoaded() {
  struct Kept {
    vk::raii::Context context;
    vk::raii::Instance instance;
  };
  static Kept* volatile kept = [] {  // volatile keeps the pointer in memory, for leak checkers
    auto context = openLoader();
    auto instance = makeInstance(context, {});
    return new Kept{std::move(context), std::move(instance)};
  }();
  static_cast<void>(kept);
}

VKAPI_ATTR VkBool32 VKAPI_CALL countMessage(VkDebugUtilsMessageSeverityFlagBitsEXT,
                                            VkDebugUtilsMessageTypeFlagsEXT,
                                            const VkDebugUtilsMessengerCallbackDataEXT* data,
                                            void* count) {
  static_cast<std::atomic<uint32_t>*>(count)->fetch_add(1);
  std::fprintf(stderr, "Vulkan validation: %s\n", data->pMessage);
  return VK_FALSE;
}

}  // namespace

std::vector<DeviceInfo> Device::list() {
  const auto context = openLoader();
  std::vector<DeviceInfo> infos;
  const auto instance = makeInstance(context, {});
  keepDriversLoaded();
  for (const auto& device : inOrderOfPreference(instance)) {
    infos.push_back(describeDevice(instance, device, static_cast<uint32_t>(infos.size()), {}));
  }
  return infos;
}

Device::Device(const Options& options) {
  auto context = openLoader();
  auto instance = makeInstance(context, options);
  keepDriversLoaded();
  hasLabels_ = hasDebugUtils(context);
  handles_.reset(new Handles{.messages = {},
                             .context = std::move(context),
                             .instance = std::move(instance),
                             .queueMutex = {}});
  if (options.wroteBeside)
    handles_->guards = std::make_unique<Guards>(options.wroteBeside, options.guardsEveryPass);
  if (options.validation) listenToValidation();
  choosePhysical(options);
  makeDevice(options);
}

void Device::listenToValidation() {
  using Severity = vk::DebugUtilsMessageSeverityFlagBitsEXT;
  using Type = vk::DebugUtilsMessageTypeFlagBitsEXT;
  handles_->messenger = {
      handles_->instance,
      vk::DebugUtilsMessengerCreateInfoEXT{.messageSeverity = Severity::eWarning | Severity::eError,
                                           .messageType = Type::eValidation | Type::ePerformance,
                                           .pfnUserCallback = countMessage,
                                           .pUserData = &handles_->messages.count}};
}

void Device::choosePhysical(const Options& options) {
  const auto& instance = handles_->instance;
  auto devices = inOrderOfPreference(instance);
  std::vector<DeviceInfo> infos;
  for (const auto& device : devices) {
    infos.push_back(describeDevice(instance, device, static_cast<uint32_t>(infos.size()), options));
  }
  const size_t chosen = chooseDevice(infos, options.name);
  handles_->physical = std::move(devices[chosen]);
  info_ = infos[chosen];
  const auto& physical = handles_->physical;
  limits_ = physical.getProperties().limits;
  memory_ = physical.getMemoryProperties();
  const auto type = physical.getProperties().deviceType;
  unifiedMemory_ =
      type == vk::PhysicalDeviceType::eCpu || type == vk::PhysicalDeviceType::eIntegratedGpu;
  queueFamily_ = *chooseFamily(instance, physical, options.canPresent);
  timestampBits_ = physical.getQueueFamilyProperties()[queueFamily_].timestampValidBits;
  chooseSubgroupSize(options);
}

/// Chooses the subgroup size that all kernels request. Some drivers compile each kernel for the
/// size that they consider best (Intel: 8, 16 or 32). There the reported size is only certain if
/// kernels request it.
void Device::chooseSubgroupSize(const Options& options) {
  const auto& physical = handles_->physical;
  subgroupSize_ =
      physical.getProperties2<vk::PhysicalDeviceProperties2, vk::PhysicalDeviceSubgroupProperties>()
          .get<vk::PhysicalDeviceSubgroupProperties>()
          .subgroupSize;
  subgroupSizes_ = {subgroupSize_, subgroupSize_};
  if (contains(physical.enumerateDeviceExtensionProperties(),
               VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME)) {
    const auto sizes = physical
                           .getProperties2<vk::PhysicalDeviceProperties2,
                                           vk::PhysicalDeviceSubgroupSizeControlProperties>()
                           .get<vk::PhysicalDeviceSubgroupSizeControlProperties>();
    const auto features = physical
                              .getFeatures2<vk::PhysicalDeviceFeatures2,
                                            vk::PhysicalDeviceSubgroupSizeControlFeatures>()
                              .get<vk::PhysicalDeviceSubgroupSizeControlFeatures>();
    if (features.subgroupSizeControl &&
        sizes.requiredSubgroupSizeStages & vk::ShaderStageFlagBits::eCompute)
      subgroupSizes_ = {sizes.minSubgroupSize, sizes.maxSubgroupSize};
  }
  const auto [least, most] = subgroupSizes_;
  const uint32_t wanted = options.subgroupSize != 0 ? options.subgroupSize : subgroupSize_;
  if (wanted < least || wanted > most || !std::has_single_bit(wanted)) {
    throw Error("the device '" + info_.name + "' has no subgroups of " + std::to_string(wanted) +
                " invocations");
  }
  subgroupSize_ = wanted;
}

void Device::makeDevice(const Options& options) {
  const float priority = 1;
  vk::DeviceQueueCreateInfo queue{.queueFamilyIndex = queueFamily_};
  queue.setQueuePriorities(priority);
  std::vector<const char*> extensions;
  for (const std::string& name : options.deviceExtensions) extensions.push_back(name.c_str());
  vk::PhysicalDeviceTimelineSemaphoreFeatures timeline{.timelineSemaphore = VK_TRUE};
  vk::PhysicalDeviceSubgroupSizeControlFeatures sizes{.subgroupSizeControl = VK_TRUE};
  if (subgroupSizes_.first != subgroupSizes_.second) {
    extensions.push_back(VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME);
    timeline.pNext = &sizes;
  }
  const auto& physical = handles_->physical;
  const auto offered =
      physical
          .getFeatures2<vk::PhysicalDeviceFeatures2, vk::PhysicalDeviceShaderFloat16Int8Features>();
  hasHalves_ = offered.get<vk::PhysicalDeviceShaderFloat16Int8Features>().shaderFloat16;
  if (info_.type == "cpu") hostFilters_ = options.hostFilters;
  wideLoads_ = options.wideLoads && info_.type == "cpu" &&
               offered.get<vk::PhysicalDeviceFeatures2>().features.shaderInt64;
  // Validation only knows waits at barriers.
  startsInOrder_ = info_.type == "discrete" && !options.validation &&
                   physical.getProperties().vendorID == kNvidia;
  hasByteProducts_ = offersByteProducts(physical);
  bytesAtOnce_ =
      options.bytesAtOnce.value_or(info_.type != "cpu") && hasHalves_ && hasByteProducts_;
  vk::PhysicalDeviceShaderIntegerDotProductFeaturesKHR products{.pNext = timeline.pNext,
                                                                .shaderIntegerDotProduct = VK_TRUE};
  if (hasByteProducts_) {
    extensions.push_back(VK_KHR_SHADER_INTEGER_DOT_PRODUCT_EXTENSION_NAME);
    timeline.pNext = &products;
  }
  vk::PhysicalDeviceShaderFloat16Int8Features halves{.pNext = &timeline,
                                                     .shaderFloat16 = hasHalves_};
  const vk::PhysicalDeviceFeatures features{.shaderInt64 = wideLoads_};
  vk::DeviceCreateInfo create{.pNext = &halves, .pEnabledFeatures = &features};
  create.setQueueCreateInfos(queue);
  create.setPEnabledExtensionNames(extensions);
  handles_->device = {handles_->physical, create};
  handles_->queue = {handles_->device, queueFamily_, 0};
  if (info_.type == "cpu" && timestampBits_ != 0) {
    handles_->held = {
        handles_->device,
        vk::QueryPoolCreateInfo{.queryType = vk::QueryType::eTimestamp, .queryCount = kHeldFences}};
  }
  kernelCache_ =
      std::make_unique<KernelCache>(handles_->physical, handles_->device, options.cacheFolder);
}

Device::~Device() = default;

uint32_t Device::validationMessages() const {
  return handles_->messages.count;
}

uint32_t Device::memoryType(uint32_t allowed, vk::MemoryPropertyFlags required,
                            vk::MemoryPropertyFlags preferred) const {
  for (const auto wanted : {required | preferred, required}) {
    for (uint32_t i = 0; i < memory_.memoryTypeCount; ++i) {
      const bool fits = (memory_.memoryTypes[i].propertyFlags & wanted) == wanted;
      if ((allowed >> i & 1) != 0 && fits) return i;
    }
  }
  throw Error("the device '" + info_.name + "' has no memory of the kind that is needed");
}

void Device::submit(const vk::ArrayProxy<const vk::CommandBuffer>& commands, vk::Semaphore timeline,
                    uint64_t value) const {
  const vk::TimelineSemaphoreSubmitInfo values{.signalSemaphoreValueCount = 1,
                                               .pSignalSemaphoreValues = &value};
  vk::SubmitInfo info{.pNext = &values};
  info.commandBufferCount = commands.size();
  info.pCommandBuffers = commands.data();
  info.setSignalSemaphores(timeline);
  withQueue([&](const vk::raii::Queue& queue) { queue.submit(info); });
}

void Device::holdFence(const vk::raii::CommandBuffer& commands) const {
  if (!*handles_->held) return;
  const uint32_t at = handles_->holds++ % kHeldFences;
  commands.resetQueryPool(*handles_->held, at, 1);
  // A time stamp at the top of the pipe joins the scene of the preceding time stamp, and then holds
  // the fence of that scene.
  commands.writeTimestamp(vk::PipelineStageFlagBits::eTopOfPipe, *handles_->held, at);
}

void Device::throwLost() const {
  throw DeviceLost("the device '" + info_.name + "' was lost");
}

void Device::nameObject(vk::ObjectType type, uint64_t object, const std::string& name) const {
  if (!hasLabels_) return;
  handle().setDebugUtilsObjectNameEXT(
      {.objectType = type, .objectHandle = object, .pObjectName = name.c_str()});
}

}  // namespace glint::gpu
