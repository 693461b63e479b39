// SPDX-License-Identifier: Apache-2.0
/**
 * The way of one request of Streamable HTTP, from its path to its response. Only the HTTP servers of Longhaul use this
 * package, which knows none of them and no tool.
 */
@NullMarked
package io.longhaul.transport.streamable;

import org.jspecify.annotations.NullMarked;
