// After a run: frames of its recording are measured by other settings, for hints.
#pragma once

#include "app/capture/interrupt.h"
#include "app/commands/track_options.h"
#include "app/commands/track_summary.h"
#include "app/session/options.h"
#include "config/settings.h"
#include "gpu/device.h"

namespace glint {

/// Where the counts raise a doubt, looks at frames of the first source once more, which can be
/// sought in, and notes which other settings find more. Never throws: a hint is not worth a
/// failure.
void lookAgain(const Device& device, const TrackOptions& options, const Settings& settings,
               const SessionCounts& counts, Interrupt& interrupt, SummaryNotes& notes);

}  // namespace glint
