// SPDX-License-Identifier: Apache-2.0
/**
 * One HTTP request as it arrives: its head, its client, and whether the transport refuses it. The package does not know
 * what is served at a path, nor how a response is sent.
 */
@NullMarked
package io.longhaul.transport.streamable.request;

import org.jspecify.annotations.NullMarked;
