//! help Stretches values away from the middle of the scale, or towards it.
//! feeds response
//! planes grey colour
//! param factor: default 1; range 0 to 4; slider 0 to 2; neutral 1; help Times what their distance from the middle is taken.
//! value q: whole rnd(4096 * factor)
//! point floor(((2 * v - full) * q + 4096 * (full + 1)) / 8192)
//! check cv::Mat::convertTo
