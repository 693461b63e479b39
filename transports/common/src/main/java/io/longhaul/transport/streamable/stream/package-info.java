// SPDX-License-Identifier: Apache-2.0
/**
 * Responses that last: streams of server-sent events, their times, and the connections that live on them. The package
 * does not know which request opens a stream, nor what its events say.
 */
@NullMarked
package io.longhaul.transport.streamable.stream;

import org.jspecify.annotations.NullMarked;
