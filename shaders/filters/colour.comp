//! help Turns a grey plane into a colour plane with three equal channels.
//! feeds measure
//! planes grey
//! gives colour
//! border none
//! check cv::cvtColor
uint value(ivec2 p, int c) { return at(p, 0); }
