// SPDX-License-Identifier: Apache-2.0
/**
 * The draft of asynchronous tool calls, {@code tools/async}. The package knows no other dialect, and only its line in
 * {@code Drafts} knows it.
 */
@NullMarked
package io.longhaul.protocol.dialect.toolsasync;

import org.jspecify.annotations.NullMarked;
