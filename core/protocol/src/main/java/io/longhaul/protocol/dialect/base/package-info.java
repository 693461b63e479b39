// SPDX-License-Identifier: Apache-2.0
/**
 * Base classes of several dialects: sessions without tasks, and forwarding to them. The package knows no single draft,
 * so that each can be deleted without a change here.
 */
@NullMarked
package io.longhaul.protocol.dialect.base;

import org.jspecify.annotations.NullMarked;
