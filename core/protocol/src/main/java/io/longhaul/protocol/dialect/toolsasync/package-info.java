// SPDX-License-Identifier: Apache-2.0
/** The draft of asynchronous tool calls, {@code tools/async}. */
@NullMarked
package io.longhaul.protocol.dialect.toolsasync;

import org.jspecify.annotations.NullMarked;
