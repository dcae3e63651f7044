// Choosing cameras and streams: which are there, how they are to send, and what they see.
#pragma once

#include <array>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "app/capture/camera_watch.h"
#include "ui/model/window_model.h"
#include "ui/panels/preview_pane.h"

namespace glint::ui {

/// A list to tick, wherever it is drawn. Cameras are looked for, and the one chosen last is shown,
/// while it is drawn. Main thread.
class CameraChooser {
 public:
  using Recent = std::function<std::vector<std::vector<std::string>>()>;

  struct Ticked {
    std::string source;
    Settings::Camera request = {};
  };
  /// What is to be opened, and is not open yet.
  struct Choice {
    std::vector<Ticked> ticked;
    std::vector<std::string> addresses;  ///< of streams
  };

  /// `shown`: what is open already, or a stand-in where `alone`; `recent`: what was opened before;
  /// `wake` makes the window look again, from any thread.
  CameraChooser(const Actions& actions, CameraWatch& watch, const std::vector<std::string>& shown,
                bool alone, Recent recent, std::function<void()> wake);

  /// As high as `height`.
  void draw(float height);
  /// Whether it was drawn in this picture; where it was not, the preview ends.
  bool endPicture();

  /// Empty unless it was asked for.
  Choice asked() const { return asked_ ? Choice{ticked_, addresses_} : Choice(); }
  /// As it was asked for, to be mended: what could not be opened.
  void recall(const Choice& choice);

  // For tests.
  std::vector<std::string> listed() const;
  std::vector<std::string> ticked() const;
  const std::string& previewed() const { return previewed_; }

 private:
  /// What can be ticked.
  struct Row {
    std::string source, name, about;
    std::vector<CameraMode> modes = {};  ///< that can be read
    std::string id = {}, problem = {};
    bool network = false, plugged = false;
    bool open = false;   ///< in this window
    bool asked = false;  ///< what it offers is not known yet, but once it was opened for that
  };

  void begin();
  void follow();
  bool isOpen(const std::string& source) const;
  Row rowOf(const CameraInfo& camera, bool plugged) const;
  size_t rankOf(const std::string& source) const;
  Ticked* tickedOf(const std::string& source);
  void tick(const Row& row);
  void drawRow(const Row& row);
  void drawModes(const Row& row, Ticked& chosen);
  void drawAddress();
  void add(const std::string& address);
  void drawOpen();
  const Row* rowFor(const std::string& source) const;
  void followPreview();
  std::string previewWords() const;

  const Actions& actions_;
  CameraWatch& watch_;
  const std::vector<std::string>& shown_;
  const bool alone_;
  const Recent recentOf_;
  bool drawn_ = false, begun_ = false;
  bool asked_ = false;  // those ticked are to be opened
  std::vector<std::vector<std::string>> recent_;
  std::shared_ptr<const CameraWatch::Cameras> cameras_;
  std::vector<std::string> addresses_;  // of streams: typed now, then used before
  std::vector<Row> rows_;
  std::vector<Ticked> ticked_;  // in the order of the session's cameras
  PreviewPane preview_;
  std::string previewed_;  // the source whose picture is seen
  std::array<char, 2048> typed_ = {};
  std::string refused_;  // why what was typed was not added
};

}  // namespace glint::ui
