// SPDX-License-Identifier: Apache-2.0
/**
 * The rights with which this server sends requests to others, as a file says them: its own, or those of a caller, who
 * may log in for them. The package does not know what is requested.
 */
@NullMarked
package io.longhaul.file.rights;

import org.jspecify.annotations.NullMarked;
