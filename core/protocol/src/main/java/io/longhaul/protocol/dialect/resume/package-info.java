// SPDX-License-Identifier: Apache-2.0
/**
 * Results in parts, with the resume tokens of SEP-1003. The package does not know what a token holds, nor any other
 * dialect, and only its lines in {@code Drafts} know it.
 */
@NullMarked
package io.longhaul.protocol.dialect.resume;

import org.jspecify.annotations.NullMarked;
