// SPDX-License-Identifier: Apache-2.0
/**
 * Tasks of revision 2025-11-25: {@code HandshakeTasks} is the dialect of both sides, and {@code HandshakeTask} writes
 * and reads a task. The package knows no other dialect.
 */
@NullMarked
package io.longhaul.protocol.dialect.tasks20251125;

import org.jspecify.annotations.NullMarked;
