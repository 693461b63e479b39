// SPDX-License-Identifier: Apache-2.0
/**
 * The values of a call: their schemas, conditions on them, and the places in texts that they fill. The package does
 * not know which work takes them.
 */
@NullMarked
package io.longhaul.file.value;

import org.jspecify.annotations.NullMarked;
