//! help Changes nothing, and tells numbers of its input that parameters of other filters may follow, one frame later:
//!   ID.mean, ID.min, ID.max (of full scale), ID.sum, ID.variance; of colour those of its luminance.
//! feeds measure
//! planes grey colour
//! reduces
//! check cv::mean, cv::minMaxLoc
