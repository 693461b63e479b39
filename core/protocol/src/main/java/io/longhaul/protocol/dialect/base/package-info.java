// SPDX-License-Identifier: Apache-2.0
/** Base classes of several dialects: sessions without tasks, and forwarding to them. */
@NullMarked
package io.longhaul.protocol.dialect.base;

import org.jspecify.annotations.NullMarked;
