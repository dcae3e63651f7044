//! help Compares every value with a threshold.
//! feeds response
//! planes grey colour
//! param level: default 0.5; range 0 to 1; unit of full scale; help The least value that counts as bright; it may follow an average.
//! param form: default binary; choices binary inverse truncate to_zero; help
//!   binary: white where bright, else black; inverse: the other way round; truncate: what is bright becomes the last value below it; to_zero:
//!   what is not bright becomes black.
//! value least: ceil(level * full)
//! point form == binary ? (v >= least ? full : 0) : form == inverse ? (v >= least ? 0 : full) :
//!   form == truncate ? min(v, max(least - 1, 0)) : v >= least ? v : 0
//! check cv::threshold
