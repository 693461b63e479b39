// SPDX-License-Identifier: Apache-2.0
/**
 * What several dialects have in common: reading calls, naming refusals, splicing results. The package knows no single
 * dialect, and asks a revision what it can say instead of comparing revisions.
 */
@NullMarked
package io.longhaul.protocol.dialect.words;

import org.jspecify.annotations.NullMarked;
