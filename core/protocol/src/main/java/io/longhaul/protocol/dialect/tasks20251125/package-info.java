// SPDX-License-Identifier: Apache-2.0
/** Tasks of revision 2025-11-25. */
@NullMarked
package io.longhaul.protocol.dialect.tasks20251125;

import org.jspecify.annotations.NullMarked;
