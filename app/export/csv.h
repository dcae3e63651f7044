// Glint's own CSV files; docs/formats.md describes them with samples.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/export/exporter.h"

namespace glint {

/// tracks.csv:
/// camera,frame,time_s,track,state,x,y,vx,vy,peak,mass,radius,eccentricity,sigma_x,sigma_y,flags
std::unique_ptr<Exporter> makeTracksCsv(const std::string& path);

/// detections.csv:
/// camera,frame,time_s,rank,peak_x,peak_y,peak,x,y,mass,radius,eccentricity,sigma_x,sigma_y,flags
std::unique_ptr<Exporter> makeDetectionsCsv(const std::string& path);

/// Where filters seek a picture, both end in angle,scale: how it fits best (degrees from x towards
/// y).

/// rejected.csv: candidates that are no markers, and why; what was not measured is empty.
/// camera,frame,time_s,reason,peak_x,peak_y,peak,x,y,mass,radius,eccentricity,nearest_rank
std::unique_ptr<Exporter> makeRejectedCsv(const std::string& path);

/// stats.csv:
/// camera,frame,time_s,mean,variance,min,min_x,min_y,max,max_x,max_y,threshold,candidates,dropped_before
/// of cameras of these formats, and how live ones come:
/// source_frame,delay_ms,age_ms,skipped_before,rate_hz,jitter_ms,uncertainty_ms
/// and `told`, "light.mean=0.25;...": what filters' parameters could follow in this frame.
/// Mean to max are of the luminance.
std::unique_ptr<Exporter> makeStatsCsv(const std::string& path, std::vector<ImageFormat> images);

}  // namespace glint
