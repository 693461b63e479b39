// SPDX-License-Identifier: Apache-2.0
/**
 * Longhaul's own extension {@code io.longhaul/tasks}: methods on tasks for operators and pages, which no generation
 * has. It knows no other dialect, and only its lines in {@code Drafts} know it.
 */
@NullMarked
package io.longhaul.protocol.dialect.control;

import org.jspecify.annotations.NullMarked;
