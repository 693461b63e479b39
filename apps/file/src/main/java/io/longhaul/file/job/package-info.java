// SPDX-License-Identifier: Apache-2.0
/**
 * Makes tools of the entries of a file: questions, the job itself, and its result. The package does not know how the
 * file is written, nor which server has the tools.
 */
@NullMarked
package io.longhaul.file.job;

import org.jspecify.annotations.NullMarked;
