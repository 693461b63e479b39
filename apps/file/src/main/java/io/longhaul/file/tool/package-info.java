// SPDX-License-Identifier: Apache-2.0
/**
 * One tool of a file: its entry, and how the entry is read. The package does not know how a tool is run.
 */
@NullMarked
package io.longhaul.file.tool;

import org.jspecify.annotations.NullMarked;
