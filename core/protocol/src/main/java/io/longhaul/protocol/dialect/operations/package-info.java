// SPDX-License-Identifier: Apache-2.0
/** Operations of SEP-1391, in the version that its Python reference implementation called {@code next}. */
@NullMarked
package io.longhaul.protocol.dialect.operations;

import org.jspecify.annotations.NullMarked;
