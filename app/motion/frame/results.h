// Results that processors add to a frame, stored by their type. The code that passes frames on does
// not need to know these types.
#pragma once

#include <memory>
#include <typeindex>
#include <unordered_map>
#include <utility>

namespace glint::motion {

/// A container with at most one value of each type.
class FrameResults {
 public:
  /// Stores `value`, replacing an earlier value of its type.
  template <class T>
  void put(T value) {
    values_[typeid(T)] = std::make_shared<const T>(std::move(value));
  }
  /// Returns the value of type T, or null if no processor has added one. The container owns it.
  template <class T>
  const T* get() const {
    const auto found = values_.find(typeid(T));
    return found == values_.end() ? nullptr : static_cast<const T*>(found->second.get());
  }

 private:
  std::unordered_map<std::type_index, std::shared_ptr<const void>> values_;
};

}  // namespace glint::motion
