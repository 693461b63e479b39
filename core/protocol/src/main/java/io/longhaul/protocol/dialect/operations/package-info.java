// SPDX-License-Identifier: Apache-2.0
/**
 * Operations of SEP-1391, in the version that its Python reference implementation called {@code next}. The package
 * knows no other dialect, and only its line in {@code Drafts} knows it.
 */
@NullMarked
package io.longhaul.protocol.dialect.operations;

import org.jspecify.annotations.NullMarked;
