// What processors add to a frame, by type: nobody between needs to know of it.
#pragma once

#include <memory>
#include <typeindex>
#include <unordered_map>
#include <utility>

namespace glint::motion {

/// At most one value of each type.
class FrameResults {
 public:
  template <class T>
  void put(T value) {
    values_[typeid(T)] = std::make_shared<const T>(std::move(value));
  }
  /// Null where no processor has added one.
  template <class T>
  const T* get() const {
    const auto found = values_.find(typeid(T));
    return found == values_.end() ? nullptr : static_cast<const T*>(found->second.get());
  }

 private:
  std::unordered_map<std::type_index, std::shared_ptr<const void>> values_;
};

}  // namespace glint::motion
