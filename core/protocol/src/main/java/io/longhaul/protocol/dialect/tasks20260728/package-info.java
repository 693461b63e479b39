// SPDX-License-Identifier: Apache-2.0
/** The tasks extension of revision 2026-07-28. */
@NullMarked
package io.longhaul.protocol.dialect.tasks20260728;

import org.jspecify.annotations.NullMarked;
