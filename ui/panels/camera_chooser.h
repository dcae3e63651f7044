// The choice of cameras and streams: which exist, how they shall send, and what they see.
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

/// Returns the sources that were opened before, one session each, the latest first.
using RecentSources = std::function<std::vector<std::vector<Address>>()>;

/// A list of cameras and streams with boxes to tick. While it is drawn, it searches for cameras and
/// shows the picture of the one that was ticked last. Main thread.
class CameraChooser {
 public:
  /// A source that was ticked, and the mode that is asked of it.
  struct Ticked {
    Address source;
    Settings::Camera request = {};
  };
  /// The cameras and streams that the user has asked to open, and that are not open yet.
  struct Choice {
    std::vector<Ticked> ticked;
    std::vector<Address> addresses;  ///< addresses of streams in the list
  };

  CameraChooser(Context& context, capture::CameraWatch& watch, RecentSources recent);

  /// Draws the list and the preview, `height` px high.
  void draw(float height);
  /// Ends the preview and the search for cameras if they were not drawn in this picture.
  void endPicture();

  /// Returns the choice that is being opened, and the addresses in the list. If the user has not
  /// asked to open a choice, nothing in it is ticked.
  Choice asked() const { return {asked_ ? ticked_ : std::vector<Ticked>(), addresses_}; }
  /// Takes back a choice that could not be opened, so that the user can correct it.
  void recall(const Choice& choice);

  /// Writes what is listed, ticked and previewed into `to`, for tests.
  void describe(nlohmann::json& to) const;

 private:
  /// A camera or stream that can be ticked.
  struct Row {
    Address source;
    std::string name, about;
    /// Modes that Glint can read.
    std::vector<capture::CameraMode> modes = {};
    std::string id = {}, problem = {};
    bool network = false, plugged = false;
    bool open = false;  ///< true if the camera is open in this window
    /// True if its modes are not known yet, but will be once it is opened to ask for them.
    bool asked = false;
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
  // drawn_: the chooser is in this picture; begun_: its lists were made.
  bool drawn_ = false, begun_ = false;
  bool asked_ = false;  // true if the user has asked to open the ticked ones
  std::vector<std::vector<Address>> recent_;
  std::shared_ptr<const capture::CameraWatch::Cameras> cameras_;
  std::vector<Address> addresses_;  // addresses of streams: typed now, then those used before
  std::vector<Row> rows_;
  std::vector<Ticked> ticked_;  // the ticked sources, in the order of the session's cameras
  PreviewPane preview_;
  Address previewed_;  // the source whose picture is shown
  std::array<char, 2048> typed_ = {};
  std::string refused_;  // why the typed address, or the choice, was refused
};

}  // namespace glint::ui
