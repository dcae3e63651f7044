// The subcommands of glint. Each adds itself to the command line and runs when it is chosen.
#pragma once

#include <CLI/CLI.hpp>

namespace glint::shell {

/// Each function adds a subcommand to `app`. Its callback does the work, and throws Error or
/// UsageError if it cannot.
void addTrackCommand(CLI::App& app);
void addInfoCommand(CLI::App& app);
void addProbeCommand(CLI::App& app);
void addMaskCommand(CLI::App& app);
void addFilterCommand(CLI::App& app);
void addFiltersCommand(CLI::App& app);
void addSynthCommand(CLI::App& app);
void addEvalCommand(CLI::App& app);
void addSweepCommand(CLI::App& app);
void addReportCommand(CLI::App& app);
void addBatchCommand(CLI::App& app);
void addCalibrateCommand(CLI::App& app);
void addRigCommand(CLI::App& app);
void addReconstructCommand(CLI::App& app);
void addSyncCommand(CLI::App& app);
void addBodiesCommand(CLI::App& app);
void addConvertCommand(CLI::App& app);
void addLinkCommand(CLI::App& app);
void addDistanceCommand(CLI::App& app);
void addDevicesCommand(CLI::App& app);
void addCamerasCommand(CLI::App& app);
void addSettingsCommand(CLI::App& app);
void addCompletionCommand(CLI::App& app);
void addManualCommand(CLI::App& app);
void addReplayCommand(CLI::App& app);
void addLiveCommand(CLI::App& app);

/// Does what `glint` without arguments does: opens the window on its start screen, where the user
/// chooses what to look at. Throws Error.
void showStartScreen();

/// Does what `glint FILE.glint` does: opens the window on a project. Throws Error.
void showProject(const std::string& file);

}  // namespace glint::shell
