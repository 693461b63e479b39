// SPDX-License-Identifier: Apache-2.0
/**
 * The processes of a job on this machine: how they are told from all others, and stopped. The package knows neither the
 * command that runs, nor the files of its job.
 */
@NullMarked
package io.longhaul.backend.shell.process;

import org.jspecify.annotations.NullMarked;
