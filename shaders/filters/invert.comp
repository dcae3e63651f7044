//! help Turns dark into bright: full scale minus the value.
//!   Positions of dark markers stay exact.
//! feeds measure
//! planes grey colour
//! point full - v
//! check cv::bitwise_not
