//! help Adds a constant to every value.
//! feeds response
//! planes grey colour
//! param amount: default 0; range -1 to 1; slider -0.5 to 0.5; neutral 0; unit of full scale; help The constant to add; below 0 it darkens.
//! point v + rnd(amount * full)
//! check cv::add
