// SPDX-License-Identifier: Apache-2.0
/**
 * One call of a tool: made, followed as a task, cancelled, and seen by its caller. The package does not know the
 * other calls of its client, nor where a server is.
 */
@NullMarked
package io.longhaul.client.call;

import org.jspecify.annotations.NullMarked;
