// What the host knows after frame n-1, carried into frame n.
#ifndef GLINT_SHARED_FEEDBACK_H
#define GLINT_SHARED_FEEDBACK_H
#include "shared/limits.h"
#include "shared/results.h"

GLINT_SHARED_BEGIN

struct LayerFeedback {
  PlaneStatistics response;  // of the response plane in frame n-1
  uint threshold;            // least response of a candidate in frame n
  uint firstPrediction;  // this layer's predictions stand together in Feedback::predictions, by x
  uint predictionCount;
  uint prominence;   // 0, or: a candidate inside of something large, to so many counts, is none
  float widestGate;  // px, of the predictions
  uint reserved, reserved2, reserved3;
};

// Where a track is expected in frame n.
struct Prediction {
  float x, y;  // px
  float gate;  // px, how far from there a measurement still belongs to the track
  uint track;  // id, low 32 bits
};

struct Feedback {
  LayerFeedback layers[kMaxLayers];
  Prediction predictions[kMaxPredictions];
};

GLINT_SHARED_END
#endif
