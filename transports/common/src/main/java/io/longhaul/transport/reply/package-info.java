// SPDX-License-Identifier: Apache-2.0
/**
 * What a server sends back over HTTP: one body, or a stream of server-sent events. The package does not know how a
 * request is made, nor what an event means.
 */
@NullMarked
package io.longhaul.transport.reply;

import org.jspecify.annotations.NullMarked;
