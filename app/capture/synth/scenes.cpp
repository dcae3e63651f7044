#include "app/capture/synth/scenes.h"

namespace glint::capture {

std::unique_ptr<Scene> makeScene(const SynthOptions& options) {
  switch (options.scene) {
    case SynthScene::dancer:
      return makeDancer(options);
    case SynthScene::spots:
      return makeSpots(options);
    case SynthScene::wand:
      return makeWand(options);
    case SynthScene::board:
      return makeBoard(options);
    case SynthScene::crossing:
      break;
  }
  return makeCrossing(options);
}

}  // namespace glint::capture
