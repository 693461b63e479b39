// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import io.longhaul.protocol.json.Json;
import org.jspecify.annotations.Nullable;

/**
 * A log message of a server, not to be trusted on a terminal.
 *
 * @param level  as the server spells it
 * @param logger which part of the server wrote the message, or null
 * @param data   the content: any JSON, often a string
 */
public record LogMessage(String level, @Nullable String logger, Json data) {}
