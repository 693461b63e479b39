// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import org.jspecify.annotations.Nullable;

/**
 * A folder that the client works in. Deprecated by 2026-07-28 (SEP-2577), which still has it for at least a year.
 *
 * @param uri  of the folder; {@code file:} in all generations so far
 * @param name for people; null for none
 */
public record Root(String uri, @Nullable String name) {}
