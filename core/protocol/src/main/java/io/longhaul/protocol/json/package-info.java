// SPDX-License-Identifier: Apache-2.0
/**
 * Raw JSON, and its strict reader and writer. The package knows no message: what a member means is said by those who
 * read it.
 */
@NullMarked
package io.longhaul.protocol.json;

import org.jspecify.annotations.NullMarked;
