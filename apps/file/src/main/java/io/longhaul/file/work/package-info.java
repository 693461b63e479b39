// SPDX-License-Identifier: Apache-2.0
/**
 * The work of a tool, as a file says it: a command, a job of an API, or a workflow. The package runs no work.
 */
@NullMarked
package io.longhaul.file.work;

import org.jspecify.annotations.NullMarked;
