// SPDX-License-Identifier: Apache-2.0
/** What several dialects build on: sessions without tasks, and the forwarding to them. */
@NullMarked
package io.longhaul.protocol.dialect.base;

import org.jspecify.annotations.NullMarked;
