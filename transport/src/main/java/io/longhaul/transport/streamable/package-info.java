// SPDX-License-Identifier: Apache-2.0
/**
 * The flow of one request of Streamable HTTP, whatever reads its bytes: who is refused, what answers, and how a stream
 * of events is kept alive. The HTTP servers of Longhaul stand on it, and nothing else does.
 */
@NullMarked
package io.longhaul.transport.streamable;

import org.jspecify.annotations.NullMarked;
