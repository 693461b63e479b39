// SPDX-License-Identifier: Apache-2.0
/**
 * The flow of one request of Streamable HTTP, independent of the HTTP server: checks, answers, and streams of events.
 * Only the HTTP servers of Longhaul use this package.
 */
@NullMarked
package io.longhaul.transport.streamable;

import org.jspecify.annotations.NullMarked;
