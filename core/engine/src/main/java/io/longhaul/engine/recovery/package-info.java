// SPDX-License-Identifier: Apache-2.0
/**
 * How tasks survive the stop of a server: {@code Recovery} takes over tasks whose work has not ended, and {@code
 * Shutdown} hands tasks back. The package does not know how the node gets its lease.
 */
@NullMarked
package io.longhaul.engine.recovery;

import org.jspecify.annotations.NullMarked;
