// The question about settings, or a mask, that would be lost.
#pragma once

namespace glint::ui {

struct Context;

/// Main thread.
class Leaving {
 public:
  bool open() const { return open_; }
  /// Whether the user has said that the window may go, or need not be asked.
  bool allowed(const Context& context) const;
  void ask() { open_ = opens_ = true; }

  /// The dialog, if it is open; sets Context::quit once it is answered.
  void draw(Context& context);

 private:
  void leave(Context& context);

  bool open_ = false, opens_ = false, answered_ = false;
};

}  // namespace glint::ui
