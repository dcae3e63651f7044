//! help Stretches or shrinks the distance between each value and mid-grey.
//! feeds response
//! planes grey colour
//! param factor: default 1; range 0 to 4; slider 0 to 2; neutral 1; help Factor on that distance.
//! value q: whole rnd(4096 * factor)
//! point floor(((2 * v - full) * q + 4096 * (full + 1)) / 8192)
//! check cv::Mat::convertTo
