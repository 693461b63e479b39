package io.longhaul.backend.shell;

/**
 * A job that came to its end.
 *
 * @param exitCode  0 to 255; a job that was ended by a signal has 128 and the signal's number
 * @param succeeded whether the exit code is one of those that mean success
 * @param output    what it wrote to standard output and standard error, in the order of writing
 */
public record JobResult(int exitCode, boolean succeeded, JobOutput output) {}
