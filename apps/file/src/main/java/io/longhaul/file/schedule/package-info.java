// SPDX-License-Identifier: Apache-2.0
/**
 * The schedules of a file, and the calls that they make when these are due. The package does not know how a tool
 * works.
 */
@NullMarked
package io.longhaul.file.schedule;

import org.jspecify.annotations.NullMarked;
