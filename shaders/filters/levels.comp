//! help Spreads a range of values over another one, with a gamma.
//! feeds response
//! planes grey colour
//! param in_min: default 0; range 0 to 1; neutral 0; unit of full scale; help What becomes out_min.
//! param in_max: default 1; range 0 to 1; neutral 1; unit of full scale; help What becomes out_max.
//! param gamma: default 1; range 0.1 to 10; slider 0.2 to 5; neutral 1; help Above 1 the middle becomes brighter.
//! param out_min: default 0; range 0 to 1; neutral 0; unit of full scale; help The darkest value of the output.
//! param out_max: default 1; range 0 to 1; neutral 1; unit of full scale; help The brightest value of the output.
//! value span: max(in_max - in_min, 0.000001)
//! point full * mix(out_min, out_max, pow(clamp((x - in_min) / span, 0, 1), 1 / gamma))
//! check cv::LUT
