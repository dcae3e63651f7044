//! help Cuts out a part of the picture for the filters after it.
//!   Positions stay those of the source.
//! feeds measure
//! planes grey colour
//! crops
//! param centre_x: default 0.5; range 0 to 1; unit of the width; help Centre of the part, horizontally.
//! param centre_y: default 0.5; range 0 to 1; unit of the height; help Centre of the part, vertically.
//! param size_x: default 0.5; range 0 to 1; unit of the width; help Width of the part; 0: the one pixel at the centre.
//! param size_y: default 0.5; range 0 to 1; unit of the height; help Height of the part; 0: one pixel.
//! check the definition
