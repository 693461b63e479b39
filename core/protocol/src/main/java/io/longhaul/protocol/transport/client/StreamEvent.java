// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.transport.client;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One message that a server sent. Immutable.
 *
 * @param id    with which a stream is resumed ({@code Last-Event-ID}); null where the event set none
 * @param retry the pause before a reconnection that the server asks for; null where the event set none
 * @param data  the message as unchecked bytes, which nobody may change; empty for an event that only sets an id or a
 *              time
 */
public record StreamEvent(@Nullable String id, @Nullable Duration retry, byte[] data) {}
