// The buffer `post`, through which `scan` hands candidates to workgroups of `refine` that run at the same time. A
// candidate takes two words. Neither is ever 0 in a posted candidate, so `refine` waits until both words are not 0.
// It sets them to 0 again when it takes the candidate.

// Returns the index of the first of a candidate's two words.
uint postOf(uint layer, uint slot) { return 2 * (layer * kMaxListed + slot); }
uvec2 toPost(Candidate c) { return uvec2(~c.place, c.weight + 1); }  // ~place is not 0: no image has 65,536 rows
Candidate fromPost(uvec2 words) { return Candidate(words.y - 1, ~words.x); }
