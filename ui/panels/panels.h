// The parts of the window, each in a file of its own; each draws into a place that it is given.
#pragma once

#include <string>
#include <vector>

#include "ui/context.h"

namespace glint::ui {

/// The sources' names, which plane is shown, and the record button.
void drawTopBar(Context& context, const Rect& place);

/// The popup "record options": the recording's format, and streams.
void drawRecordOptions(Context& context);

/// The images with what was found in them; adds to `scene` what is drawn beneath ImGui.
void drawViews(Context& context, const Rect& place, Scene& scene);

/// Buttons, speed, and the timeline.
void drawTransport(Context& context, const Rect& place);

/// The tabs at the right: what is drawn, settings, tracks, times, the log.
void drawSide(Context& context, const Rect& place);
void drawDrawing(Context& context);
void drawSettings(Context& context);
void drawFilters(Context& context);
void drawHistograms(Context& context);
void drawTracks(Context& context);
void drawTimings(Context& context);
void drawSources(Context& context);
/// What can be set of a live camera; what is changed goes into the settings of this one alone.
void drawCameraControls(Context& context, size_t camera, const CameraOffer& offer);
void drawLog(Context& context);

/// The chosen marker, magnified, and its numbers, in a corner of the views.
void drawSelected(Context& context, const Rect& views, Scene& scene);

/// Rates, counts and the device, in one line.
void drawStatus(Context& context, const Rect& place);

/// The chooser of other sources, over everything.
void drawOpen(Context& context);
/// "a.mp4  +  b.mp4": the cameras of one session.
std::string joinedNames(const std::vector<std::string>& sources);

/// Instead of all else, where nothing is open.
void drawWelcome(Context& context, const Rect& place);

/// What a beginner must know, over the views.
void drawFirstHint(Context& context, const Rect& views);

/// The table of shortcuts, over everything.
void drawHelp(Context& context);

/// What the user is told for a while, over the views.
void drawToasts(Context& context, const Rect& views);

}  // namespace glint::ui
