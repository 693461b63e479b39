// SPDX-License-Identifier: Apache-2.0
/**
 * How a job is started so that it outlives this process: its script, its environment and its session. The package does
 * not know when a job is started, nor what becomes of it.
 */
@NullMarked
package io.longhaul.backend.shell.start;

import org.jspecify.annotations.NullMarked;
