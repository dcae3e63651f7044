//! help Compares every value with a threshold.
//! feeds response
//! planes grey colour
//! param level: default 0.5; range 0 to 1; unit of full scale; help The least value that counts as bright.
//! param form: default binary; choices binary inverse truncate to_zero; help
//!   binary: bright values become white, others black; inverse: bright values become black, others white; truncate: bright values become the last
//!   value below level; to_zero: other values become black.
//! value least: ceil(level * full)
//! point form == binary ? (v >= least ? full : 0) : form == inverse ? (v >= least ? 0 : full) :
//!   form == truncate ? min(v, max(least - 1, 0)) : v >= least ? v : 0
//! check cv::threshold
