// SPDX-License-Identifier: Apache-2.0
/** Tasks as revision 2025-11-25 has them. */
@NullMarked
package io.longhaul.protocol.dialect.tasks20251125;

import org.jspecify.annotations.NullMarked;
