// SPDX-License-Identifier: Apache-2.0
package io.longhaul.schema;

import org.jspecify.annotations.Nullable;

/**
 * One keyword of a schema that a value does not meet.
 *
 * @param value    JSON pointer to what is wrong in the value
 * @param keyword  JSON pointer to the keyword in the schema, behind all references
 * @param property the name that is missing, or that must not be there; null for other keywords
 */
public record Breach(String value, String keyword, @Nullable String property) {}
