/**
 * The one place that knows both MCP and the engine: the receiver, which makes tasks of requests, and the
 * requestor, which polls tasks and keeps their handles. Either side of a connection can be either.
 */
@NullMarked
package io.longhaul.peer;

import org.jspecify.annotations.NullMarked;
