/**
 * Runs the work of a task as a shell command that can outlive this process.
 */
@NullMarked
package io.longhaul.backend.shell;

import org.jspecify.annotations.NullMarked;
