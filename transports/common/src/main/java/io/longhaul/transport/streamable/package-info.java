// SPDX-License-Identifier: Apache-2.0
/**
 * The flow of one request of Streamable HTTP: checks, answers, and streams of events. Only the HTTP servers of Longhaul
 * use this package, which knows none of them and no tool.
 */
@NullMarked
package io.longhaul.transport.streamable;

import org.jspecify.annotations.NullMarked;
