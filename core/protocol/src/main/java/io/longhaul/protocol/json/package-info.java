// SPDX-License-Identifier: Apache-2.0
/** Raw JSON, and its strict reader and writer. */
@NullMarked
package io.longhaul.protocol.json;

import org.jspecify.annotations.NullMarked;
