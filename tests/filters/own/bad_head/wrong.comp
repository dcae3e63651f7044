//! help Has a wrong head.
//! parameter amount: default 0; range 0 to 1; help The constant to add.
uint value(ivec2 p, int c) { return at(p, c); }
