// SPDX-License-Identifier: Apache-2.0
/** Transports: stdio, server-sent events, and the client's side of HTTP. */
@NullMarked
package io.longhaul.transport;

import org.jspecify.annotations.NullMarked;
