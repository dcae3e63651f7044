// Results of frame n-1 that the host passes to the kernels of frame n.
#ifndef GLINT_SHARED_FEEDBACK_H
#define GLINT_SHARED_FEEDBACK_H
#include "shared/limits.h"
#include "shared/results.h"

GLINT_SHARED_BEGIN

struct LayerFeedback {
  PlaneStatistics response;  // statistics of the response plane in frame n-1
  uint threshold;            // least response of a candidate in frame n
  uint firstPrediction;  // index of this layer's first prediction in Feedback::predictions; they
                         // are sorted by x
  uint predictionCount;
  uint prominence;   // counts; a pixel inside of something large that it does not exceed by this
                     // much is no candidate (see candidate.glsl); 0: no such limit
  float widestGate;  // px, the widest gate of the layer's predictions
  uint reserved, reserved2, reserved3;
};

// The place where a track is expected in frame n.
struct Prediction {
  float x, y;  // px
  float gate;  // px, greatest distance from (x, y) of a measurement that may belong to the track
  uint track;  // id, low 32 bits
};

struct Feedback {
  LayerFeedback layers[kMaxLayers];
  Prediction predictions[kMaxPredictions];
};

GLINT_SHARED_END
#endif
