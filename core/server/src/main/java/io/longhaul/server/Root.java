// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import org.jspecify.annotations.Nullable;

/**
 * A folder that the client works in. Deprecated by 2026-07-28 (SEP-2577), which keeps it for at least a year.
 *
 * @param uri  the URI of the folder; {@code file:} in all generations so far
 * @param name the display name; null for none
 */
public record Root(String uri, @Nullable String name) {}
