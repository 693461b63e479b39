// SPDX-License-Identifier: Apache-2.0
/**
 * One host in front of servers that follow each other: which lines are sent again, and which are answered here. The
 * package knows a server only by its link, and the messages of MCP only as far as a second server needs them.
 */
@NullMarked
package io.longhaul.transport.relay;

import org.jspecify.annotations.NullMarked;
