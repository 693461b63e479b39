// SPDX-License-Identifier: Apache-2.0
package io.longhaul.schema;

import org.jspecify.annotations.Nullable;

/**
 * One keyword of a schema that a value does not meet.
 *
 * @param value    JSON pointer to the part of the value that breaks the keyword
 * @param keyword  JSON pointer to the keyword in the schema, with all references resolved
 * @param property the name of a missing or forbidden property; null for other keywords
 */
public record Breach(String value, String keyword, @Nullable String property) {}
