// SPDX-License-Identifier: Apache-2.0
/** Operations as SEP-1391 has them, in the version that its Python reference change called {@code next}. */
@NullMarked
package io.longhaul.protocol.dialect.operations;

import org.jspecify.annotations.NullMarked;
