//! help Makes a colour plane of a grey one: three equal channels.
//! feeds measure
//! planes grey
//! gives colour
//! border none
//! check cv::cvtColor
uint value(ivec2 p, int c) { return at(p, 0); }
