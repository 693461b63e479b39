// SPDX-License-Identifier: Apache-2.0
/** What several dialects have in common: reading calls, naming refusals, splicing results. */
@NullMarked
package io.longhaul.protocol.dialect.words;

import org.jspecify.annotations.NullMarked;
