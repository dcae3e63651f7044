//! help Measures its input and passes the picture on unchanged.
//!   It reports ID.mean, ID.min, ID.max, ID.sum and ID.variance, with full scale as 1. For colour, these describe the luminance. Parameters of
//!   other filters may follow these numbers one frame later.
//! feeds measure
//! planes grey colour
//! reduces
//! check cv::mean, cv::minMaxLoc
