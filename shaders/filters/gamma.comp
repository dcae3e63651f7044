//! help Raises values to a power: above 1 darkens them, below 1 brightens them.
//! feeds response
//! planes grey colour
//! param gamma: default 1; range 0 to 3; neutral 1; help The power.
//! point full * pow(x, gamma)
//! check cv::LUT
