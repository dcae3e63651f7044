//! help Raises values to a power: above 1 they become darker, but for black and white.
//! feeds response
//! planes grey colour
//! param gamma: default 1; range 0 to 3; neutral 1; help The power.
//! point full * pow(x, gamma)
//! check cv::LUT
