// SPDX-License-Identifier: Apache-2.0
/**
 * What is kept of a job on disk and in the handle of its task: how a job is found again, and when its folder is
 * removed. The package knows neither the command line, nor what its output means.
 */
@NullMarked
package io.longhaul.backend.shell.folder;

import org.jspecify.annotations.NullMarked;
