// Candidates on their way from `scan` to workgroups of `refine` that run at the same time: two words each, which
// are 0 until both stand there, and again once they are taken.

uint postOf(uint layer, uint slot) { return 2 * (layer * kMaxListed + slot); }
uvec2 toPost(Candidate c) { return uvec2(~c.place, c.weight + 1); }  // no image has 65,536 rows
Candidate fromPost(uvec2 words) { return Candidate(words.y - 1, ~words.x); }
