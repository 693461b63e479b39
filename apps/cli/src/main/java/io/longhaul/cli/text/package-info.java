// SPDX-License-Identifier: Apache-2.0
/**
 * Texts that people write and read: durations, sizes, JSON, progress, words that were nearly right. All text of others
 * is made harmless here, and the package does not know where it is shown.
 */
@NullMarked
package io.longhaul.cli.text;

import org.jspecify.annotations.NullMarked;
