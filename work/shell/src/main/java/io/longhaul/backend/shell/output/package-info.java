// SPDX-License-Identifier: Apache-2.0
/**
 * The output of a job: its files, what is reported of it while the job runs, and what is kept for the result. The
 * package knows neither the command line, nor the format of results.
 */
@NullMarked
package io.longhaul.backend.shell.output;

import org.jspecify.annotations.NullMarked;
