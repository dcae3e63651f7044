//! help Takes a part of the picture; what follows works on it alone. Positions stay those of the source.
//! feeds measure
//! planes grey colour
//! crops
//! param centre_x: default 0.5; range 0 to 1; unit of the width; help The part's middle.
//! param centre_y: default 0.5; range 0 to 1; unit of the height; help The part's middle.
//! param size_x: default 0.5; range 0 to 1; unit of the width; help Its width; 0: one pixel, the one at the middle.
//! param size_y: default 0.5; range 0 to 1; unit of the height; help Its height; 0: one pixel.
//! check the definition
