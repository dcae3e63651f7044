//! help Applies levels to one channel.
//! feeds response
//! planes colour
//! param channel: default red; choices red green blue; help The channel to change.
//! param in_min: default 0; range 0 to 1; neutral 0; unit of full scale; help The input value that becomes out_min.
//! param in_max: default 1; range 0 to 1; neutral 1; unit of full scale; help The input value that becomes out_max.
//! param gamma: default 1; range 0.1 to 10; slider 0.2 to 5; neutral 1; help Above 1, middle values become brighter.
//! param out_min: default 0; range 0 to 1; neutral 0; unit of full scale; help The darkest output value.
//! param out_max: default 1; range 0 to 1; neutral 1; unit of full scale; help The brightest output value.
//! value span: max(in_max - in_min, 0.000001)
//! table curve(i): whole full + 1:
//!   clamp(rnd(full * mix(out_min, out_max, pow(clamp((i / full - in_min) / span, 0, 1), 1 / gamma))), 0, full)
//! check cv::LUT
uint value(ivec2 p, int c) { return c == 2 - P.channel ? uint(curve(int(at(p, c)))) : at(p, c); }
