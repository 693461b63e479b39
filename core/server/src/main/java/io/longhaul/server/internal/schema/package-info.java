// SPDX-License-Identifier: Apache-2.0
/**
 * Schemas that are derived from Java types and checked, and values that are read by them. The package knows no call and
 * no task.
 */
@NullMarked
package io.longhaul.server.internal.schema;

import org.jspecify.annotations.NullMarked;
