// SPDX-License-Identifier: Apache-2.0
/**
 * The rights with which this server sends requests to others, as a file says them: its own, or those of a caller. The
 * package sends no requests.
 */
@NullMarked
package io.longhaul.file.rights;

import org.jspecify.annotations.NullMarked;
