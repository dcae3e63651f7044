// Choosing cameras and streams: which are there, how they are to send, and what they see.
#pragma once

#include <array>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "app/capture/cameras/camera_watch.h"
#include "ui/context/context.h"
#include "ui/panels/preview_pane.h"

namespace glint::ui {

/// Gives what was opened before, the latest first: the sources of one session each.
using RecentSources = std::function<std::vector<std::vector<Address>>()>;

/// A list to tick, wherever it is drawn. Cameras are looked for, and the one chosen last is shown,
/// while it is drawn. Main thread.
class CameraChooser {
 public:
  struct Ticked {
    Address source;
    Settings::Camera request = {};
  };
  /// The cameras and streams that are to be opened, and are not open yet.
  struct Choice {
    std::vector<Ticked> ticked;
    std::vector<Address> addresses;  ///< of streams
  };

  CameraChooser(Context& context, capture::CameraWatch& watch, RecentSources recent);

  /// Draws the list and the preview, `height` px high.
  void draw(float height);
  /// Ends the preview and the search for cameras if it was not drawn in this picture.
  void endPicture();

  /// Returns what is being opened; empty unless that was asked for.
  Choice asked() const { return asked_ ? Choice{ticked_, addresses_} : Choice(); }
  /// Takes back a choice that could not be opened, so that the user can mend it.
  void recall(const Choice& choice);

  /// Tells tests what is listed, ticked and previewed.
  void describe(nlohmann::json& to) const;

 private:
  /// A camera or stream that can be ticked.
  struct Row {
    Address source;
    std::string name, about;
    std::vector<capture::CameraMode> modes = {};  ///< that can be read
    std::string id = {}, problem = {};
    bool network = false, plugged = false;
    bool open = false;   ///< in this window
    bool asked = false;  ///< what it offers is not known yet, but once it was opened for that
  };

  void begin();
  void follow();
  bool isOpen(const Address& source) const;
  Row rowOf(const capture::CameraInfo& camera, bool plugged) const;
  size_t rankOf(const Address& source) const;
  Ticked* tickedOf(const Address& source);
  void tick(const Row& row);
  void drawRow(const Row& row);
  void drawModes(const Row& row, Ticked& chosen);
  void drawAddress();
  void add(const Address& source);
  void drawOpen();
  const Row* rowFor(const Address& source) const;
  void followPreview();
  std::string previewWords() const;

  Actions& actions_;
  capture::CameraWatch& watch_;
  const shell::WindowTask& task_;
  const RecentSources recentOf_;
  bool drawn_ = false, begun_ = false;
  bool asked_ = false;  // those ticked are to be opened
  std::vector<std::vector<Address>> recent_;
  std::shared_ptr<const capture::CameraWatch::Cameras> cameras_;
  std::vector<Address> addresses_;  // of streams: typed now, then used before
  std::vector<Row> rows_;
  std::vector<Ticked> ticked_;  // in the order of the session's cameras
  PreviewPane preview_;
  Address previewed_;  // the source whose picture is seen
  std::array<char, 2048> typed_ = {};
  std::string refused_;  // why what was typed was not added
};

}  // namespace glint::ui
